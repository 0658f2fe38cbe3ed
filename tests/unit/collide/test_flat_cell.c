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

// Half planes about a place.
static void cut_at(Cell *c, Vec3 at, double size, RbRng *rng) {
    const RbPlate *p = c->cell.plate;
    double start = rb_rng_range(rng, 0, 6.283185307179586), y = v3_dot(v3_sub(at, p->c), p->e2);
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

// A place next to the outline.
static Vec3 at_outline(const RbPlate *p, double size, RbRng *rng) {
    double turn = rb_rng_range(rng, 0, 6.283185307179586),
           far = p->wide + size * rb_rng_range(rng, -1, 0.7);
    double x = copysign(p->straight * rb_rng_unit(rng), cos(turn)) + far * cos(turn);
    return in_plate(p, x, far * sin(turn));
}

static RbRoundSums empty_sums(const RbPlate *p) {
    return (RbRoundSums){.origin = v3_axpy(p->c, 0.2, p->e1), .u = p->e1, .v = p->e2};
}

// Of a piece of the polyhedron: the overlap at p and where it falls to, and what of the line p + s t overlaps.
typedef struct Piece {
    double radius;
    bool is_edge;
    Vec3 n, at; // FACE: its normal; EDGE: along it; a point of it
} Piece;

static double overlap(const Piece *f, Vec3 p, Vec3 *m) {
    Vec3 d = v3_sub(p, f->at);
    double along = v3_dot(f->n, d);
    *m = f->n;
    if (!f->is_edge) return f->radius - along;
    Vec3 away = v3_axpy(d, -along, f->n);
    *m = v3_unit(away);
    return f->radius - v3_norm(away);
}

static void keep_wet(const Piece *f, Vec3 p, Vec3 t, double *from, double *to) {
    Vec3 d = v3_sub(p, f->at);
    double rate = v3_dot(f->n, t), along = v3_dot(f->n, d);
    if (!f->is_edge) {
        if (rate == 0) return;
        double top = (f->radius - along) / rate, face = -along / rate; // not behind the face
        *from = fmax(*from, fmin(top, face)), *to = fmin(*to, fmax(top, face));
        return;
    }
    Vec3 away = v3_axpy(d, -along, f->n), way = v3_axpy(t, -rate, f->n);
    double A = v3_norm2(way), B = v3_dot(away, way), C = v3_norm2(away) - f->radius * f->radius;
    double root = sqrt(fmax(0, B * B - A * C));
    *from = fmax(*from, (-B - root) / A), *to = fmin(*to, (-B + root) / A);
}

// Even steps of the angle from the one end of the outline to the other, so that lines at its ends do no harm.
static RbRoundSums by_lines(const Cell *c, const Piece *piece, int lines) {
    enum { PARTS = 4, POINTS = 3 };
    static const double at[POINTS] = {-0.7745966692414834, 0, 0.7745966692414834},
                        weight[POINTS] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    const RbPlate *plate = c->cell.plate;
    RbRoundSums s = empty_sums(plate);
    double step = (c->high - c->low) / lines;
    for (int i = 0; i < lines; i++) {
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
        keep_wet(piece, o, plate->e1, &from, &to);
        for (int k = 0; k < PARTS * POINTS && to > from; k++) {
            double part = (0.5 + 0.5 * at[k % POINTS] + k / POINTS) / PARTS;
            Vec3 m, p = v3_axpy(o, from + part * (to - from), plate->e1);
            double w = overlap(piece, p, &m);
            rb_add_piece(&s, p, m, (to - from) / (2 * PARTS) * weight[k % POINTS] * dy, w);
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

typedef struct Tally {
    int met, at_outline;
    double worst;
} Tally;

static void compare(Cell *c, const Piece *piece, double size, Tally *t) {
    RbRoundSums sums = empty_sums(c->cell.plate), want = by_lines(c, piece, 40000),
                rough = by_lines(c, piece, 15000);
    RbRimArcs rim = {.complete = true};
    bool at_outline = rb_flat_cell_add(&c->cell, &rim, &sums);
    ENSURE((sums.area > 0) == (want.area > 0));
    if (!(want.area > 0) || off_by(&rough, &want, size) > 1e-5) return; // lines do not resolve it
    t->worst = fmax(t->worst, off_by(&sums, &want, size));
    t->met++, t->at_outline += at_outline;
}

// A face over a part of the outline, level or not.
static void faces(void **state) {
    (void)state;
    Tally t = {0};
    const int poses = 150;
    for (int i = 0; i < poses; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        RbPlate plate = random_plate(&rng, i % 3);
        double tilt = i % 2 ? pow(10, rb_rng_range(&rng, -6, -1)) : 0,
               size = rb_rng_range(&rng, 0.1, 1);
        Piece f = {.radius = 0.1};
        f.n = v3_unit(v3_axpy(plate.n, tilt, rb_rng_direction(&rng)));
        f.at = v3_axpy(plate.c, -f.radius * rb_rng_range(&rng, 0.1, 0.9), plate.n);
        Cell c;
        rb_flat_cell_face(&plate, f.radius, f.n, v3_dot(f.n, f.at), &c.cell);
        cut_at(&c, at_outline(&plate, size, &rng), size, &rng);
        compare(&c, &f, size, &t);
    }
    print_message("%d faces, %d at the outline, off by at most %.2g\n", t.met, t.at_outline,
                  t.worst);
    ENSURE(t.met > poses / 2 && t.at_outline > poses / 4);
    ENSURE(t.worst < 1e-5);
}

// An edge, the same; also along the outline.
static void edges(void **state) {
    (void)state;
    Tally t = {0};
    const int poses = 200;
    for (int i = 0; i < poses; i++) {
        RbRng rng = rb_rng((uint64_t)i + 1);
        RbPlate plate = random_plate(&rng, i % 3);
        double tilt = i % 2 ? pow(10, rb_rng_range(&rng, -6, -1)) : 0,
               size = rb_rng_range(&rng, 0.1, 1);
        double depth = pow(10, rb_rng_range(&rng, -3, -0.5)),
               turn = rb_rng_range(&rng, 0.8, 2.3); // across the lines
        Piece f = {.radius = 0.05, .is_edge = true};
        Vec3 along = v3_axpy(v3_scale(cos(turn), plate.e1), sin(turn), plate.e2);
        f.n = v3_unit(v3_axpy(along, tilt * depth, plate.n));
        Vec3 across = v3_cross(plate.n, along);
        double far = (i % 5 ? 0.7 * plate.wide : plate.wide) + size * rb_rng_range(&rng, -0.2, 0.2);
        Vec3 mid = v3_axpy(plate.c, far, across);
        f.at = v3_axpy(mid, -f.radius * (1 - depth), plate.n);
        Cell c;
        rb_flat_cell_edge(&plate, f.radius, v3_axpy(f.at, -2, f.n), f.n, 4, &c.cell);
        cut_at(&c, mid, size, &rng);
        compare(&c, &f, size, &t);
    }
    print_message("%d edges, %d at the outline, off by at most %.2g\n", t.met, t.at_outline,
                  t.worst);
    ENSURE(t.met > poses / 3 && t.at_outline > poses / 6);
    ENSURE(t.worst < 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(faces), cmocka_unit_test(edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
