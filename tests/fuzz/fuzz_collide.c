// SPDX-License-Identifier: MIT
// Any bytes as calls of the collision interface, with sensible and with senseless arguments: no
// crash, no hang, an error always has a text, and what is answered is finite and consistent.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rattleback/collide.h"

enum { MOST = 24 };

typedef struct Play {
    const uint8_t *data, *end;
    RbCollideWorld *world;
    RbCollideShape shapes[MOST];
    RbCollider colliders[MOST];
} Play;

static unsigned byte(Play *p) {
    return p->data < p->end ? *p->data++ : 0;
}

// Mostly a small number; sometimes a strange one.
static double number(Play *p) {
    static const double STRANGE[] = {0,    -1,   NAN,  INFINITY, -INFINITY, 1e-300, 1e300, 1e-12,
                                     1e12, 1e99, 1e-5, 1e5,      -0.0,      1e-30,  3,     1e30};
    unsigned b = byte(p);
    return b >= 240 ? STRANGE[b - 240] : (b - 100.0) / 32;
}

static double size(Play *p) {
    return fabs(number(p)) + 0.01;
}

static void vector(Play *p, double *v, int count) {
    for (int i = 0; i < count; i++) v[i] = number(p);
}

static RbCollideShape *shape(Play *p) {
    return &p->shapes[byte(p) % MOST];
}
static RbCollider *collider(Play *p) {
    return &p->colliders[byte(p) % MOST];
}

static void check(Play *p, RbStatus status) {
    if (status == RB_ERROR_INTERNAL || status == RB_ERROR_MEMORY) abort();
    if (status != RB_OK && !rb_collide_error(p->world)[0]) abort();
}

static void check_contact(const RbCollideContact *c) {
    double length = sqrt(c->normal[0] * c->normal[0] + c->normal[1] * c->normal[1] +
                         c->normal[2] * c->normal[2]);
    if (isnan(c->distance) || !(fabs(length - 1) < 1e-9)) abort();
}

static void make_shape(Play *p) {
    RbCollideShape *out = shape(p);
    double v[24], a = size(p), b = size(p);
    switch (byte(p) % 9) {
        case 0: check(p, rb_collide_sphere(p->world, number(p), out)); break;
        case 1: vector(p, v, 3), check(p, rb_collide_ellipsoid(p->world, v, out)); break;
        case 2: vector(p, v, 3), check(p, rb_collide_box(p->world, v, number(p), out)); break;
        case 3:
            check(p, rb_collide_cylinder(p->world, 1 + (int)byte(p) % 3, a, b, 0.01, out));
            break;
        case 4: check(p, rb_collide_cone(p->world, 1, a, b, number(p), 0, out)); break;
        case 5: check(p, rb_collide_capsule(p->world, 2, a, number(p), out)); break;
        case 6: check(p, rb_collide_beam(p->world, 3, a, b, number(p), 0.001, out)); break;
        case 7: check(p, rb_collide_halfspace(p->world, out)); break;
        default:
            vector(p, v, 24), check(p, rb_collide_parts(p->world, v, (int[]){4, 4}, 2, out));
            break;
    }
}

static void ask(Play *p) {
    double u[3], v[3];
    vector(p, u, 3);
    vector(p, v, 3);
    RbCollideContact c;
    RbCollideHit hit;
    RbCollideSweep sweep;
    const RbCollider *ids;
    const RbCollideContact *contacts;
    int count = 0;
    switch (byte(p) % 7) {
        case 0: {
            RbStatus status = rb_collide_distance(p->world, *collider(p), *collider(p), &c);
            check(p, status);
            if (status == RB_OK) check_contact(&c);
            break;
        }
        case 1: {
            double margin = number(p);
            if (rb_collide_contacts(p->world, margin, &contacts, &count) != RB_OK) break;
            for (int i = 0; i < count; i++) {
                check_contact(&contacts[i]);
                if (!(contacts[i].distance <= margin)) abort();
            }
            break;
        }
        case 2:
            check(p, rb_collide_minimum(p->world, &c));
            if (c.a.generation) check_contact(&c);
            break;
        case 3: {
            RbStatus status = rb_collide_ray(p->world, u, v, number(p), byte(p), &hit);
            check(p, status);
            if (status == RB_OK && isnan(hit.distance)) abort();
            break;
        }
        case 4: check(p, rb_collide_overlap(p->world, u, v, ~0u, &ids, &count)); break;
        case 5: {
            RbStatus status = rb_collide_sweep(p->world, number(p), &sweep);
            check(p, status);
            if (status == RB_OK && isnan(sweep.time)) abort();
            break;
        }
        default:
            check(p,
                  rb_collide_sweep_pair(p->world, *collider(p), *collider(p), number(p), &sweep));
            break;
    }
}

static void step(Play *p) {
    double u[4], v[4];
    switch (byte(p) % 10) {
        case 0:
        case 1: make_shape(p); break;
        case 2: check(p, rb_collide_remove_shape(p->world, *shape(p))); break;
        case 3:
        case 4:
            vector(p, u, 3), vector(p, v, 4);
            check(p, rb_collide_add(p->world, *shape(p), u, byte(p) % 2 ? v : NULL, collider(p)));
            break;
        case 5: check(p, rb_collide_remove(p->world, *collider(p))); break;
        case 6:
            vector(p, u, 3), vector(p, v, 4);
            check(p, rb_collide_place(p->world, *collider(p), u, byte(p) % 2 ? v : NULL));
            break;
        case 7:
            vector(p, u, 3), vector(p, v, 3);
            check(p, rb_collide_set_velocity(p->world, *collider(p), u, byte(p) % 2 ? v : NULL));
            break;
        case 8:
            check(p, rb_collide_set_active(p->world, *collider(p), byte(p) % 2));
            check(p, rb_collide_set_pair(p->world, *collider(p), *collider(p), byte(p) % 2));
            check(p, rb_collide_set_filter(p->world, *collider(p), byte(p), byte(p)));
            break;
        default: ask(p); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
    static Play p;
    p = (Play){.data = data, .end = data + (length < 2000 ? length : 2000)};
    RbCollideOptions options = rb_collide_options_default();
    options.method = (RbCollideMethod)(byte(&p) % 4);
    if (rb_collide_create(&options, &p.world) != RB_OK) abort();
    while (p.data < p.end) step(&p);
    rb_collide_free(p.world);
    return 0;
}
