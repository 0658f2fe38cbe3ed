// SPDX-License-Identifier: MIT
// The queue against a plain search through a list.
#include "math/rng.h"
#include "sim/island_queue.h"
#include "testing.h"

enum { ITEMS = 40, CHANGES = 20000 };

// The first by time, of equal ones the smallest; -1 if there is none.
static int first_of(const double *time, const bool *there) {
    int first = -1;
    for (int i = 0; i < ITEMS; i++) {
        if (there[i] && (first < 0 || time[i] < time[first])) first = i;
    }
    return first;
}

static RbStatus make(void *argument) {
    Fixture *f = argument;
    RbQueue q = rb_queue(ITEMS, &f->arena);
    RbRng rng = rb_rng(11);
    double time[ITEMS] = {0};
    bool there[ITEMS] = {false};
    for (int k = 0; k < CHANGES; k++) {
        int item = (int)rb_rng_range(&rng, 0, ITEMS);
        there[item] = rb_rng_unit(&rng) < 0.7;
        time[item] = floor(rb_rng_range(&rng, 0, 20)); // many are equal
        if (there[item])
            rb_queue_set(&q, item, time[item]);
        else
            rb_queue_remove(&q, item);
        int first = first_of(time, there), count = 0;
        for (int i = 0; i < ITEMS; i++) count += there[i];
        ENSURE(q.count == count);
        ENSURE(count == 0 ? first < 0 : q.heap[0].item == first && q.heap[0].time == time[first]);
    }
    return RB_OK;
}

static void the_first_is_the_first(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    ENSURE(rb_protect(&f.heap, make, &f) == RB_OK);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_first_is_the_first)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
