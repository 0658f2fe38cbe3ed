// SPDX-License-Identifier: MIT
// Values to bytes and back; what is not there reads as zero and is noticed.
#include "testing.h"

#include <string.h>

#include "base/pack.h"

static void values_come_back_bit_for_bit(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double values[] = {0.1, -0.0, INFINITY, 5e-324};
    RbPacker p = rb_packer(&f.arena);
    rb_pack_u64(&p, UINT64_MAX);
    rb_pack_text(&p, "caf\xc3\xa9");
    rb_pack_text(&p, "");
    rb_pack_doubles(&p, values, 4);
    rb_pack_bytes(&p, NULL, 0);
    RbUnpacker u = rb_unpacker(p.bytes.data, (size_t)p.bytes.count);
    double back[4];
    ENSURE(rb_unpack_u64(&u) == UINT64_MAX);
    assert_string_equal(rb_unpack_text(&u, &f.arena), "caf\xc3\xa9");
    assert_string_equal(rb_unpack_text(&u, &f.arena), "");
    rb_unpack_doubles(&u, back, 4);
    assert_memory_equal(back, values, sizeof values);
    ENSURE(u.ok && u.at == u.size);
    fixture_close(&f);
}

// The layout is part of a file format: little endian, eight bytes each, texts with their length in
// front.
static void bytes_are_the_documented_ones(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbPacker p = rb_packer(&f.arena);
    rb_pack_u64(&p, 0x0102030405060708);
    rb_pack_double(&p, 1.0); // 0x3ff0000000000000
    rb_pack_text(&p, "ab");
    const unsigned char want[] = {8, 7,    6,    5, 4, 3, 2, 1, 0, 0, 0, 0,   0,
                                  0, 0xf0, 0x3f, 2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'};
    assert_int_equal(p.bytes.count, sizeof want);
    assert_memory_equal(p.bytes.data, want, sizeof want);
    fixture_close(&f);
}

static uint64_t hash_of(uint64_t number, double value, const char *text) {
    RbPacker p = rb_hashing_packer(RB_HASH_START);
    rb_pack_u64(&p, number);
    rb_pack_double(&p, value);
    rb_pack_text(&p, text);
    rb_pack_bytes(&p, NULL, 0);
    ENSURE(!p.bytes.data);
    return p.hash;
}

static void a_hash_is_of_every_value_and_keeps_none(void **state) {
    (void)state;
    uint64_t hash = hash_of(1, 2.0, "ab");
    ENSURE(hash == hash_of(1, 2.0, "ab"));
    ENSURE(hash != hash_of(0, 2.0, "ab") && hash != hash_of(1, nextafter(2, 3), "ab"));
    ENSURE(hash != hash_of(1, 2.0, "ba") && hash != hash_of(1, 2.0, "a"));
    ENSURE(hash_of(1, 0.0, "") != hash_of(1, -0.0, ""));
}

static void reading_beyond_the_end_gives_zeros_and_is_noticed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const unsigned char bytes[20] = {5, [8] = 1};
    for (size_t size = 0; size < 16; size++) {
        RbUnpacker u = rb_unpacker(bytes, size);
        uint64_t first = rb_unpack_u64(&u), second = rb_unpack_u64(&u);
        ENSURE(first == (size >= 8 ? 5 : 0) && second == 0);
        ENSURE(!u.ok);
        ENSURE(rb_unpack_double(&u) == 0 && !u.ok); // it stays so
    }
    RbUnpacker u = rb_unpacker(bytes, sizeof bytes);
    ENSURE(rb_unpack_u64(&u) == 5 && u.ok);
    assert_string_equal(rb_unpack_text(&u, &f.arena), ""); // one byte, which is a 0
    ENSURE(u.ok);
    memset(&u, 0, sizeof u);
    const unsigned char huge[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 'x'};
    u = rb_unpacker(huge, sizeof huge);
    assert_string_equal(rb_unpack_text(&u, &f.arena), "");
    ENSURE(!u.ok);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_back_bit_for_bit),
        cmocka_unit_test(bytes_are_the_documented_ones),
        cmocka_unit_test(a_hash_is_of_every_value_and_keeps_none),
        cmocka_unit_test(reading_beyond_the_end_gives_zeros_and_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
