// SPDX-License-Identifier: MIT
#include "collide/flat_cell.h"

#include <math.h>

// ---- polygons

static void set_rectangle(RbFlatCell *c, double x0, double x1, double y0, double y1) {
    c->count = x1 > x0 && y1 > y0 ? 4 : 0;
    c->x[0] = c->x[3] = x0, c->x[1] = c->x[2] = x1;
    c->y[0] = c->y[1] = y0, c->y[2] = c->y[3] = y1;
}

// Leaves a x + b y <= d. False: that is all of it.
static bool clip(RbFlatCell *c, double a, double b, double d) {
    double x[RB_FLAT_CELL_CORNERS_MAX], y[RB_FLAT_CELL_CORNERS_MAX];
    int count = c->count, kept = 0;
    bool whole = true;
    for (int i = 0; i < count && whole; i++) whole = a * c->x[i] + b * c->y[i] <= d;
    if (whole) return false;
    for (int i = 0; i < count; i++) x[i] = c->x[i], y[i] = c->y[i];
    double last = count > 0 ? a * x[count - 1] + b * y[count - 1] - d : 0;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        double here = a * x[i] + b * y[i] - d;
        if ((here > 0) != (last > 0) && kept < RB_FLAT_CELL_CORNERS_MAX) {
            double t = last / (last - here);
            c->x[kept] = x[j] + t * (x[i] - x[j]), c->y[kept++] = y[j] + t * (y[i] - y[j]);
        }
        if (!(here > 0) && kept < RB_FLAT_CELL_CORNERS_MAX) c->x[kept] = x[i], c->y[kept++] = y[i];
        last = here;
    }
    c->count = kept < 3 ? 0 : kept;
    return true;
}

void rb_flat_cell_keep(RbFlatCell *c, Vec3 n, double d) {
    if (c->count == 0) return;
    if (clip(c, v3_dot(n, c->ex), v3_dot(n, c->ey), d - v3_dot(n, c->o)))
        c->steep = fmax(c->steep, fabs(v3_dot(n, c->plate->n)));
}

// ---- cells

void rb_flat_cell_face(const RbPlate *plate, double radius, Vec3 n, double offset, RbFlatCell *c) {
    c->plate = plate, c->kind = RB_FLAT_CELL_FACE, c->radius = radius;
    c->o = plate->c, c->ex = plate->e1, c->ey = plate->e2, c->up = n, c->steep = 0;
    c->w = radius - (v3_dot(n, c->o) - offset), c->wx = -v3_dot(n, c->ex),
    c->wy = -v3_dot(n, c->ey);
    double beyond = 1.5 * (plate->straight + plate->wide); // so that what is at the outline is seen
    set_rectangle(c, -beyond, beyond, -beyond, beyond);
    clip(c, -c->wx, -c->wy, c->w);        // it overlaps
    clip(c, c->wx, c->wy, radius - c->w); // and is over the face, not behind it
}

void rb_flat_cell_edge(const RbPlate *plate, double radius, Vec3 from, Vec3 along, double length,
                       RbFlatCell *c) {
    const double upright = 1e-12;
    double height = v3_dot(plate->n, v3_sub(from, plate->c)), rise = v3_dot(plate->n, along);
    Vec3 flat = v3_axpy(along, -rise, plate->n);
    double level = v3_norm(flat);
    c->plate = plate, c->kind = RB_FLAT_CELL_EDGE, c->radius = radius;
    c->o = v3_axpy(from, -height, plate->n);
    c->ex = level > upright ? v3_scale(1 / level, flat) : plate->e1;
    c->ey = v3_cross(plate->n, c->ex);
    c->a = height * level, c->b = rise, c->steep = fabs(rise);
    c->up = v3_axpy(v3_scale(rise, c->ex), -level, plate->n);
    double x0 = -(double)INFINITY, x1 = (double)INFINITY;
    if (level > upright) { // between both ends
        x0 = height * rise / level, x1 = x0 + length / level;
    } else if (height * rise > 0 || height * rise < -length) {
        x1 = x0;
    }
    if (rise != 0) { // |G| < r
        double p = (-radius - c->a) / rise, q = (radius - c->a) / rise;
        x0 = fmax(x0, fmin(p, q)), x1 = fmin(x1, fmax(p, q));
    }
    double g0 = c->a + rise * x0, g1 = c->a + rise * x1;
    double nearest = rise == 0 ? fabs(c->a) : g0 * g1 > 0 ? fmin(fabs(g0), fabs(g1)) : 0;
    double y = nearest < radius ? sqrt((radius - nearest) * (radius + nearest)) : 0;
    set_rectangle(c, x0, x1, -y, y);
}

void rb_flat_cell_corner(const RbPlate *plate, double radius, Vec3 corner, RbFlatCell *c) {
    double height = v3_dot(plate->n, v3_sub(corner, plate->c));
    c->plate = plate, c->kind = RB_FLAT_CELL_CORNER, c->radius = radius;
    c->o = v3_axpy(corner, -height, plate->n), c->ex = plate->e1, c->ey = plate->e2;
    c->steep = 0, c->a = fabs(height), c->up = v3_scale(height > 0 ? -1 : 1, plate->n);
    double y = c->a < radius ? sqrt((radius - c->a) * (radius + c->a)) : 0;
    c->b = y; // of the circle where the overlap ends
    set_rectangle(c, -y, y, -y, y);
}
