// SPDX-License-Identifier: MIT
// label: full
// The box of the thesis on its ground, a single layer that hangs by its border (examples/soft/box_on_ground.xml, the published numbers): how long it swings, and that
// at last the contacts carry its weight to 1e-6.
//
// That it swings so long follows from the numbers, not from the integration: about the place where it comes to rest the motion is M u'' + C u' + K u = 0, with K and C put
// together here from springs, their tensions and contacts by the formulas of docs/theory/soft.md. Modes u of K u = w² M u have the rate of decay s = uᵀ C u/(2 uᵀ M u), if damping is
// small. A layer that swings across itself does not stretch its springs to first order: what damps it is the square of its slope.
#include "bodies.h"

#include <lapacke.h>

#include "soft_run.h"
#include "deform/scene_xml.h"
#include "deform/soft.h"

typedef struct Modes {
    Fixture *f;
    const RbSoftScene *scene;
    RbNetwork n;
    int count;     // coordinates
    Vec3 *r;       // [m] of all molecules
    double *K, *C; // divided by the roots of both masses
    double *w2;    // [1/s2]
} Modes;

// Adds a block that pulls a and b together: to K or C.
static void add_block_of(Modes *m, double *matrix, int a, int b, Mat3 s) {
    int i = m->n.free_index[a], j = m->n.free_index[b];
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            double v = (&s.x.x)[3 * column + row];
            if (i >= 0) matrix[(3 * i + row) * m->count + 3 * i + column] += v / m->n.mass[a];
            if (j >= 0) matrix[(3 * j + row) * m->count + 3 * j + column] += v / m->n.mass[b];
            if (i < 0 || j < 0) continue;
            v /= sqrt(m->n.mass[a] * m->n.mass[b]);
            matrix[(3 * i + row) * m->count + 3 * j + column] -= v;
            matrix[(3 * j + row) * m->count + 3 * i + column] -= v;
        }
    }
}

// k along n, t across.
static Mat3 along_and_across(Vec3 n, double k, double t) {
    Mat3 nn = m3_outer(n, n);
    return m3_add(m3_scale(k, nn), m3_scale(t, m3_sub(M3_IDENTITY, nn)));
}

static void add_springs(Modes *m) {
    for (int i = 0; i < m->n.spring_count; i++) {
        const RbSoftSpring *s = &m->n.springs[i];
        Vec3 d = v3_sub(m->r[s->b], m->r[s->a]);
        double l = v3_norm(d);
        Vec3 n = v3_scale(1 / l, d);
        add_block_of(m, m->K, s->a, s->b, along_and_across(n, s->k, s->k * (1 - s->length / l)));
        add_block_of(m, m->C, s->a, s->b, along_and_across(n, s->c, 0));
    }
}

// Equation (3), its derivative, the damping of contacts and the bristle of (5), if it sticks; the force on the box.
static Vec3 add_contacts(Modes *m, bool sticks) {
    const RbMolecule *p = m->scene->molecules.data;
    const RbSoftMaterial *ground = &m->scene->materials.data[0],
                         *box = &m->scene->materials.data[1];
    double e = 1 / (15.0 / 16 * (1 / ground->youngs_modulus + 1 / box->youngs_modulus));
    Vec3 force = V3_ZERO;
    for (int a = 0; a < m->n.count; a++) {
        for (int b = a + 1; b < m->n.count; b++) {
            Vec3 d = v3_sub(m->r[b], m->r[a]);
            double reach = p[a].radius + p[b].radius, s = reach - 0.8 * 0.02,
                   x = reach - v3_norm(d);
            if (p[a].object == p[b].object || x <= 0) continue;
            Vec3 n = v3_unit(d);
            double A = 4.0 / 3 * e * sqrt(p[a].radius * p[b].radius / reach), q = s / (s - x);
            double F = A * x * sqrt(x) * q * q, slope = F * (1.5 / x + 2 / (s - x));
            double mass = m->n.mass[b];
            if (m->n.free_index[a] >= 0) mass *= m->n.mass[a] / (mass + m->n.mass[a]);
            double c = (ground->damping + box->damping) * sqrt(mass * F / (x + 0.1 * s));
            double bristle = 0.05 * p[a].radius,
                   mu = sticks ? sqrt(p[a].friction * p[b].friction) : 0;
            add_block_of(m, m->K, a, b,
                         along_and_across(n, slope, mu * F / bristle - F / v3_norm(d)));
            add_block_of(m, m->C, a, b, along_and_across(n, c, 0));
            force = v3_axpy(force, F, n);
        }
    }
    return force;
}

static RbSoftScene *open_scene(Run *r, RbSoftDetection detection) {
    RbBytes text;
    RbSoftScene *s;
    run_open(r, "pendulum"); // the files and the fixture; its model is replaced
    ENSURE(rb_file_read(RB_SOURCE_DIR "/examples/soft/box_on_ground.xml", 0, &r->f.arena,
                        &r->f.diag, &text) == RB_OK);
    ENSURE(rb_scene_xml_read("box_on_ground.xml", text, &r->f.arena, &r->f.diag, &s) == RB_OK);
    s->detection = detection;
    ENSURE(rb_model_of_soft_scene(s, &r->f.arena, &r->f.diag, &r->model) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.output_interval = 0.01;
    return s;
}

static double weight_of(const RbSoftScene *s) {
    double mass = 0;
    for (int i = 0; i < s->molecules.count; i++) {
        const RbMolecule *m = &s->molecules.data[i];
        if (m->object == 1)
            mass += s->materials.data[m->material].density * 4 / 3.0 * M_PI * m->radius *
                    m->radius * m->radius;
    }
    return 1.4 * mass;
}

// Modes about the last state of a run, and what the contacts carry there.
static Vec3 find_modes(Modes *m, Run *r, const RbSoftScene *s, bool sticks) {
    *m = (Modes){.f = &r->f, .scene = s, .n = network_of(&r->f, s)};
    m->count = 3 * m->n.free_count;
    m->r = places(&r->f, s);
    for (int i = 0; i < m->n.free_count; i++)
        m->r[m->n.molecule_of[i]] = v3_load(run_now(r)->x + 3 * i);
    m->K = rb_new_array(&r->f.arena, double, (size_t)m->count *(size_t)m->count);
    m->C = rb_new_array(&r->f.arena, double, (size_t)m->count *(size_t)m->count);
    m->w2 = rb_new_array(&r->f.arena, double, m->count);
    add_springs(m);
    Vec3 force = add_contacts(m, sticks);
    ENSURE(LAPACKE_dsyev(LAPACK_ROW_MAJOR, 'V', 'U', m->count, m->K, m->count, m->w2) == 0);
    return force; // K has the modes now, in its columns
}

static Vec3 mode_at(const Modes *m, int mode, int k) { // of a molecule that moves
    const double *u = m->K + 3 * k * m->count + mode;
    return v3(u[0], u[m->count], u[2 * m->count]);
}

static double decay(const Modes *m, int mode) {
    double sum = 0;
    for (int i = 0; i < m->count; i++) {
        double u = m->K[i * m->count + mode];
        for (int j = 0; j < m->count; j++)
            sum += u * m->C[i * m->count + j] * m->K[j * m->count + mode];
    }
    return 0.5 * sum;
}

// The mode that decays most slowly, among those with more or less than half of their motion in the box.
static int slowest(const Modes *m, bool of_box) {
    int best = -1;
    for (int i = 0; i < m->count; i++) {
        double part = 0;
        for (int k = 0; k < m->n.free_count; k++)
            if (m->scene->molecules.data[m->n.molecule_of[k]].object == 1)
                part += v3_norm2(mode_at(m, i, k));
        if ((part > 0.5) == of_box && (best < 0 || decay(m, i) < decay(m, best))) best = i;
    }
    return best;
}

// Largest of |x - mean| between two times [s]; a row is 10 ms.
static double swing(const double *x, double mean, int from, int to) {
    double most = 0;
    for (int i = 100 * from; i < 100 * to; i++) most = fmax(most, fabs(x[i] - mean));
    return most;
}

// [rad/s] from the first and the last row between two times at which x changes its sign.
static double frequency(const double *x, int from, int to) {
    int count = 0, first = 0, last = 0;
    for (int i = 100 * from + 1; i < 100 * to; i++) {
        if (!(x[i] * x[i - 1] < 0)) continue;
        if (count++ == 0) first = i;
        last = i;
    }
    return M_PI * (count - 1) / (0.01 * (last - first));
}

static void it_swings_as_its_modes_say_and_rests(void **state) {
    (void)state;
    Run r;
    RbSoftScene *s = open_scene(&r, RB_SOFT_SPHERES);
    r.options.stop_time = 140;
    soft_go(&r);
    Modes m, loose;
    double weight = weight_of(s), carried = find_modes(&m, &r, s, true).y;
    find_modes(&loose, &r, s, false);
    int sticking = slowest(&m, true), sliding = slowest(&loose, true), layer = slowest(&m, false);
    double layer_decay = decay(&m, layer);
    print_message("box sideways: %.4f to %.4f rad/s, decays with %.4f to %.4f/s; layer: %.1f "
                  "rad/s, %.4f/s\n",
                  sqrt(loose.w2[sliding]), sqrt(m.w2[sticking]), decay(&loose, sliding),
                  decay(&m, sticking), sqrt(m.w2[layer]), layer_decay);

    // sideways the box has its slowest mode: between sliding freely and sticking at every contact, since a molecule has one bristle for all that it touches
    const double *v = run_series(&r, "box.v[1]"), *force = run_series(&r, "box.contact_force[2]");
    double found = log(swing(v, 0, 20, 25) / swing(v, 0, 35, 40)) / 15,
           turns = frequency(v, 20, 40);
    print_message("found: %.4f rad/s, %.4f/s\n", turns, found);
    ENSURE(found > decay(&loose, sliding) && found < decay(&m, sticking));
    ENSURE(turns > sqrt(loose.w2[sliding]) && turns < sqrt(m.w2[sticking]));

    // the layer swings on, several of its modes together: it cannot be at rest sooner
    double early = swing(force, weight, 60, 65), late = swing(force, weight, 110, 115),
           rest = swing(force, weight, 135, 140);
    print_message("force off by %.1e at 60 s, %.1e at 110 s, %.1e at 135 s, its formula %.1e\n",
                  early / weight, late / weight, rest / weight, carried / weight - 1);
    double rate = log(early / late) / 50;
    ENSURE(rate > 0.9 * layer_decay && rate < 2 * layer_decay);
    ENSURE(rest < 1e-6 * weight);
    ENSURE_NEAR(carried, weight, 1e-4 * weight); // by its formula, without what bristles hold
    run_close(&r);
}

static void it_rests_with_surfaces(void **state) {
    (void)state;
    Run r;
    RbSoftScene *s = open_scene(&r, RB_SOFT_SURFACES);
    double weight = weight_of(s);
    r.options.stop_time = 140;
    soft_go(&r);
    const double *force = run_series(&r, "box.contact_force[2]");
    double rest = swing(force, weight, 135, 140);
    print_message("surfaces: force off by %.1e\n", rest / weight);
    ENSURE(rest < 1e-6 * weight);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_swings_as_its_modes_say_and_rests),
        cmocka_unit_test(it_rests_with_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
