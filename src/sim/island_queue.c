// SPDX-License-Identifier: MIT
#include "sim/island_queue.h"

#include <stdbool.h>

RbQueue rb_queue(int capacity, RbArena *arena) {
    RbQueue q = {.heap = rb_new_array(arena, RbQueueEntry, capacity),
                 .place = rb_new_array(arena, int, capacity)};
    for (int i = 0; i < capacity; i++) q.place[i] = -1;
    return q;
}

static bool before(RbQueueEntry a, RbQueueEntry b) {
    return a.time < b.time || (a.time == b.time && a.item < b.item);
}

static void put(RbQueue *q, int at, RbQueueEntry e) {
    q->heap[at] = e;
    q->place[e.item] = at;
}

static void rise(RbQueue *q, int at, RbQueueEntry e) {
    for (int up; at > 0 && before(e, q->heap[up = (at - 1) / 2]); at = up) put(q, at, q->heap[up]);
    put(q, at, e);
}

static void sink(RbQueue *q, int at, RbQueueEntry e) {
    for (int down; (down = 2 * at + 1) < q->count; at = down) {
        if (down + 1 < q->count && before(q->heap[down + 1], q->heap[down])) down++;
        if (!before(q->heap[down], e)) break;
        put(q, at, q->heap[down]);
    }
    put(q, at, e);
}

// What stood at this place has changed to e.
static void settle(RbQueue *q, int at, RbQueueEntry e) {
    if (at > 0 && before(e, q->heap[(at - 1) / 2]))
        rise(q, at, e);
    else
        sink(q, at, e);
}

void rb_queue_set(RbQueue *q, int item, double time) {
    int at = q->place[item];
    settle(q, at >= 0 ? at : q->count++, (RbQueueEntry){time, item});
}

void rb_queue_remove(RbQueue *q, int item) {
    int at = q->place[item];
    if (at < 0) return;
    q->place[item] = -1;
    RbQueueEntry last = q->heap[--q->count];
    if (at < q->count) settle(q, at, last);
}
