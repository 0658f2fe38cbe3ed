// SPDX-License-Identifier: MIT
#include "io/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "geom/contour.h"
#include "geom/csg.h"
#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "geom/tessellate.h"
#include "io/dxf.h"
#include "io/mesh_file.h"

// What waits to be taken: a solid or a contour.
typedef struct Item {
    bool is_solid;
    bool doubtful;      // a solid that may cross itself: given by triangles, or swept
    const char *file;   // whose surface is not closed; only its hull can be taken
    const char *defect; // what is wrong with it, and the remedy
    RbMesh mesh;
    RbContour contour;
} Item;

typedef struct Cook {
    const char *folder, *name;
    RbPos at;
    RbArena *keep;
    RbArena *scratch;
    RbDiag *diag;
    RB_ARRAY(double) numbers;
    RB_ARRAY(Item) items;
    const char *word; // at hand
    const char *file; // the last text in quotes
    double n[8];      // the last numbers, as many as the word takes
    int count;        // of these
} Cook;

static RbStatus refuse(const Cook *c, const char *what) {
    return rb_fail(c->diag, RB_ERROR_MODEL, c->at, "the solid of '%s': %s: %s", c->name, c->word,
                   what);
}

// ---- items ----

static RbStatus check_reach(const Cook *c, const RbMesh *mesh) {
    for (int i = 0; i < mesh->vertex_count; i++) {
        Vec3 p = mesh->vertices[i];
        if (v3_finite(p) && v3_max_abs(p) <= RB_MESH_LARGEST) continue;
        return refuse(c,
                      rb_arena_printf(c->scratch,
                                      "a vertex is at {%g, %g, %g} m, too far away; at most %g m "
                                      "are possible",
                                      p.x, p.y, p.z, RB_MESH_LARGEST));
    }
    return RB_OK;
}

static RbStatus give_mesh(Cook *c, RbMesh mesh) {
    if (mesh.triangle_count == 0)
        return refuse(c, "nothing is left: look where the two solids are (`rattleback solid` draws "
                         "and measures each)");
    RB_TRY(check_reach(c, &mesh));
    rb_array_push(&c->items, c->scratch, (Item){.is_solid = true, .mesh = mesh});
    return RB_OK;
}

static RbStatus give_doubtful(Cook *c, RbMesh mesh) {
    RB_TRY(give_mesh(c, mesh));
    c->items.data[c->items.count - 1].doubtful = true;
    return RB_OK;
}

// What is made of `from` is as good as that is.
static RbStatus give_like(Cook *c, RbMesh mesh, const Item *from) {
    RB_TRY(give_mesh(c, mesh));
    Item *to = &c->items.data[c->items.count - 1];
    to->doubtful = from->doubtful;
    to->file = from->file;
    to->defect = from->defect;
    return RB_OK;
}

static RbStatus give_contour(Cook *c, RbContour contour) {
    rb_array_push(&c->items, c->scratch, (Item){.contour = contour});
    return RB_OK;
}

static RbStatus take(Cook *c, bool solid, Item *out) {
    if (c->items.count == 0 || c->items.data[c->items.count - 1].is_solid != solid)
        return refuse(c, solid ? "a solid is missing" : "a polygon is missing");
    *out = c->items.data[--c->items.count];
    return RB_OK;
}

static RbStatus take_polygon(Cook *c, RbPolygon *out) {
    Item item;
    RB_TRY(take(c, false, &item));
    return rb_contour_finish(&item.contour, c->name, c->at, *c->scratch, c->diag, out);
}

// Whole numbers of things, and how many there may be.
static RbStatus need_count(const Cook *c, double n, int at_least, int at_most, const char *things) {
    if (n >= at_least && n <= at_most && n == floor(n)) return RB_OK;
    char what[160];
    snprintf(what, sizeof what,
             "the number of %s is %.10g; it must be a whole number from %d to %d", things, n,
             at_least, at_most);
    return refuse(c, what);
}

// As many things as the last number says.
static RbStatus take_count(Cook *c, int at_least, const char *things, int *out) {
    double n = c->numbers.count > 0 ? c->numbers.data[--c->numbers.count] : -1;
    RB_TRY(need_count(c, n, at_least, 100000000, things));
    *out = (int)n;
    return RB_OK;
}

static RbStatus take_numbers(Cook *c, int count, const double **out) {
    *out = c->numbers.data;
    if (c->numbers.count < count) return refuse(c, "numbers are missing");
    c->numbers.count -= count;
    *out = c->numbers.data + c->numbers.count;
    return RB_OK;
}

#define LOOK_BACK "not a finite number: look at what its sizes, places and angles are computed from"

// "nan" and "inf"; what is no number has no sign.
static double without_sign(double x) {
    return isnan(x) ? fabs(x) : x;
}

// The numbers of points, so many of each. Which point is not finite?
static RbStatus need_finite(const Cook *c, const double *n, int points, int each,
                            const char *what) {
    for (int i = 0; i < points * each; i++) {
        if (isfinite(n[i])) continue;
        const double *p = n + i / each * each;
        RbText at = rb_text(c->scratch);
        for (int k = 0; k < each; k++)
            rb_text_printf(&at, "%s%.6g", k > 0 ? ", " : "", without_sign(p[k]));
        const char *is = rb_arena_printf(c->scratch, each > 1 ? "{%s}" : "%s", at.data);
        return refuse(c, rb_arena_printf(c->scratch, "%s %d of %d is %s: " LOOK_BACK, what,
                                         i / each + 1, points, is));
    }
    return RB_OK;
}

// Points with their coordinates, all of them finite.
static RbStatus take_points(Cook *c, int points, int each, const char *what, const double **out) {
    RB_TRY(take_numbers(c, each * points, out));
    return need_finite(c, *out, points, each, what);
}

// What is wrong with numbers is told with these.
static RbStatus need(const Cook *c, bool condition, const char *otherwise) {
    if (condition) return RB_OK;
    RbText list = rb_text(c->scratch);
    for (int i = 0; i < c->count; i++)
        rb_text_printf(&list, "%s%.6g", i > 0 ? ", " : "; it has ", c->n[i]);
    return refuse(c, c->count > 0 ? rb_arena_printf(c->scratch, "%s%s", otherwise, list.data)
                                  : otherwise);
}

static RbStatus need_segments(const Cook *c, double n) {
    return need_count(c, n, 3, 100000, "segments");
}

// Of what is round both ways, whose triangles are about as many as the square of them.
static RbStatus need_few_segments(const Cook *c, double n) {
    return need_count(c, n, 3, 2000, "segments");
}

// ---- solids from numbers ----

static RbStatus make_box(Cook *c) {
    RB_TRY(need(c, c->n[0] > 0 && c->n[1] > 0 && c->n[2] > 0, "all sizes must be positive"));
    return give_mesh(c, rb_mesh_box(v3_load(c->n), c->keep));
}

static RbStatus make_cone(Cook *c) {
    RB_TRY(need(c, c->n[0] >= 0 && c->n[1] >= 0 && c->n[0] + c->n[1] > 0 && c->n[2] > 0,
                "radii and height must be positive; one radius may be zero"));
    RB_TRY(need_segments(c, c->n[3]));
    return give_mesh(c, rb_mesh_cone(c->n[0], c->n[1], c->n[2], (int)c->n[3], c->keep));
}

static RbStatus make_cylinder(Cook *c) {
    RB_TRY(need(c, c->n[0] > 0 && c->n[1] > 0, "radius and height must be positive"));
    RB_TRY(need_segments(c, c->n[2]));
    return give_mesh(c, rb_mesh_cone(c->n[0], c->n[0], c->n[1], (int)c->n[2], c->keep));
}

static RbStatus make_sphere(Cook *c) {
    RB_TRY(need(c, c->n[0] > 0, "the radius must be positive"));
    RB_TRY(need_few_segments(c, c->n[1]));
    return give_mesh(c, rb_mesh_sphere(c->n[0], (int)c->n[1], c->keep));
}

static RbStatus make_torus(Cook *c) {
    RB_TRY(need(c, c->n[1] > 0 && c->n[0] > c->n[1], "the tube must be thinner than the ring"));
    RB_TRY(need_few_segments(c, c->n[2]));
    return give_mesh(c, rb_mesh_torus(c->n[0], c->n[1], (int)c->n[2], c->keep));
}

static RbStatus need_vertex(const Cook *c, int triangle, double n, int vertices) {
    if (n >= 1 && n <= vertices && n == floor(n)) return RB_OK;
    char what[120];
    snprintf(what, sizeof what, "triangle %d names the vertex %.10g; there are those from 1 to %d",
             triangle, n, vertices);
    return refuse(c, what);
}

// vertices, triangles (from 1), their numbers
static RbStatus make_mesh(Cook *c) {
    int vertices, triangles;
    const double *t = NULL, *v = NULL;
    RB_TRY(take_count(c, 1, "triangles", &triangles));
    RB_TRY(take_count(c, 1, "vertices", &vertices));
    RB_TRY(take_points(c, triangles, 3, "triangle", &t));
    RB_TRY(take_points(c, vertices, 3, "vertex", &v));
    RbMeshBuilder b = rb_mesh_builder(c->keep);
    for (int i = 0; i < vertices; i++) rb_mesh_add_vertex(&b, v3_load(v + 3 * i));
    for (int i = 0; i < triangles; i++) {
        for (int k = 0; k < 3; k++) RB_TRY(need_vertex(c, i + 1, t[3 * i + k], vertices));
        rb_mesh_add_triangle(&b, (int)t[3 * i] - 1, (int)t[3 * i + 1] - 1, (int)t[3 * i + 2] - 1);
    }
    return give_doubtful(c, rb_mesh_finish(&b));
}

// The convex hull of points in space.
static RbStatus wrap(Cook *c, const Vec3 *points, int count) {
    RbShape hull;
    RB_TRY(rb_shape_hull(points, count, 0, c->name, c->at, c->keep, *c->scratch, c->diag, &hull));
    return give_mesh(c, rb_tessellate(&hull, 3, c->keep));
}

static RbStatus make_hull(Cook *c) {
    int count;
    const double *p = NULL;
    RB_TRY(take_count(c, 4, "points", &count));
    RB_TRY(take_points(c, count, 3, "point", &p));
    Vec3 *points = rb_new_array(c->scratch, Vec3, count);
    for (int i = 0; i < count; i++) points[i] = v3_load(p + 3 * i);
    return wrap(c, points, count);
}

static RbStatus wrap_solid(Cook *c) {
    Item item = {0};
    RB_TRY(take(c, true, &item));
    return wrap(c, item.mesh.vertices, item.mesh.vertex_count);
}

// With the places in the file, wherever the solid was moved since.
static RbStatus refuse_file(const Cook *c, const Item *item) {
    RbStatus status = rb_fail(c->diag, RB_ERROR_MODEL, rb_in_file(item->file),
                              "the surface does not enclose a body: %s", item->defect);
    rb_note(c->diag, c->at, "the solid of '%s' is made of this file", c->name);
    return status;
}

// Why the surface of a file is none of a body, and what to do about it; NULL: it is.
static const char *defect_of(const Cook *c, const RbMeshReport *r, const char *path) {
    if (r->encloses_body) return NULL;
    if (r->closed && r->oriented)
        return "it has no volume, or triangles more than once: write the whole part to the file";
    return rb_arena_printf(c->keep,
                           "%s; close it where it was made, or let `rattleback solid %s --weld "
                           "LENGTH --output-file NEW` join what lies apart",
                           rb_mesh_defect_text(r, c->scratch), path);
}

static RbStatus read_file(Cook *c) {
    RbObj obj;
    if (!c->file || !c->file[0]) return refuse(c, "the name of a file is missing");
    const char *path = c->file;
    if (c->folder && path[0] != '/') {
        const char *beside = rb_arena_printf(c->scratch, "%s/%s", c->folder, path);
        if (access(beside, R_OK) == 0) path = beside;
    }
    RbStatus status = rb_mesh_file_read(path, c->keep, *c->scratch, c->diag, &obj);
    if (status != RB_OK) rb_note(c->diag, c->at, "the solid of '%s' is made of this file", c->name);
    RB_TRY(status);
    RB_TRY(need(c, c->n[0] >= 0, "the scale must be positive, or 0 for the unit of the file"));
    double unit = obj.drawing && obj.drawing->unit > 0 ? obj.drawing->unit : 1;
    double scale = c->n[0] > 0 ? c->n[0] : unit;
    if (obj.drawing && rb_dxf_warn_of_unit(obj.drawing, scale, c->n[0] > 0, c->diag))
        rb_note(c->diag, c->at, "the solid of '%s' is made of this file", c->name);
    RbMesh mesh = rb_mesh_map(&obj.mesh, m3_diagonal(v3(scale, scale, scale)), V3_ZERO, c->keep);
    double size = v3_max_abs(rb_aabb_edges(rb_mesh_check(&mesh, *c->scratch).box));
    RbMeshRepair what;
    mesh = rb_mesh_repair(&mesh, 1e-9 * size, c->keep, *c->scratch, &what);
    if (mesh.triangle_count == 0)
        return refuse_file(
            c, &(Item){.file = path, .defect = "no triangle has an area, or each is there twice"});
    if (what.guessed_cavities > 0)
        rb_warn(c->diag, c->at,
                "'%s' has bodies within others that face the same way (%d); in '%s' they are taken "
                "for cavities: write them to files of their own if they are not",
                path, what.guessed_cavities, c->name);
    RbMeshReport report = rb_mesh_check(&mesh, *c->scratch);
    rb_mesh_check_crossing(&mesh, c->keep, *c->scratch, &report);
    if (report.fault != RB_MESH_SOUND)
        return rb_fail(c->diag, RB_ERROR_MODEL, c->at,
                       "the surface in '%s' %s: write each body to a file of its own, and unite "
                       "them",
                       path, rb_mesh_fault_text(&report, c->keep));
    Item item = {.defect = defect_of(c, &report, path)};
    item.file = item.defect ? rb_arena_text(c->keep, path) : NULL;
    return give_like(c, mesh, &item);
}

// ---- polygons ----

static RbStatus make_points(Cook *c) {
    int count;
    const double *p = NULL;
    RB_TRY(take_count(c, 1, "points", &count));
    RB_TRY(take_points(c, count, 2, "point", &p));
    RbContour o = rb_contour(c->scratch);
    for (int i = 0; i < count; i++) rb_contour_point(&o, p[2 * i], p[2 * i + 1]);
    return give_contour(c, o);
}

static RbStatus make_arc(Cook *c) {
    RB_TRY(need(c, c->n[2] > 0, "the radius must be positive"));
    RB_TRY(need_count(c, c->n[5], 1, 100000, "segments"));
    RbContour o = rb_contour(c->scratch);
    rb_contour_arc(&o, c->n[0], c->n[1], c->n[2], c->n[3], c->n[4], (int)c->n[5]);
    return give_contour(c, o);
}

static RbStatus make_circle(Cook *c) {
    RB_TRY(need(c, c->n[2] > 0, "the radius must be positive"));
    RB_TRY(need_segments(c, c->n[3]));
    RbContour o = rb_contour(c->scratch);
    rb_contour_circle(&o, c->n[0], c->n[1], c->n[2], (int)c->n[3]);
    return give_contour(c, o);
}

static RbStatus make_tooth(Cook *c) {
    RB_TRY(need(c, c->n[0] > 0, "the module must be positive"));
    RB_TRY(need_count(c, c->n[1], 4, 100000, "teeth"));
    RB_TRY(need(c, c->n[2] > 0 && c->n[2] < 1, "the pressure angle must lie between 0 and 1 rad"));
    RB_TRY(need_count(c, c->n[3], 2, 100000, "points of a flank"));
    RbContour o = rb_contour(c->scratch);
    rb_contour_gear_tooth(&o, c->n[0], (int)c->n[1], c->n[2], (int)c->n[3]);
    return give_contour(c, o);
}

static RbStatus repeat(Cook *c, bool around) {
    Item item;
    RB_TRY(take(c, false, &item));
    RB_TRY(need_count(c, c->n[0], 1, 100000, "copies"));
    if (around)
        rb_contour_repeat_around(&item.contour, 0, (int)c->n[0]);
    else
        rb_contour_repeat_along(&item.contour, 0, (int)c->n[0], c->n[1], c->n[2]);
    return give_contour(c, item.contour);
}
static RbStatus repeat_around(Cook *c) {
    return repeat(c, true);
}
static RbStatus repeat_along(Cook *c) {
    return repeat(c, false);
}

// The points of the second follow those of the first, in the same loop (join) or in loops of their own
// (hole).
static RbStatus append(Cook *c, bool new_loop) {
    Item a, b;
    RB_TRY(take(c, false, &b));
    RB_TRY(take(c, false, &a));
    for (int i = 0, loop = 0; i < b.contour.points.count; i++) {
        bool starts = loop < b.contour.starts.count && b.contour.starts.data[loop] == i;
        loop += starts;
        if (starts && (new_loop || i > 0)) rb_contour_next_loop(&a.contour);
        rb_contour_point(&a.contour, b.contour.points.data[i].x[0], b.contour.points.data[i].x[1]);
    }
    return give_contour(c, a.contour);
}
static RbStatus join(Cook *c) {
    return append(c, false);
}
static RbStatus add_hole(Cook *c) {
    return append(c, true);
}

static RbStatus map_polygon(Cook *c) {
    Item item;
    RB_TRY(take(c, false, &item));
    rb_contour_map(&item.contour, c->n, c->n[4], c->n[5]);
    return give_contour(c, item.contour);
}

// ---- solids from polygons ----

static RbStatus extrude(Cook *c) {
    RbPolygon polygon;
    RB_TRY(take_polygon(c, &polygon));
    RB_TRY(need(c, c->n[0] != 0, "the height is zero"));
    return give_mesh(c, rb_mesh_extrude(&polygon, c->n[0], c->keep, *c->scratch));
}

static RbStatus lathe(Cook *c) {
    RbPolygon polygon;
    RbMesh mesh;
    RB_TRY(take_polygon(c, &polygon));
    RB_TRY(need_segments(c, c->n[0]));
    RB_TRY(rb_mesh_lathe(&polygon, (int)c->n[0], c->name, c->at, c->keep, c->diag, &mesh));
    return give_mesh(c, mesh);
}

// points of the path, their number; closed, up
static RbStatus sweep(Cook *c) {
    int count;
    const double *p = NULL;
    RbPolygon polygon;
    RbMesh mesh;
    RB_TRY(take_count(c, 2, "points of the path", &count));
    RB_TRY(take_points(c, count, 3, "point", &p));
    RB_TRY(take_polygon(c, &polygon));
    Vec3 *path = rb_new_array(c->scratch, Vec3, count);
    for (int i = 0; i < count; i++) path[i] = v3_load(p + 3 * i);
    RB_TRY(rb_mesh_sweep(&polygon, path, count, c->n[0] != 0, v3_load(c->n + 1), c->name, c->at,
                         c->keep, *c->scratch, c->diag, &mesh));
    return give_doubtful(c, mesh);
}

// ---- solids from solids ----

static RbStatus map_solid(Cook *c, Mat3 m, Vec3 r) {
    Item item;
    RB_TRY(take(c, true, &item));
    return give_like(c, rb_mesh_map(&item.mesh, m, r, c->keep), &item);
}
static RbStatus move(Cook *c) {
    return map_solid(c, M3_IDENTITY, v3_load(c->n));
}
static RbStatus turn(Cook *c) {
    return map_solid(c, rb_clean_rotation(v3_load(c->n)), V3_ZERO);
}
static RbStatus scale(Cook *c) {
    RB_TRY(need(c, c->n[0] != 0 && c->n[1] != 0 && c->n[2] != 0, "a factor is zero"));
    return map_solid(c, m3_diagonal(v3_load(c->n)), V3_ZERO);
}

static RbStatus refuse_fault(const Cook *c, const RbMeshReport *r) {
    const char *remedy =
        r->fault == RB_MESH_CROSSES ? "make bodies that overlap one by one and unite them; a sweep "
                                      "must not meet itself"
        : r->fault == RB_MESH_NESTED
            ? "leave one of them out, or let the triangles of the inner one run the other way "
              "round if it is a cavity"
            : "triangles must run counter-clockwise seen from outside";
    return rb_fail(c->diag, RB_ERROR_MODEL, c->at, "the solid of '%s' %s: %s", c->name,
                   rb_mesh_fault_text(r, c->keep), remedy);
}

// What is united with a solid that crosses itself need not touch it there, so rb_csg would not see it.
static RbStatus check_operand(const Cook *c, const Item *item) {
    if (item->file) return refuse_file(c, item);
    if (!item->doubtful) return RB_OK;
    RbMeshReport r = rb_mesh_check(&item->mesh, *c->scratch);
    rb_mesh_check_crossing(&item->mesh, c->keep, *c->scratch, &r);
    return r.fault == RB_MESH_SOUND ? RB_OK : refuse_fault(c, &r);
}

static RbStatus combine(Cook *c, RbCsg operation) {
    Item a, b;
    RbMesh mesh;
    RB_TRY(take(c, true, &b));
    RB_TRY(take(c, true, &a));
    RbStatus status = check_operand(c, &a);
    if (status == RB_OK) status = check_operand(c, &b);
    if (status == RB_OK)
        status = rb_csg(operation, &a.mesh, "the first", &b.mesh, "the second", c->at, c->keep,
                        *c->scratch, c->diag, &mesh);
    if (status == RB_OK) return give_mesh(c, mesh);
    if (!a.file && !b.file)
        rb_note(c->diag, c->at, "in the %s of two solids, for '%s'", c->word, c->name);
    return status;
}
static RbStatus unite(Cook *c) {
    return combine(c, RB_CSG_UNION);
}
static RbStatus subtract(Cook *c) {
    return combine(c, RB_CSG_DIFFERENCE);
}
static RbStatus intersect(Cook *c) {
    return combine(c, RB_CSG_INTERSECTION);
}

static RbStatus simplify(Cook *c) {
    Item item;
    RB_TRY(take(c, true, &item));
    RB_TRY(need(c, c->n[0] >= 0, "the tolerance is negative"));
    RbMesh mesh = rb_mesh_simplify(&item.mesh, c->n[0], c->keep, *c->scratch);
    return give_like(c, mesh, &item);
}

static RbStatus refine(Cook *c) {
    const int limit = 4000000;
    Item item;
    RbMesh mesh;
    RB_TRY(take(c, true, &item));
    RB_TRY(need(c, c->n[0] > 0, "the longest side must be positive"));
    if (!rb_mesh_refine(&item.mesh, c->n[0], limit, c->keep, *c->scratch, &mesh))
        return refuse(c, "more than four million triangles: choose a longer side");
    return give_like(c, mesh, &item);
}

// ---- words ----

typedef struct Word {
    const char *name;
    int numbers; // that it takes from the end, after those that its things consist of
    RbStatus (*follow)(Cook *c);
    bool polygon; // is what it leaves; otherwise a solid
} Word;

static const Word words[] = {
    {"box", 3, make_box},
    {"cone", 4, make_cone},
    {"cylinder", 3, make_cylinder},
    {"sphere", 2, make_sphere},
    {"torus", 3, make_torus},
    {"mesh", 0, make_mesh},
    {"hull", 0, make_hull},
    {"wrap", 0, wrap_solid},
    {"file", 1, read_file},
    {"points", 0, make_points, .polygon = true},
    {"arc", 6, make_arc, .polygon = true},
    {"circle", 4, make_circle, .polygon = true},
    {"tooth", 4, make_tooth, .polygon = true},
    {"around", 1, repeat_around, .polygon = true},
    {"along", 3, repeat_along, .polygon = true},
    {"join", 0, join, .polygon = true},
    {"hole", 0, add_hole, .polygon = true},
    {"map", 6, map_polygon, .polygon = true},
    {"extrude", 1, extrude},
    {"lathe", 1, lathe},
    {"sweep", 4, sweep},
    {"move", 3, move},
    {"turn", 3, turn},
    {"scale", 3, scale},
    {"union", 0, unite},
    {"difference", 0, subtract},
    {"intersection", 0, intersect},
    {"simplify", 1, simplify},
    {"refine", 1, refine},
};

static RbStatus follow_word(Cook *c, const char *text, size_t length) {
    c->word = rb_arena_printf(c->scratch, "%.*s", (int)length, text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i].name, c->word) != 0) continue;
        const double *n = NULL;
        RB_TRY(take_points(c, words[i].numbers, 1, "number", &n));
        for (int k = 0; k < words[i].numbers; k++) c->n[k] = n[k];
        c->count = words[i].numbers;
        return words[i].follow(c);
    }
    return refuse(c, "no such step");
}

// As infinity and what is no number are printed; no step begins so.
static bool is_not_finite(const char *text) {
    text += *text == '-';
    return strncmp(text, "inf", 3) == 0 || strncmp(text, "nan", 3) == 0;
}

// What is printed as not finite is refused by the step that takes it, which knows what number it is.
static RbStatus follow_number(Cook *c, const char *text, const char *end) {
    double value;
    c->word = rb_arena_printf(c->scratch, "%.*s", (int)(end - text), text);
    if (!rb_number_parse(text, end, &value) || (isinf(value) && !is_not_finite(text)))
        return refuse(c, LOOK_BACK);
    rb_array_push(&c->numbers, c->scratch, value);
    return RB_OK;
}

static RbStatus follow(Cook *c, const char *text) {
    while (*(text += strspn(text, " \n\t"))) {
        if (*text == '"') {
            size_t length = strcspn(text + 1, "\"");
            c->file = rb_arena_printf(c->scratch, "%.*s", (int)length, text + 1);
            text += length + 1 + (text[length + 1] == '"');
            continue;
        }
        size_t length = strcspn(text, " \n\t");
        bool number = strchr("+-.0123456789", *text) || is_not_finite(text);
        RB_TRY(number ? follow_number(c, text, text + length) : follow_word(c, text, length));
        text += length;
    }
    c->word = "the end";
    if (c->numbers.count > 0) return refuse(c, "numbers are left");
    return RB_OK;
}

static RbStatus need_solids(Cook *c) {
    if (c->items.count == 0) return refuse(c, "no solid is left");
    for (int i = 0; i < c->items.count; i++) {
        if (!c->items.data[i].is_solid)
            return refuse(c, "a polygon is left: make a solid of it by extrude, lathe or sweep");
    }
    return RB_OK;
}

static RbStatus check(const Cook *c, const Item *item, RbArena scratch) {
    if (item->file) return refuse_file(c, item);
    const RbMesh *mesh = &item->mesh;
    RbMeshReport r = rb_mesh_check(mesh, scratch);
    rb_mesh_check_crossing(mesh, c->keep, scratch, &r);
    if (r.encloses_body) return RB_OK;
    if (r.fault != RB_MESH_SOUND) return refuse_fault(c, &r);
    if (r.closed && r.oriented && (r.volume == 0 || r.duplicate_triangles > 0))
        return rb_fail(c->diag, RB_ERROR_MODEL, c->at,
                       "the solid of '%s' has no volume, or triangles more than once: they lie on "
                       "each other, or so far from the origin that its size is lost in rounding",
                       c->name);
    if (r.closed && r.oriented && r.volume < 0)
        return rb_fail(c->diag, RB_ERROR_MODEL, c->at,
                       "the solid of '%s' is inside out: its triangles must run counter-clockwise "
                       "seen from outside",
                       c->name);
    return rb_fail(
        c->diag, RB_ERROR_MODEL, c->at,
        "the solid of '%s' does not enclose a body (%d open edges, %d with more than two "
        "triangles, %d whose triangles face differently); the first defect is at {%.6g, "
        "%.6g, %.6g} m: every edge belongs to two triangles that run along it in opposite senses",
        c->name, r.open_edges, r.crowded_edges, r.twisted_edges, r.defect.x, r.defect.y,
        r.defect.z);
}

// Solids on the way are gone when it is done.
RbStatus rb_recipe_solids(const char *recipe, const char *folder, const char *name, RbPos at,
                          RbArena *keep, RbArena scratch, RbDiag *diag, RbMesh **out, int *count) {
    RbArena *work = rb_arena_child(keep);
    Cook c = {
        .folder = folder, .name = name, .at = at, .keep = work, .scratch = &scratch, .diag = diag};
    RbStatus status = follow(&c, recipe);
    if (status == RB_OK) status = need_solids(&c);
    for (int i = 0; i < c.items.count && status == RB_OK; i++)
        status = check(&c, &c.items.data[i], scratch);
    if (status == RB_OK) {
        *count = c.items.count;
        *out = rb_new_array(keep, RbMesh, *count);
        for (int i = 0; i < *count; i++)
            (*out)[i] = rb_mesh_map(&c.items.data[i].mesh, M3_IDENTITY, V3_ZERO, keep);
    }
    rb_arena_free(work);
    return status;
}

RbStatus rb_recipe_solid(const char *recipe, const char *folder, const char *name, RbPos at,
                         RbArena *keep, RbArena scratch, RbDiag *diag, RbMesh *out) {
    RbMesh *solids;
    int count;
    RB_TRY(rb_recipe_solids(recipe, folder, name, at, keep, scratch, diag, &solids, &count));
    if (count > 1)
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "the solid of '%s': the end: more than one solid is left", name);
    *out = solids[0];
    return RB_OK;
}

RbStatus rb_recipe_polygon(const char *recipe, const char *folder, const char *name, RbPos at,
                           RbArena *keep, RbArena scratch, RbDiag *diag, RbPolygon *out) {
    RbArena work = scratch;
    Cook c = {
        .folder = folder, .name = name, .at = at, .keep = keep, .scratch = &work, .diag = diag};
    RbPolygon polygon;
    RB_TRY(follow(&c, recipe));
    if (c.items.count > 1) return refuse(&c, "more than one polygon is left");
    RB_TRY(take_polygon(&c, &polygon));
    int points = polygon.loop_start[polygon.loop_count];
    double(*x)[2] = rb_arena_push_array(keep, sizeof *x, (size_t)points + 1, alignof(double));
    int *starts = rb_new_array(keep, int, polygon.loop_count + 1);
    memcpy(x, polygon.x, (size_t)points * sizeof *x);
    memcpy(starts, polygon.loop_start, ((size_t)polygon.loop_count + 1) * sizeof *starts);
    *out = (RbPolygon){(const double(*)[2])x, starts, polygon.loop_count};
    return RB_OK;
}

bool rb_recipe_is_solid(const char *recipe) {
    static const char blanks[] = " \n\t";
    size_t end = strlen(recipe);
    while (end > 0 && strchr(blanks, recipe[end - 1])) end--;
    size_t start = end;
    while (start > 0 && !strchr(blanks, recipe[start - 1])) start--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *name = words[i].name;
        if (strlen(name) == end - start && strncmp(name, recipe + start, end - start) == 0)
            return !words[i].polygon;
    }
    return false;
}

const char *rb_recipe_folder(RbPos at, RbArena *arena) {
    const char *slash = at.file ? strrchr(at.file, '/') : NULL;
    if (!slash) return NULL;
    return rb_arena_printf(arena, "%.*s", (int)(slash - at.file), at.file);
}
