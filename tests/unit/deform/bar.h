// SPDX-License-Identifier: MIT
// bar.h: bars of molecules under a small load: K u = f by conjugate gradients, K from the slopes of springs and elements at rest.
#pragma once

#include "bodies.h"

typedef struct Bar {
    RbNetwork n;
    const Vec3 *r;
    const bool *held; // three per molecule
} Bar;

static inline void apply(const Bar *bar, const double *x, double *y) {
    static const Vec3 zero[20000];
    memset(y, 0, sizeof(double) * 3 * (size_t)bar->n.count);
    for (int i = 0; i < bar->n.spring_count; i++) {
        const RbSoftSpring *s = &bar->n.springs[i];
        Mat3 by_r, by_v;
        rb_soft_spring_slopes(s, bar->r, zero, &by_r, &by_v);
        Vec3 f = m3_mul_vec(by_r, v3_sub(v3_load(x + 3 * s->b), v3_load(x + 3 * s->a)));
        v3_store(y + 3 * s->a, v3_sub(v3_load(y + 3 * s->a), f));
        v3_store(y + 3 * s->b, v3_add(v3_load(y + 3 * s->b), f));
    }
    for (int i = 0; i < bar->n.element_count; i++)
        rb_element_apply(&bar->n.elements[i], 0, (const Vec3 *)x, (Vec3 *)y);
    for (int i = 0; i < 3 * bar->n.count; i++)
        if (bar->held[i]) y[i] = 0;
}

static inline double dot(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

static inline double *solve(Fixture *f, const Bar *bar, const double *load) {
    int n = 3 * bar->n.count;
    double *u = rb_new_array(&f->arena, double, n), *r = rb_new_array(&f->arena, double, n),
           *p = rb_new_array(&f->arena, double, n), *kp = rb_new_array(&f->arena, double, n);
    for (int i = 0; i < n; i++) p[i] = r[i] = bar->held[i] ? 0 : load[i];
    double rr = dot(r, r, n), first = rr;
    for (int i = 0; i < 5000 && rr > 1e-20 * first; i++) {
        apply(bar, p, kp);
        double step = rr / dot(p, kp, n);
        for (int k = 0; k < n; k++) u[k] += step * p[k], r[k] -= step * kp[k];
        double next = dot(r, r, n);
        for (int k = 0; k < n; k++) p[k] = r[k] + next / rr * p[k];
        rr = next;
    }
    ENSURE(rr <= 1e-20 * first);
    return u;
}

// m molecules wide, 6 m long along x.
typedef struct BarCase {
    Fixture f;
    Bar bar;
    RbSoftScene *scene;
    bool *held;
    double *load, width, length, area;
    int last; // first molecule of the far end
    int m;
} BarCase;

static inline void open_bar(BarCase *c, int m, int neighbours) {
    fixture_open(&c->f);
    c->m = m;
    c->scene = block_scene(&c->f, 6 * m, m, m);
    c->scene->neighbours = neighbours;
    c->bar.n = network_of(&c->f, c->scene);
    c->bar.r = places(&c->f, c->scene);
    c->held = rb_new_array(&c->f.arena, bool, 3 * (size_t)c->bar.n.count);
    c->bar.held = c->held;
    c->load = rb_new_array(&c->f.arena, double, 3 * (size_t)c->bar.n.count);
    c->width = (m - 1) * 0.01;
    c->length = (6 * m - 1) * 0.01;
    c->area = c->width * c->width;
    c->last = (6 * m - 1) * m * m;
}

// A force of 1 N on the far end, spread by the area that belongs to a molecule.
static inline void pull(BarCase *c, int axis) {
    for (int i = 0; i < c->m * c->m; i++) {
        int y = i / c->m, z = i % c->m;
        double share = (y == 0 || y == c->m - 1 ? 0.5 : 1) * (z == 0 || z == c->m - 1 ? 0.5 : 1);
        c->load[3 * (c->last + i) + axis] = share * 1e-4 / c->area;
    }
}

static inline double mean_end(const BarCase *c, const double *u, int axis) {
    double sum = 0;
    for (int i = 0; i < c->m * c->m; i++) sum += u[3 * (c->last + i) + axis];
    return sum / (c->m * c->m);
}
