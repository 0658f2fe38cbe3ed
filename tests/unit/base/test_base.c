// SPDX-License-Identifier: MIT
// Arenas, arrays, maps, names, text, diagnostics, log, files.
#include "testing.h"

#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/log.h"
#include "base/map.h"
#include "base/sort.h"

static void push_scratch(RbArena scratch, unsigned char **where) {
    *where = rb_arena_push(&scratch, 100000, 1);
    memset(*where, 0xff, 100000);
}

static void arena_copy_is_a_mark(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    unsigned char *first, *second;
    push_scratch(f.scratch, &first);
    size_t calls = f.heap.calls;
    push_scratch(f.scratch, &second);
    ENSURE(first == second);       // the chunk that the first call added is used again,
    ENSURE(f.heap.calls == calls); // without asking the allocator,
    unsigned char *bytes = rb_arena_push(&f.scratch, 100000, 1);
    ENSURE(bytes[0] == 0 && bytes[99999] == 0); // and is clean
    fixture_close(&f);
}

// Work that needs a little more each time finds the chunks of last time: a thousand times, each a thousandth more.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>

// Behind a block, behind an array without elements, and where nothing is left after a reset.
static void memory_that_nobody_has_is_poisoned(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    char *none = rb_new_array(&f.arena, char, 0), *five = rb_new_array(&f.arena, char, 5);
    double *numbers = rb_new_array(&f.arena, double, 3);
    ENSURE(__asan_address_is_poisoned(none));
    ENSURE(!__asan_address_is_poisoned(five + 4) && __asan_address_is_poisoned(five + 5));
    ENSURE(!__asan_address_is_poisoned(numbers + 2) && __asan_address_is_poisoned(numbers + 3));
    ENSURE(rb_arena_extend(&f.arena, numbers, 3 * sizeof(double), 4 * sizeof(double)));
    ENSURE(!__asan_address_is_poisoned(numbers + 3) && __asan_address_is_poisoned(numbers + 4));
    rb_arena_reset(&f.arena);
    ENSURE(__asan_address_is_poisoned(five));
    f.diag = rb_diag(&f.arena);
    fixture_close(&f);
}
#else
static void memory_that_nobody_has_is_poisoned(void **state) {
    (void)state;
    skip(); // without sanitizers nobody would notice
}
#endif

static void growing_work_uses_old_chunks(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    size_t calls = f.heap.calls, bytes = f.heap.bytes, most = 0;
    for (size_t round = 0; round < 1000; round++) {
        RbArena scratch = f.scratch;
        most = 0;
        for (size_t k = 1; k <= 4; k++) {
            rb_arena_push(&scratch, k * 10000 * (1000 + round) / 1000, 1);
            most += k * 10000 * (1000 + round) / 1000;
        }
    }
    ENSURE(f.heap.calls - calls <= 16);
    ENSURE(f.heap.bytes - bytes <= 4 * most);
    fixture_close(&f);
}

// An array that was pushed last grows where it is; one that was not moves and keeps its contents.
static void last_array_grows_in_place(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RB_ARRAY(int) numbers = {0};
    for (int i = 0; i < 8; i++) rb_array_push(&numbers, &f.scratch, i);
    int *place = numbers.data;
    for (int i = 8; i < 200; i++) rb_array_push(&numbers, &f.scratch, i);
    ENSURE(numbers.data == place);
    char *between = rb_arena_text(&f.scratch, "between");
    for (int i = 200; i < 100000; i++) rb_array_push(&numbers, &f.scratch, i);
    ENSURE(numbers.data != place);
    assert_string_equal(between, "between");
    for (int i = 0; i < 100000; i++) ENSURE(numbers.data[i] == i);
    ENSURE(!rb_arena_extend(&f.scratch, between, 8, 16)); // not the last one
    fixture_close(&f);
}

static void extended_bytes_are_clean(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    unsigned char *dirty;
    push_scratch(f.scratch, &dirty);
    unsigned char *bytes = rb_arena_push(&f.scratch, 50000, 1);
    ENSURE(rb_arena_extend(&f.scratch, bytes, 50000, 99000));
    for (int i = 0; i < 99000; i++) ENSURE(bytes[i] == 0);
    ENSURE(!rb_arena_extend(&f.scratch, bytes, 99000, (size_t)1 << 40)); // no room
    assert_string_equal(rb_arena_join(&f.scratch, "der(", "x", ")"), "der(x)");
    fixture_close(&f);
}

// As the C library prints.
static void plain_formats(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    static const int numbers[] = {0, 7, -1, 10, -9999, 123456789, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char want[100];
        snprintf(want, sizeof want, "%d%%[%s]%c %d", numbers[i], "a", 'x', numbers[i] / -2);
        RbText out = rb_text(&f.scratch);
        rb_text_printf(&out, "%d%%[%s]%c %d", numbers[i], "a", 'x', numbers[i] / -2);
        assert_string_equal(out.data, want);
        ENSURE(out.count == (int)strlen(want));
        rb_text_printf(&out, "%5d|%.3f|%s", numbers[i], 0.5, ""); // left to the C library
        ENSURE(strncmp(out.data, want, strlen(want)) == 0 && strstr(out.data, "|0.500|"));
    }
    RbText nothing = rb_text(&f.scratch);
    rb_text_printf(&nothing, "%s", "");
    assert_string_equal(nothing.data, "");
    fixture_close(&f);
}

static void note(void *what) {
    ((int *)what)[0] = ((int *)what)[0] * 10 + 1;
}
static void note_two(void *what) {
    ((int *)what)[0] = ((int *)what)[0] * 10 + 2;
}

static void arena_runs_clean_ups_last_first(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    int order = 0;
    rb_arena_defer(&f.arena, note, &order);
    rb_arena_defer(&f.arena, note_two, &order);
    fixture_close(&f);
    assert_int_equal(order, 21);
}

static RbStatus allocate_much(Fixture *f, void *argument) {
    (void)argument;
    RB_ARRAY(int) numbers = {0};
    RbMap map = {0};
    for (int i = 0; i < 3000; i++) {
        rb_array_push(&numbers, &f->arena, i);
        rb_map_set(&map, &f->arena, (uint64_t)i, 1);
    }
    return RB_OK;
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fixture_survives(allocate_much, NULL, 4);
}

static RbStatus print_number(void *argument) {
    snprintf(argument, 16, "%g", 0.5);
    return RB_OK;
}

// A program that speaks German gets numbers with a point from us, and its comma back.
static void protected_calls_know_no_locale(void **state) {
    (void)state;
    const char *comma = setlocale(LC_ALL, "de_DE.UTF-8");
    if (!comma) comma = setlocale(LC_ALL, "fr_FR.UTF-8");
    if (!comma) skip(); // no such locale on this machine
    RbHeap heap = rb_heap(NULL);
    char inside[16], outside[16];
    ENSURE(rb_protect(&heap, print_number, inside) == RB_OK);
    print_number(outside);
    setlocale(LC_ALL, "C");
    assert_string_equal(inside, "0.5");
    assert_string_equal(outside, "0,5");
}

typedef struct Growing {
    RbArena *arena;
    RB_ARRAY(double) numbers;
    RbMap map;
} Growing;

static RbStatus grow_once_more(void *argument) {
    Growing *g = argument;
    for (int i = 0; i < 100000; i++) {
        rb_array_push(&g->numbers, g->arena, i);
        rb_map_set(&g->map, g->arena, (uint64_t)i, (uint64_t)i);
    }
    return RB_OK;
}

// What was there before an allocation failed is still there and can be used and grown.
static void arrays_and_maps_outlive_a_failed_allocation(void **state) {
    (void)state;
    bool complete = false;
    for (long n = 1; !complete; n++) {
        FailingAllocator failing = {n};
        RbHeap heap = rb_heap(&(RbAllocator){failing_resize, &failing});
        RbArena arena = rb_arena(&heap);
        Growing g = {.arena = &arena};
        complete = rb_protect(&heap, grow_once_more, &g) == RB_OK;
        int count = g.numbers.count;
        failing.countdown = 1000;
        ENSURE(rb_protect(&heap, grow_once_more, &g) == RB_OK);
        ENSURE(g.numbers.count == count + 100000 && g.map.entries.count == 100000);
        for (int i = 0; i < 100000; i++) {
            ENSURE(g.numbers.data[count + i] == i);
            ENSURE(*rb_map_find(&g.map, (uint64_t)i) == (uint64_t)i);
        }
        rb_arena_free(&arena);
    }
}

static void map_keeps_order_and_finds_all(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMap map = {0};
    ENSURE(rb_map_find(&map, 7) == NULL);
    for (uint64_t i = 0; i < 1000; i++) rb_map_set(&map, &f.arena, i * i * 7919, i);
    rb_map_set(&map, &f.arena, 7919, 42);
    assert_int_equal(map.entries.count, 1000);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t *value = rb_map_find(&map, i * i * 7919);
        ENSURE(value && *value == (i == 1 ? 42 : i));
        ENSURE(map.entries.data[i].key == i * i * 7919);
    }
    ENSURE(rb_map_find(&map, 3) == NULL);
    fixture_close(&f);
}

static int compare_ints(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sorting_orders_a_permutation(void **state) {
    (void)state;
    int items[1000];
    for (int count = 0; count <= 1000; count = 3 * count + 1) {
        for (int i = 0; i < count; i++) items[i] = (int)((7919LL * i) % count); // 7919 is prime
        rb_sort_items(items, count, sizeof *items, compare_ints);
        for (int i = 0; i < count; i++) assert_int_equal(items[i], i);
    }
}

static void equal_names_are_equal_pointers(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNames names = rb_names(&f.arena);
    char buffer[] = "body.frame_a";
    RbName a = rb_intern(&names, "body");
    RbName b = rb_intern_bytes(&names, buffer, 4);
    ENSURE(a == b && strcmp(a, "body") == 0);
    ENSURE(rb_intern(&names, buffer) != a);
    ENSURE(rb_intern(&names, "") == rb_intern_bytes(&names, buffer, 0));
    fixture_close(&f);
}

static void hashes_are_the_published_ones(void **state) {
    (void)state;
    assert_int_equal(rb_crc32(0, "123456789", 9), 0xcbf43926); // check value of CRC-32
    ENSURE(rb_hash_bytes(RB_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c)); // FNV test vector
}

static void doubles_print_shortest_and_read_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double values[] = {0.1, 1.0 / 3.0, 1e300, -0.0, 5e-324, 123456789.123456789};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        RbText text = rb_text(&f.arena);
        rb_text_add_double(&text, values[i]);
        ENSURE(strtod(text.data, NULL) == values[i]);
    }
    RbText text = rb_text(&f.arena);
    rb_text_add_double(&text, 0.1);
    assert_string_equal(text.data, "0.1");
    fixture_close(&f);
}

static void messages_show_place_and_caret(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *source = "model A\n\tReal \xc3\xa4 = x;\nend A;\n";
    rb_diag_add_source(&f.diag, "A.mo", source, strlen(source));
    RbStatus status =
        rb_fail(&f.diag, RB_ERROR_MODEL, (RbPos){"A.mo", 2, 12}, "'%s' is not declared", "x");
    ENSURE(status == RB_ERROR_MODEL);
    assert_string_equal(fixture_message(&f, 0), "A.mo:2:12: error: 'x' is not declared [model]\n"
                                                "    \tReal \xc3\xa4 = x;\n"
                                                "    \t         ^\n");
    rb_warn(&f.diag, RB_NOWHERE, "a \"quoted\" word");
    assert_string_equal(fixture_message(&f, 1), "rattleback: warning: a \"quoted\" word\n");
    RbText json = rb_text(&f.arena);
    rb_diag_print_json(&f.diag.messages.data[1], &json);
    assert_string_equal(json.data,
                        "{\"severity\":\"warning\",\"text\":\"a \\\"quoted\\\" word\"}\n");
    fixture_close(&f);
}

static void near_names_have_small_distance(void **state) {
    (void)state;
    assert_int_equal(rb_text_edit_distance("Resistor", "Resitor", 3), 1);
    assert_int_equal(rb_text_edit_distance("kitten", "sitting", 5), 3);
    assert_int_equal(rb_text_edit_distance("kitten", "sitting", 2), 3);
    assert_int_equal(rb_text_edit_distance("", "abc", 5), 3);
    assert_int_equal(rb_text_edit_distance("Bxo", "Box", 3), 1);
    assert_int_equal(rb_text_edit_distance("Shpere", "Sphere", 3), 1);
    assert_int_equal(rb_text_edit_distance("abcd", "badc", 3), 2);
    assert_int_equal(rb_text_edit_distance("ca", "abc", 3), 3); // a pair that was swapped stays
    assert_int_equal(rb_text_edit_distance("same", "same", 3), 0);
}

static void keep_line(void *user, RbTopic topic, const char *line) {
    (void)topic;
    snprintf(user, 64, "%s", line);
}

static void log_writes_only_chosen_topics(void **state) {
    (void)state;
    char line[64] = "";
    RbLog log = {.topics = 1u << RB_LOG_EVENTS, .sink = keep_line, .user = line};
    rb_log(&log, RB_LOG_SOLVER, "no");
    assert_string_equal(line, "");
    rb_log(&log, RB_LOG_EVENTS, "t = %g s", 0.5);
    assert_string_equal(line, "t = 0.5 s");
    rb_log(NULL, RB_LOG_EVENTS, "nowhere");
    assert_int_equal(rb_log_find_topic("LOG_events"), RB_LOG_EVENTS);
    assert_int_equal(rb_log_find_topic("nonsense"), -1);
}

static void files_round_trip_and_errors_name_the_file(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    char path[64];
    snprintf(path, sizeof path, "/tmp/rb_test_file_%d", (int)getpid());
    RbBytes bytes;
    ENSURE(rb_file_write(path, "abc", 3, &f.diag) == RB_OK);
    ENSURE(rb_file_read(path, 0, &f.arena, &f.diag, &bytes) == RB_OK);
    ENSURE(bytes.size == 3 && memcmp(bytes.data, "abc", 4) == 0);
    ENSURE(rb_file_read(path, 2, &f.arena, &f.diag, &bytes) == RB_ERROR_IO);
    remove(path);
    ENSURE(rb_file_read("/no/such/file", 0, &f.arena, &f.diag, &bytes) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 1),
                        "/no/such/file: error: cannot open: No such file or directory [io]\n");
    ENSURE(rb_file_read("/tmp", 0, &f.arena, &f.diag, &bytes) == RB_ERROR_IO);
    ENSURE(rb_file_write("/no/such/folder/x", "", 0, &f.diag) == RB_ERROR_IO);
    fixture_close(&f);
}

static bool exists(const char *path) {
    return access(path, F_OK) == 0;
}

// A pipe has the size 0 of a file that a run has locked and not written to.
static void a_lock_removes_only_the_empty_file_it_made(void **state) {
    (void)state;
    char folder[] = "/tmp/rb_lock_XXXXXX";
    ENSURE(mkdtemp(folder));
    ENSURE(chdir(folder) == 0);
    ENSURE(mkfifo("pipe", 0600) == 0);
    ENSURE(close(open("old", O_CREAT | O_WRONLY, 0600)) == 0);
    ENSURE(symlink("elsewhere", "link") == 0);
    Fixture f;
    fixture_open(&f);
    const char *const paths[] = {"new", "pipe", "old", "link"};
    RbArena arena = rb_arena(&f.heap);
    for (int i = 0; i < 4; i++) ENSURE(rb_file_lock(paths[i], &arena, &f.diag) == RB_OK);
    ENSURE(exists("new"));
    rb_arena_free(&arena);
    ENSURE(!exists("new") && exists("pipe") && exists("old") && exists("link"));
    for (int i = 1; i < 4; i++) unlink(paths[i]);
    unlink("elsewhere");
    ENSURE(chdir("/") == 0 && rmdir(folder) == 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_copy_is_a_mark),
        cmocka_unit_test(memory_that_nobody_has_is_poisoned),
        cmocka_unit_test(growing_work_uses_old_chunks),
        cmocka_unit_test(plain_formats),
        cmocka_unit_test(last_array_grows_in_place),
        cmocka_unit_test(extended_bytes_are_clean),
        cmocka_unit_test(arena_runs_clean_ups_last_first),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(protected_calls_know_no_locale),
        cmocka_unit_test(arrays_and_maps_outlive_a_failed_allocation),
        cmocka_unit_test(map_keeps_order_and_finds_all),
        cmocka_unit_test(sorting_orders_a_permutation),
        cmocka_unit_test(equal_names_are_equal_pointers),
        cmocka_unit_test(hashes_are_the_published_ones),
        cmocka_unit_test(doubles_print_shortest_and_read_back),
        cmocka_unit_test(messages_show_place_and_caret),
        cmocka_unit_test(near_names_have_small_distance),
        cmocka_unit_test(log_writes_only_chosen_topics),
        cmocka_unit_test(files_round_trip_and_errors_name_the_file),
        cmocka_unit_test(a_lock_removes_only_the_empty_file_it_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
