// SPDX-License-Identifier: MIT
// Checksums and hashes: published check values, and the checksum bit by bit from its definition.
#include "testing.h"

#include <stdbool.h>

#include "base/hash.h"
#include "math/rng.h"

// Division by x^32 + x^26 + ... + 1, the lowest bit first.
static uint32_t crc_by_definition(const unsigned char *bytes, size_t length) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 8 * length; i++) {
        bool bit = (crc ^ (uint32_t)bytes[i / 8] >> i % 8) & 1;
        crc = crc >> 1 ^ (bit ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void check_values(void **state) {
    (void)state;
    assert_int_equal(rb_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(rb_crc32(0, "", 0), 0);
    ENSURE(rb_hash_bytes(RB_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

// All lengths and alignments; in one piece and in two.
static void checksum_follows_its_definition(void **state) {
    (void)state;
    unsigned char bytes[80];
    RbRng rng = rb_rng(1);
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)rb_rng_int(&rng, 256);
    for (size_t start = 0; start < 9; start++) {
        for (size_t length = 0; start + length <= sizeof bytes; length++) {
            uint32_t want = crc_by_definition(bytes + start, length);
            assert_int_equal(rb_crc32(0, bytes + start, length), want);
            size_t part = length / 3;
            uint32_t first = rb_crc32(0, bytes + start, part);
            assert_int_equal(rb_crc32(first, bytes + start + part, length - part), want);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_values),
        cmocka_unit_test(checksum_follows_its_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
