// SPDX-License-Identifier: MIT
// Derivatives of the forces between surfaces, for implicit steps, against differences: blocks, sheets and chains of two materials each that touch each other, by vertices; blocks by edges.
#include "bodies.h"

#include "../sim/run.h"
#include "deform/soft_data.h"
#include "math/rng.h"

enum { MOST = 60 };

typedef struct Slopes {
    Mat3 by_r[MOST][MOST], by_v[MOST][MOST];
} Slopes;

static void keep(void *user, int a, int b, const Mat3 *by_r, const Mat3 *by_v) {
    Slopes *s = user;
    s->by_r[a][b] = m3_add(s->by_r[a][b], *by_r);
    s->by_v[a][b] = m3_add(s->by_v[a][b], *by_v);
}

static void forces_at(const Soft *soft, SoftWork *w, Vec3 *f) {
    rb_soft_start_forces(soft, w);
    ENSURE(rb_soft_contacts(soft, &(RbEval){0}, w) == RB_EVAL_OK);
    for (int i = 0; i < soft->network.count; i++) f[i] = w->f[i];
}

// The largest difference, of the largest slope.
static double compare(const Soft *soft, SoftWork *w, bool velocities, const Slopes *told) {
    Vec3 up[MOST], down[MOST], *all = velocities ? w->v : w->r;
    const double h = velocities ? 1e-5 : 1e-9;
    double most = 0, size = 0;
    for (int b = 0; b < soft->network.count; b++) {
        if (soft->network.free_index[b] < 0) continue;
        for (int c = 0; c < 3; c++) {
            double *x = &all[b].x + c, was = *x;
            *x = was + h, forces_at(soft, w, up);
            *x = was - h, forces_at(soft, w, down);
            *x = was;
            for (int a = 0; a < soft->network.count; a++) {
                const Mat3 *by = velocities ? &told->by_v[a][b] : &told->by_r[a][b];
                if (soft->network.free_index[a] < 0) continue;
                Vec3 found = v3_scale(0.5 / h, v3_sub(up[a], down[a])), is = m3_column(*by, c);
                most = fmax(most, v3_distance(found, is));
                size = fmax(size, v3_norm(is));
            }
        }
    }
    ENSURE(size > 0);
    return most / size;
}

static double size_of(Mat3 m) {
    return sqrt(m3_trace(m3_mul(m3_transpose(m), m)));
}

// The largest sum of what one molecule does to all of them, of the largest slope: momentum is kept.
static double unbalanced(const Soft *soft, const Slopes *told) {
    double most = 0, size = 0;
    for (int b = 0; b < soft->network.count; b++) {
        Mat3 by_r = M3_ZERO, by_v = M3_ZERO;
        for (int a = 0; a < soft->network.count; a++) {
            by_r = m3_add(by_r, told->by_r[a][b]);
            by_v = m3_add(by_v, told->by_v[a][b]);
            size = fmax(size, size_of(told->by_r[a][b]));
        }
        most = fmax(most, fmax(size_of(by_r), size_of(by_v)));
    }
    return most / size;
}

static RbSoftScene *scene_of(RbArena *arena, int kind, RbSoftDetection detection) {
    RbSoftScene *s = rb_soft_scene_new("pair", arena);
    RbSoftMaterial m = rb_soft_material_default(), other = m;
    m.damping = 0.3;
    other.name = "other", other.damping = 0.1;
    other.youngs_modulus *= 7, other.density *= 3;
    s->detection = detection;
    rb_soft_scene_add_material(s, &m);
    rb_soft_scene_add_material(s, &other);
    Block upper = {.n = {3, 3, 3}, .a = 0.02, .radius = 0.014, .low = {0.003, 0.033, 0.005}};
    Block lower = {.n = {3, 2, 3}, .a = 0.02, .radius = 0.014, .low = {0, -0.02, 0}};
    if (kind > 0) lower.n[1] = 1, lower.low.y = 0; // a sheet
    if (kind > 1) lower.n[0] = 5, lower.n[2] = 1;  // a chain
    add_block(s, "lower", lower);
    add_block(s, "upper", upper);
    for (int i = 0; i < s->molecules.count; i++) {
        s->molecules.data[i].friction = 0;
        s->molecules.data[i].material = i % 3 == 1;
    }
    return s;
}

static void slopes_are_derivatives(void **state) {
    (void)state;
    static Slopes told;
    RbRng rng = rb_rng(7);
    for (int n = 0; n < 4; n++) {
        Run r;
        run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
        RbSoftScene *s = scene_of(&r.f.arena, n % 3, n < 3 ? RB_SOFT_SURFACES : RB_SOFT_EDGES);
        ENSURE(rb_model_of_soft_scene(s, &r.f.arena, &r.f.diag, &r.model) == RB_OK);
        r.options = rb_model_options(r.model);
        r.options.stop_time = 1e-4;
        ENSURE(run_go(&r) == RB_OK);
        const Soft *soft = rb_sim_stage(&r.sim)->system->parts[0].instance->self;
        size_t bytes = rb_soft_work_size(soft);
        SoftWork *w = rb_soft_work(
            soft, memset(rb_arena_push(&r.f.arena, bytes, alignof(max_align_t)), 0, bytes));
        for (int i = 0; i < soft->network.count; i++) {
            const RbMolecule *m = &s->molecules.data[i];
            w->r[i] = v3_axpy(m->r, 1e-3 * rb_rng_unit(&rng), rb_rng_direction(&rng));
            w->v[i] = v3_scale(0.1, rb_rng_direction(&rng));
            if (m->object == 1) w->r[i].y -= 0.008, w->v[i].y -= 0.3;
        }
        Vec3 f[MOST];
        forces_at(soft, w, f);
        memset(&told, 0, sizeof told);
        rb_soft_surface_slopes(soft, w, keep, &told);
        double places = compare(soft, w, false, &told), speeds = compare(soft, w, true, &told);
        print_message("%d touch; by places %.1e, by velocities %.1e of the largest; sums %.1e\n",
                      w->touching, places, speeds, unbalanced(soft, &told));
        ENSURE(unbalanced(soft, &told) < 1e-13);
        ENSURE(w->touching > 3 && speeds < 1e-6 && places < (n % 3 == 1 || n >= 3 ? 0.1 : 1e-4));
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slopes_are_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
