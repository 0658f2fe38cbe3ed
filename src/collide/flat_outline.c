// SPDX-License-Identifier: MIT
#include "collide/flat_outline.h"

#include <math.h>

RbFlatOutline rb_flat_outline(const RbFlatCell *c) {
    const RbPlate *p = c->plate;
    RbFlatOutline o = {.discs = p->straight > 0 ? 2 : 1, .r = p->wide};
    for (int i = 0; i < o.discs; i++) {
        Vec3 d = v3_sub(v3_axpy(p->c, i ? p->straight : -p->straight, p->e1), c->o);
        o.x[i] = v3_dot(d, c->ex), o.y[i] = v3_dot(d, c->ey);
    }
    return o;
}

double rb_from_middle(const RbFlatOutline *o, double x, double y) {
    double dx = x - o->x[0], dy = y - o->y[0];
    if (o->discs > 1) {
        double ax = o->x[1] - o->x[0], ay = o->y[1] - o->y[0];
        double t = (ax * dx + ay * dy) / (ax * ax + ay * ay);
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        dx -= t * ax, dy -= t * ay;
    }
    return sqrt(dx * dx + dy * dy);
}

bool rb_outline_chord(const RbFlatOutline *o, double px, double py, double dx, double dy,
                      double t[2]) {
    double A = dx * dx + dy * dy;
    t[0] = INFINITY, t[1] = -INFINITY;
    for (int i = 0; i < o->discs; i++) {
        double qx = px - o->x[i], qy = py - o->y[i];
        double B = qx * dx + qy * dy, q = B * B - A * (qx * qx + qy * qy - o->r * o->r);
        if (!(q >= 0)) continue;
        double root = sqrt(q), first = (-B - root) / A, last = (-B + root) / A;
        if (first < t[0]) t[0] = first;
        if (last > t[1]) t[1] = last;
    }
    for (int i = 0; i < 2 && o->discs > 1; i++) { // the straight sides
        double ax = o->x[1] - o->x[0], ay = o->y[1] - o->y[0];
        double k = (i ? o->r : -o->r) / sqrt(ax * ax + ay * ay), det = dx * ay - dy * ax;
        double qx = o->x[0] - k * ay - px, qy = o->y[0] + k * ax - py;
        double part = (qx * dy - qy * dx) / det, at = (qx * ay - qy * ax) / det;
        if (!(part >= 0 && part <= 1)) continue;
        t[0] = fmin(t[0], at), t[1] = fmax(t[1], at);
    }
    return t[1] > t[0];
}

int rb_outline_disc(const RbFlatOutline *o, double x, double y) {
    if (o->discs == 1) return 0;
    double ax = o->x[1] - o->x[0], ay = o->y[1] - o->y[0];
    double along = ax * (x - o->x[0]) + ay * (y - o->y[0]);
    return along <= 0 ? 0 : along >= ax * ax + ay * ay ? 1 : -1;
}
