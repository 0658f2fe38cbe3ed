#include "../Include/records.h"

double measure(void *outer) {
    const struct Outer *o = outer;
    return o->n + o->inner.i * o->inner.x + 100 * o->b + 1000 * (o->name[1] == 'b');
}

void twist(void *in, void *out) {
    const struct Inner *a = in;
    struct Inner *b = out;
    b->i = -a->i;
    b->x = a->x * a->i;
}
