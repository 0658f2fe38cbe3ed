// SPDX-License-Identifier: MIT
// A DXF file is pairs of lines: a group code and its value. Code 0 begins an entity.
#include "io/dxf.h"

#include <limits.h>
#include <math.h>

#include "io/scan.h"

#define PI 3.141592653589793

typedef struct Pair {
    int code;
    RbWord value; // the whole line
} Pair;

typedef struct Read {
    RbScan scan;
    RbDiag *diag;
    RbArena *scratch;
    int arc_segments;
    Pair pair; // at hand
    bool more; // there is one
    bool started;
    RbMeshBuilder mesh;
    RbContour outline;
    double unit;
    int unknown_unit;
    RbPos unit_at;
} Read;

// ---- pairs ----

static RbStatus next_pair(Read *r) {
    r->more = !r->started || rb_scan_next_line(&r->scan);
    r->started = true;
    if (!r->more) return RB_OK;
    RbWord code = rb_scan_rest(&r->scan);
    if (code.length == 0 && r->scan.next == r->scan.end) { // an empty last line
        r->more = false;
        return RB_OK;
    }
    if (!rb_word_int(code, &r->pair.code)) {
        return rb_fail(r->diag, RB_ERROR_IO, code.at,
                       "found '%s' where a group code was expected; not an ASCII DXF file",
                       rb_word_shown(code, r->diag->arena));
    }
    if (!rb_scan_next_line(&r->scan)) {
        return rb_fail(r->diag, RB_ERROR_IO, code.at, "the file ends after a group code");
    }
    r->pair.value = rb_scan_rest(&r->scan);
    return RB_OK;
}

static bool at_entity(const Read *r, const char *name) {
    return r->more && r->pair.code == 0 && rb_word_is(r->pair.value, name);
}

static RbStatus number(Read *r, double *x) {
    if (rb_word_double(r->pair.value, x) && rb_is_coordinate(*x)) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, r->pair.value.at,
                   "found '%s' where a number was expected; it must be " RB_COORDINATE_WORDS,
                   rb_word_shown(r->pair.value, r->diag->arena));
}

static RbStatus whole(Read *r, int *x) {
    if (rb_word_int(r->pair.value, x)) return RB_OK;
    return rb_fail(r->diag, RB_ERROR_IO, r->pair.value.at,
                   "found '%s' where a whole number was expected",
                   rb_word_shown(r->pair.value, r->diag->arena));
}

// ---- faces ----

static void add_face(Read *r, const Vec3 *x, int count) {
    int v[4];
    for (int i = 0; i < count; i++) v[i] = rb_mesh_add_vertex(&r->mesh, x[i]);
    rb_mesh_add_triangle(&r->mesh, v[0], v[1], v[2]);
    if (count == 4) rb_mesh_add_triangle(&r->mesh, v[0], v[2], v[3]);
}

static bool same(Vec3 a, Vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// 10..13, 20..23, 30..33: four corners; the last repeats the third in a triangle.
static RbStatus read_face(Read *r) {
    Vec3 x[4] = {V3_ZERO};
    RB_TRY(next_pair(r));
    for (; r->more && r->pair.code != 0;) {
        int code = r->pair.code, corner = code % 10, axis = code / 10 - 1;
        if (code >= 10 && code < 40 && corner < 4) {
            double value;
            RB_TRY(number(r, &value));
            x[corner] = v3_set(x[corner], axis, value);
        }
        RB_TRY(next_pair(r));
    }
    add_face(r, x, same(x[2], x[3]) || same(x[0], x[3]) ? 3 : 4);
    return RB_OK;
}

// ---- polylines ----

typedef struct Vertex {
    Vec3 x;
    double bulge;  // tan of a quarter of the arc's angle to the next vertex
    int flags;     // 70
    int corner[4]; // 71..74 of a polyface record
    RbPos at;
} Vertex;

typedef RB_ARRAY(Vertex) Vertices;

// Points of the arc from p to q, without q.
static void add_arc(Read *r, Vec3 p, Vec3 q, double bulge) {
    rb_contour_point(&r->outline, p.x, p.y);
    double angle = 4 * atan(bulge), chord = hypot(q.x - p.x, q.y - p.y);
    int n = (int)ceil(fabs(angle) / (2 * PI) * r->arc_segments);
    if (bulge == 0 || chord == 0 || n < 2) return;
    // The centre lies on the perpendicular of the chord, at its left for a positive bulge below 1.
    double height = 0.5 * chord / tan(0.5 * angle);
    double cx = 0.5 * (p.x + q.x) - height * (q.y - p.y) / chord,
           cy = 0.5 * (p.y + q.y) + height * (q.x - p.x) / chord;
    for (int i = 1; i < n; i++) {
        double a = angle * i / n, c = cos(a), s = sin(a);
        rb_contour_point(&r->outline, cx + c * (p.x - cx) - s * (p.y - cy),
                         cy + s * (p.x - cx) + c * (p.y - cy));
    }
}

static void add_outline(Read *r, const Vertices *v, bool closed) {
    int n = v->count;
    bool repeats =
        n > 1 && v->data[0].x.x == v->data[n - 1].x.x && v->data[0].x.y == v->data[n - 1].x.y;
    if (!closed && repeats) closed = true, n--;
    if (!closed || n < 2) return;
    rb_contour_next_loop(&r->outline);
    for (int i = 0; i < n; i++) add_arc(r, v->data[i].x, v->data[(i + 1) % n].x, v->data[i].bulge);
}

// Vertices first (flag 64), then faces (flag 128 alone) that number them from 1; negative: hidden edge.
static RbStatus add_polyface(Read *r, const Vertices *v) {
    int places = 0;
    while (places < v->count && (v->data[places].flags & 64)) places++;
    for (int i = places; i < v->count; i++) {
        Vec3 x[4];
        int n = 0;
        for (int k = 0; k < 4; k++) {
            int index = v->data[i].corner[k];
            if (index == 0) continue;
            if (index < -places || index > places) {
                return rb_fail(r->diag, RB_ERROR_IO, v->data[i].at,
                               "a face of the polyface mesh refers to vertex %d; it has %d", index,
                               places);
            }
            x[n++] = v->data[(index < 0 ? -index : index) - 1].x;
        }
        if (n >= 3) add_face(r, x, n);
    }
    return RB_OK;
}

// m rows of n vertices; flags 1 and 32: closed along rows and columns.
static RbStatus add_grid(Read *r, const Vertices *v, int m, int n, int flags, RbPos at) {
    if (m < 2 || n < 2 || v->count / n < m) {
        return rb_fail(r->diag, RB_ERROR_IO, at, "the polygon mesh of %d by %d has %d vertices", m,
                       n, v->count);
    }
    for (int i = 0; i < (flags & 1 ? m : m - 1); i++) {
        for (int k = 0; k < (flags & 32 ? n : n - 1); k++) {
            int i1 = (i + 1) % m, k1 = (k + 1) % n;
            Vec3 x[4] = {v->data[i * n + k].x, v->data[i1 * n + k].x, v->data[i1 * n + k1].x,
                         v->data[i * n + k1].x};
            add_face(r, x, 4);
        }
    }
    return RB_OK;
}

static RbStatus read_vertex(Read *r, Vertex *v) {
    *v = (Vertex){.at = r->pair.value.at};
    RB_TRY(next_pair(r));
    for (; r->more && r->pair.code != 0;) {
        double value;
        int code = r->pair.code;
        if (code == 10 || code == 20 || code == 30) {
            RB_TRY(number(r, &value));
            v->x = v3_set(v->x, code / 10 - 1, value);
        } else if (code == 42) {
            RB_TRY(number(r, &v->bulge));
        } else if (code == 70) {
            RB_TRY(whole(r, &v->flags));
        } else if (code >= 71 && code <= 74) {
            RB_TRY(whole(r, &v->corner[code - 71]));
        }
        RB_TRY(next_pair(r));
    }
    return RB_OK;
}

static RbStatus read_polyline(Read *r) {
    int flags = 0, m = 0, n = 0;
    RbPos at = r->pair.value.at;
    RB_TRY(next_pair(r));
    for (; r->more && r->pair.code != 0;) {
        int *to = r->pair.code == 70   ? &flags
                  : r->pair.code == 71 ? &m
                  : r->pair.code == 72 ? &n
                                       : NULL;
        if (to) RB_TRY(whole(r, to));
        RB_TRY(next_pair(r));
    }
    Vertices v = {0};
    while (at_entity(r, "VERTEX")) {
        Vertex vertex;
        RB_TRY(read_vertex(r, &vertex));
        rb_array_push(&v, r->scratch, vertex);
    }
    if (flags & 64) return add_polyface(r, &v);
    if (flags & 16) return add_grid(r, &v, m, n, flags, at);
    if (!(flags & 8)) add_outline(r, &v, flags & 1); // 8: in space
    return RB_OK;
}

// All vertices in one entity: 10 begins one.
static RbStatus read_lwpolyline(Read *r) {
    int flags = 0;
    Vertices v = {0};
    RB_TRY(next_pair(r));
    for (; r->more && r->pair.code != 0;) {
        double value;
        if (r->pair.code == 10) rb_array_push(&v, r->scratch, (Vertex){.at = r->pair.value.at});
        Vertex *last = v.count > 0 ? &v.data[v.count - 1] : NULL;
        if (r->pair.code == 70) {
            RB_TRY(whole(r, &flags));
        } else if (last && (r->pair.code == 10 || r->pair.code == 20)) {
            RB_TRY(number(r, &value));
            last->x = v3_set(last->x, r->pair.code / 10 - 1, value);
        } else if (last && r->pair.code == 42) {
            RB_TRY(number(r, &last->bulge));
        }
        RB_TRY(next_pair(r));
    }
    add_outline(r, &v, flags & 1);
    return RB_OK;
}

static RbStatus read_circle(Read *r) {
    double value[3] = {0, 0, 0};
    RB_TRY(next_pair(r));
    for (; r->more && r->pair.code != 0;) {
        int k = r->pair.code == 10 ? 0 : r->pair.code == 20 ? 1 : r->pair.code == 40 ? 2 : -1;
        if (k >= 0) RB_TRY(number(r, &value[k]));
        RB_TRY(next_pair(r));
    }
    if (!(value[2] > 0)) return RB_OK;
    rb_contour_next_loop(&r->outline);
    rb_contour_circle(&r->outline, value[0], value[1], value[2], r->arc_segments);
    return RB_OK;
}

// ---- the file ----

// 9 $INSUNITS, 70 code. A code of later days is kept as it is.
static RbStatus read_unit(Read *r) {
    static const double units[] = {0,       0.0254, 0.3048, 1609.344, 1e-3, 1e-2, 1,  1e3, 2.54e-8,
                                   2.54e-5, 0.9144, 1e-10,  1e-9,     1e-6, 0.1,  10, 100};
    RB_TRY(next_pair(r));
    int code = 0;
    if (!r->more || r->pair.code != 70) return RB_OK;
    RB_TRY(whole(r, &code));
    bool known = code >= 0 && code < (int)(sizeof units / sizeof *units);
    r->unit = known ? units[code] : 0;
    r->unknown_unit = known ? 0 : code;
    r->unit_at = r->pair.value.at;
    return RB_OK;
}

static RbStatus read_entity(Read *r) {
    if (at_entity(r, "3DFACE")) return read_face(r);
    if (at_entity(r, "POLYLINE")) return read_polyline(r);
    if (at_entity(r, "LWPOLYLINE")) return read_lwpolyline(r);
    if (at_entity(r, "CIRCLE")) return read_circle(r);
    if (r->pair.code == 9 && rb_word_is(r->pair.value, "$INSUNITS")) RB_TRY(read_unit(r));
    return next_pair(r);
}

RbStatus rb_dxf_read(RbBytes bytes, const char *file, int arc_segments, RbArena *keep,
                     RbArena scratch, RbDiag *diag, RbDxf *out) {
    Read r = {.scan = rb_scan(bytes, file),
              .diag = diag,
              .scratch = &scratch,
              .arc_segments = arc_segments,
              .mesh = rb_mesh_builder(keep),
              .outline = rb_contour(keep)};
    RB_TRY(next_pair(&r));
    while (r.more) RB_TRY(read_entity(&r));
    if (r.mesh.triangles.count == 0 && r.outline.points.count == 0) {
        return rb_fail(
            diag, RB_ERROR_IO, rb_in_file(file),
            "DXF file contains no faces (3DFACE, polyface mesh) and no closed outline (LWPOLYLINE, "
            "POLYLINE, CIRCLE); blocks are not read");
    }
    *out = (RbDxf){rb_mesh_finish(&r.mesh), r.outline, r.unit, r.unknown_unit, r.unit_at};
    return RB_OK;
}

bool rb_dxf_warn_of_unit(const RbDxf *dxf, double scale, bool chosen, RbDiag *diag) {
    int before = diag->messages.count;
    if (dxf->unknown_unit != 0 && !chosen)
        rb_warn(diag, dxf->unit_at,
                "the unit of the drawing, $INSUNITS %d, is not known; its numbers are taken for "
                "units of %g m: give the scale",
                dxf->unknown_unit, scale);
    else if (dxf->unit > 0 && !(fabs(scale / dxf->unit - 1) < 1e-9))
        rb_warn(diag, dxf->unit_at,
                "the unit of the drawing is %g m, but its numbers are taken for units of %g m: "
                "give it the scale %g",
                dxf->unit, scale, dxf->unit);
    return diag->messages.count > before;
}
