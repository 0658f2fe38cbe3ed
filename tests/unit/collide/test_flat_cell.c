// SPDX-License-Identifier: MIT
// Cells of a polyhedron in the plane of a disc, a stadium or a rectangle (collide/flat_cell.h), against sums over very many lines, each from the half planes
// that bound the cell and from the outline alone.
#include "collide/flat_cell.h"
#include "math/rng.h"
#include "testing.h"

enum { SIDES = 5 };

// A cell of which only p with n . p <= d are left.
typedef struct Cell {
    RbFlatCell cell;
    Vec3 n[SIDES];
    double d[SIDES];
    double low, high; // of the angles of lines that may come to it
} Cell;

static RbPlate random_plate(RbRng *rng, int kind) {
    Mat3 R = pose(V3_ZERO, rb_rng_orientation(rng)).R;
    RbPlate p = {.c = v3_scale(0.3, rb_rng_direction(rng)), .e1 = m3_column(R, 0)};
    p.e2 = m3_column(R, 1), p.n = m3_column(R, 2);
    p.wide = rb_rng_range(rng, 0.5, 1), p.straight = kind ? rb_rng_range(rng, 0.2, 1) : 0;
    p.round = kind < 2;
    return p;
}

static Vec3 in_plate(const RbPlate *p, double x, double y) {
    return v3_axpy(v3_axpy(p->c, x, p->e1), y, p->e2);
}

// Half planes about a place next to the outline.
static void cut(Cell *c, double size, RbRng *rng) {
    const RbPlate *p = c->cell.plate;
    double turn = rb_rng_range(rng, 0, 6.283185307179586),
           far = p->wide + size * rb_rng_range(rng, -1, 0.7);
    double start = rb_rng_range(rng, 0, 6.283185307179586);
    Vec3 at = in_plate(p, copysign(p->straight * rb_rng_unit(rng), cos(turn)) + far * cos(turn),
                       far * sin(turn));
    double y = v3_dot(v3_sub(at, p->c), p->e2);
    c->low = asin(fmin(1, fmax(-1, (y - 2 * size) / p->wide)));
    c->high = asin(fmin(1, fmax(-1, (y + 2 * size) / p->wide)));
    for (int i = 0; i < SIDES; i++) {
        double angle = start + 6.283185307179586 * (i + 0.3 * rb_rng_unit(rng)) / SIDES;
        Vec3 n = v3_axpy(v3_scale(cos(angle), p->e1), sin(angle), p->e2);
        c->n[i] = v3_unit(v3_axpy(n, rb_rng_range(rng, -0.3, 0.3), p->n));
        c->d[i] = v3_dot(c->n[i], v3_axpy(at, size * rb_rng_range(rng, 0.3, 1), n));
        rb_flat_cell_keep(&c->cell, c->n[i], c->d[i]);
    }
}

static RbRoundSums empty_sums(const RbPlate *p) {
    return (RbRoundSums){.origin = v3_axpy(p->c, 0.2, p->e1), .u = p->e1, .v = p->e2};
}

typedef double Overlap(const void *piece, Vec3 p, Vec3 *m);

// Even steps of the angle from the one end of the outline to the other, so that lines at its ends do no harm.
static RbRoundSums by_lines(const Cell *c, Overlap *overlap, const void *piece) {
    enum { LINES = 40000, POINTS = 3 };
    static const double at[POINTS] = {-0.7745966692414834, 0, 0.7745966692414834},
                        weight[POINTS] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    const RbPlate *plate = c->cell.plate;
    RbRoundSums s = empty_sums(plate);
    double step = (c->high - c->low) / LINES;
    for (int i = 0; i < LINES; i++) {
        double psi = c->low + step * (i + 0.5), half = plate->wide * cos(psi);
        double y = plate->wide * sin(psi), x = plate->straight + (plate->round ? half : 0);
        double from = -x, to = x, dy = half * step;
        Vec3 o = in_plate(plate, 0, y);
        for (int k = 0; k < SIDES; k++) {
            double rate = v3_dot(c->n[k], plate->e1), end = (c->d[k] - v3_dot(c->n[k], o)) / rate;
            if (rate > 0)
                to = fmin(to, end);
            else
                from = fmax(from, end);
        }
        Vec3 m;
        double first = overlap(piece, v3_axpy(o, from, plate->e1), &m),
               last = overlap(piece, v3_axpy(o, to, plate->e1), &m);
        if (!(to > from) || (first <= 0 && last <= 0)) continue; // it is linear
        if (first < 0) from += (to - from) * first / (first - last);
        if (last < 0) to -= (to - from) * last / (last - first);
        for (int k = 0; k < POINTS; k++) {
            Vec3 p = v3_axpy(o, 0.5 * (from + to + at[k] * (to - from)), plate->e1);
            double w = overlap(piece, p, &m);
            rb_add_piece(&s, p, m, 0.5 * (to - from) * weight[k] * dy, w);
        }
    }
    return s;
}

static double off_by(const RbRoundSums *a, const RbRoundSums *b, double size) {
    double worst = fabs(a->area / b->area - 1), V = b->volume;
    worst = fmax(worst, fabs(a->volume / V - 1));
    worst = fmax(worst, fabs(a->square / b->square - 1));
    worst = fmax(worst, hypot(a->x - b->x, a->y - b->y) / (V * size));
    worst = fmax(worst, hypot(a->xx - b->xx, a->yy - b->yy) / (V * size * size));
    worst = fmax(worst, fabs(a->xy - b->xy) / (V * size * size));
    worst = fmax(worst, v3_distance(a->volume_slope.f, b->volume_slope.f) / b->area);
    worst = fmax(worst, v3_distance(a->volume_slope.t, b->volume_slope.t) / (b->area * size));
    worst = fmax(worst, v3_distance(a->square_slope.f, b->square_slope.f) / (2 * V));
    return fmax(worst, v3_distance(a->square_slope.t, b->square_slope.t) / (2 * V * size));
}

typedef struct Face {
    Vec3 n;
    double offset, radius;
} Face;

static double over_face(const void *piece, Vec3 p, Vec3 *m) {
    const Face *f = piece;
    *m = f->n;
    return f->radius - (v3_dot(f->n, p) - f->offset);
}

// A face over a part of the outline, level or not.
static void faces(void **state) {
    (void)state;
    double worst = 0;
    int met = 0, poses = 150;
    for (int i = 0; i < poses; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        RbPlate plate = random_plate(&rng, i % 3);
        double tilt = i % 2 ? pow(10, rb_rng_range(&rng, -6, -1)) : 0,
               size = rb_rng_range(&rng, 0.1, 1);
        Face f = {.radius = 0.1};
        f.n = v3_unit(v3_axpy(plate.n, tilt, rb_rng_direction(&rng)));
        f.offset = v3_dot(f.n, plate.c) - f.radius * rb_rng_range(&rng, 0.1, 0.9);
        Cell c;
        rb_flat_cell_face(&plate, f.radius, f.n, f.offset, &c.cell);
        cut(&c, size, &rng);
        RbRoundSums sums = empty_sums(&plate), want = by_lines(&c, over_face, &f);
        RbRimPoints rim = {.count = 0};
        rb_flat_cell_add(&c.cell, &rim, &sums);
        ENSURE((sums.area > 0) == (want.area > 0));
        if (!(want.area > 1e-3 * size * size)) continue; // too little for these lines
        worst = fmax(worst, off_by(&sums, &want, size)), met++;
    }
    print_message("%d faces, off by at most %.2g\n", met, worst);
    ENSURE(met > poses / 2);
    ENSURE(worst < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
