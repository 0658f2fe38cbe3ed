// SPDX-License-Identifier: MIT
#include "translate/visuals.h"

#include <math.h>
#include <string.h>

#include "io/mesh_file.h"
#include "program/program_instance.h"
#include "translate/drawn_surface.h"

// ORDER RB_VISUAL_R, ...
static const char *const names[RB_VISUAL_QUANTITIES] = {
    "r",      "R.T",   "r_shape",      "lengthDirection", "widthDirection", "length",   "width",
    "height", "extra", "color",        "coordinates",     "quantity",       "vertices", "triangles",
    "g",      "n",     "transparency", "colors",
};

RbVisuals rb_visuals(const RbProgram *program, RbArena *arena) {
    const RbFlatModel *model = program->dae->model;
    RbVisuals v = {.count = model->visuals.count};
    v.list = rb_new_array(arena, RbVisual, v.count + 1);
    for (int i = 0; i < v.count; i++) {
        RbVisual *s = &v.list[i];
        *s = (RbVisual){.flat = &model->visuals.data[i]};
        for (int k = 0; k < RB_VISUAL_QUANTITIES; k++) {
            const char *dot = *s->flat->path ? "." : "";
            const char *name = rb_arena_printf(arena, "%s%s%s", s->flat->path, dot, names[k]);
            s->vars[k] = rb_program_find(program, name);
            if (k == RB_VISUAL_R && s->vars[k] < 0 && s->flat->kind == RB_VISUAL_SURFACE)
                s->vars[k] = rb_program_find(program, rb_arena_printf(arena, "%s_0", name));
        }
    }
    return v;
}

// ---- values of variables

// The variable that holds element k, and its number there.
static int variable_of(const RbProgramInstance *in, int var, int *k) {
    const RbSortedDae *dae = in->program->dae;
    const RbDaeVar *d = &dae->vars.data[var];
    bool apart = dae->model->vars.data[var].rank > 0 && !d->whole;
    if (!apart) return var;
    var = d->elements + *k;
    *k = 0;
    return var;
}

static int number_count(const RbProgramInstance *in, const RbVisual *s, int quantity) {
    int var = s->vars[quantity];
    if (var < 0) return 0;
    const RbFlatVar *flat = &in->program->dae->model->vars.data[var];
    bool whole = flat->rank > 0 && in->program->dae->vars.data[var].whole;
    return whole ? rb_program_elements(in, var) : rb_flat_size(flat);
}

// False: there are not so many; nothing is changed then.
static bool numbers(const RbProgramInstance *in, const RbVisual *s, int quantity, int count,
                    double *values) {
    if (count < 1 || number_count(in, s, quantity) < count) return false;
    for (int i = 0; i < count; i++) {
        int k = i, own = variable_of(in, s->vars[quantity], &k);
        values[i] = rb_program_element(in, own, k);
    }
    return true;
}

static double number(const RbProgramInstance *in, const RbVisual *s, int quantity) {
    double value = 0;
    numbers(in, s, quantity, 1, &value);
    return value;
}

static Vec3 vector(const RbProgramInstance *in, const RbVisual *s, int quantity, Vec3 otherwise) {
    double v[3];
    return numbers(in, s, quantity, 3, v) ? v3_load(v) : otherwise;
}

static bool is_constant(const RbProgramInstance *in, const RbVisual *s, int quantity) {
    const RbSortedDae *dae = in->program->dae;
    int var = s->vars[quantity];
    if (var < 0) return true;
    int count = number_count(in, s, quantity);
    for (int i = 0; i < count; i++) {
        int k = i, own = variable_of(in, var, &k);
        const RbDaeVar *d = &dae->vars.data[own];
        RbDaeKind kind = d->kind == RB_DAE_ALIAS ? dae->vars.data[d->alias].kind : d->kind;
        if (kind != RB_DAE_PARAMETER) return false;
    }
    return true;
}

// ---- shapes

// How the length, width, height and extra of a shape are the sizes of a form: its own axis x points
// along the length, and its origin is at the left end.
typedef struct ShapeForm {
    const char *name;
    RbForm form;
} ShapeForm;

static const ShapeForm shape_forms[] = {
    {"box", RB_FORM_BOX},           {"sphere", RB_FORM_ELLIPSOID},
    {"cylinder", RB_FORM_CYLINDER}, {"pipecylinder", RB_FORM_CYLINDER},
    {"pipe", RB_FORM_CYLINDER},     {"cone", RB_FORM_CONE},
    {"beam", RB_FORM_BEAM},         {"gearwheel", RB_FORM_GEARWHEEL},
    {"spring", RB_FORM_SPRING},
};

static const char *text_of(RbProgramInstance *in, const RbVisual *s, const char *name,
                           RbArena *arena) {
    const char *full = rb_arena_printf(arena, "%s.%s", s->flat->path, name);
    int var = rb_program_find(in->program, full);
    const RbExpr *e = var >= 0 ? in->program->dae->model->vars.data[var].binding : NULL;
    RbExprValue value;
    return e && rb_interpret_value(in, e, arena, &value) && value.text ? value.text[0] : "";
}

static const ShapeForm *find_form(const char *name) {
    for (size_t i = 0; i < sizeof shape_forms / sizeof *shape_forms; i++) {
        if (strcmp(shape_forms[i].name, name) == 0) return &shape_forms[i];
    }
    return NULL;
}

// Is the frame of the form in the middle of the length?
static bool in_middle(RbForm form) {
    return form != RB_FORM_CONE && form != RB_FORM_SPRING && form != RB_FORM_MESH;
}

static void shape_sizes(const RbProgramInstance *in, const RbVisual *s,
                        double size[RB_DRAW_SIZES]) {
    double length = number(in, s, RB_VISUAL_LENGTH), width = number(in, s, RB_VISUAL_WIDTH),
           height = number(in, s, RB_VISUAL_HEIGHT), extra = number(in, s, RB_VISUAL_EXTRA);
    size[0] = length, size[1] = width, size[2] = height, size[3] = 0; // box, ellipsoid, beam
    if (s->form == RB_FORM_CYLINDER || s->form == RB_FORM_CONE)
        size[0] = width, size[1] = length, size[2] = extra * width;
    if (s->form == RB_FORM_GEARWHEEL)
        size[0] = width, size[1] = length, size[2] = 0, size[3] = extra;
    if (s->form == RB_FORM_SPRING) size[3] = extra;
}

static Pose frame_of(const RbProgramInstance *in, const RbVisual *s) {
    double T[9];
    Pose X = {vector(in, s, RB_VISUAL_R, V3_ZERO), M3_IDENTITY};
    if (numbers(in, s, RB_VISUAL_T, 9, T))
        X.R = m3_from_columns(v3_load(T), v3_load(T + 3), v3_load(T + 6)); // its rows: R = T'
    return X;
}

static Pose pose_of(const RbProgramInstance *in, const RbVisual *s) {
    Pose X = frame_of(in, s);
    if (s->flat->kind != RB_VISUAL_SHAPE) return X;
    Vec3 x = v3_unit_or(vector(in, s, RB_VISUAL_ALONG, v3_axis(0)), v3_axis(0));
    Vec3 z = v3_cross(x, vector(in, s, RB_VISUAL_ACROSS, v3_axis(1)));
    z = v3_unit_or(z, v3_perpendicular(x));
    Vec3 r = vector(in, s, RB_VISUAL_OFFSET, V3_ZERO);
    if (in_middle(s->form)) r = v3_axpy(r, 0.5 * number(in, s, RB_VISUAL_LENGTH), x);
    return pose_mul(X, (Pose){r, m3_from_columns(x, v3_cross(z, x), z)});
}

static void colour_of(const RbProgramInstance *in, const RbVisual *s, unsigned char rgba[4]) {
    double colour[3] = {128, 128, 128};
    numbers(in, s, RB_VISUAL_COLOUR, 3, colour);
    for (int i = 0; i < 3; i++) rgba[i] = rb_colour_byte(colour[i]);
    double transparency = fmin(fmax(number(in, s, RB_VISUAL_TRANSPARENCY), 0), 1);
    rgba[3] = (unsigned char)lround(255 * (1 - transparency));
}

// Metres of the picture per unit of a quantity. ORDER Modelica.Mechanics.MultiBody.Types.VectorQuantity
static double arrow_scale(const RbProgramInstance *in, const RbVisual *s) {
    static const double scales[] = {1e-3, 1e-3, 0.1, 0.1, 0.1, 0.1, 1};
    int k = (int)number(in, s, RB_VISUAL_QUANTITY) - 1;
    return k >= 0 && k < (int)(sizeof scales / sizeof *scales) ? scales[k] : 1;
}

static void sizes_of(const RbProgramInstance *in, const RbVisual *s, double size[RB_DRAW_SIZES]) {
    memset(size, 0, RB_DRAW_SIZES * sizeof *size);
    if (s->flat->kind == RB_VISUAL_SHAPE) shape_sizes(in, s, size);
    if (s->flat->kind == RB_VISUAL_VECTOR)
        v3_store(size, v3_scale(arrow_scale(in, s), vector(in, s, RB_VISUAL_COORDINATES, V3_ZERO)));
}

// ---- meshes

static int file_mesh(const RbProgramInstance *in, RbVisual *s, RbDrawing *drawing) {
    RbArena *arena = rb_arena_child(drawing->arena);
    RbDiag silent = rb_diag(arena); // what cannot be read is not drawn
    RbObj file;
    Vec3 scale = v3(1, 1, 1);
    if (number(in, s, RB_VISUAL_EXTRA) > 0.5)
        scale = v3(number(in, s, RB_VISUAL_LENGTH), number(in, s, RB_VISUAL_WIDTH),
                   number(in, s, RB_VISUAL_HEIGHT));
    int mesh = -1;
    if (rb_mesh_file_read(s->flat->file, arena, *rb_arena_child(arena), &silent, &file) == RB_OK) {
        const RbMesh *m = &file.mesh;
        double *v = rb_new_array(arena, double, 3 * (size_t)m->vertex_count + 1);
        for (int i = 0; i < m->vertex_count; i++)
            v3_store(v + 3 * i, v3_mul(scale, m->vertices[i]));
        mesh = rb_drawing_mesh(drawing, v, m->vertex_count, (const int *)m->triangles,
                               m->triangle_count);
    }
    rb_arena_free(arena);
    return mesh;
}

// Corners count from 1, as arrays do. -1: a triangle has a corner that there is not.
static int own_mesh(const RbProgramInstance *in, RbVisual *s, RbDrawing *drawing) {
    int points = number_count(in, s, RB_VISUAL_VERTICES) / 3;
    int corners = number_count(in, s, RB_VISUAL_TRIANGLES) / 3 * 3;
    double *numbers_of = rb_new_array(drawing->arena, double, corners + 1);
    int *triangles = rb_new_array(drawing->arena, int, corners + 1);
    double *vertices = rb_new_array(drawing->arena, double, 3 * points + 1);
    numbers(in, s, RB_VISUAL_TRIANGLES, corners, numbers_of);
    numbers(in, s, RB_VISUAL_VERTICES, 3 * points, vertices);
    for (int i = 0; i < corners; i++) {
        if (!(numbers_of[i] >= 1 && numbers_of[i] <= points)) return -1;
        triangles[i] = (int)numbers_of[i] - 1;
    }
    for (int i = 0; i < 3 * points; i++) { // not computed yet
        if (!isfinite(vertices[i])) vertices[i] = 0;
    }
    int colours = number_count(in, s, RB_VISUAL_COLOURS) / 3;
    s->has_colours = colours > 0 && (colours == points || colours == corners / 3);
    rb_drawing_room(drawing, 2, 3 * (size_t)points * sizeof(float) + 4 * (size_t)colours);
    return rb_drawing_mesh(drawing, vertices, points, triangles, corners / 3);
}

static int surface_mesh(RbProgramInstance *in, RbVisual *s, RbDrawing *drawing) {
    RbArena *arena = rb_arena_child(drawing->arena);
    RbSurfaceGrid g = rb_surface_grid(in, s->flat, arena);
    int *triangles, count = g.rows * g.columns, mesh = -1;
    s->has_colours = g.colours != NULL;
    if (count > 0) {
        int cells = rb_surface_triangles(g.rows, g.columns, arena, &triangles);
        mesh = rb_drawing_mesh(drawing, g.points, count, triangles, cells);
        rb_drawing_room(drawing, 2, (3 * sizeof(float) + 4) * (size_t)count);
    }
    rb_arena_free(arena);
    return mesh;
}

static int mesh_of(RbProgramInstance *in, RbVisual *s, RbDrawing *drawing) {
    if (s->flat->kind == RB_VISUAL_SURFACE) return surface_mesh(in, s, drawing);
    return s->flat->file ? file_mesh(in, s, drawing) : own_mesh(in, s, drawing);
}

// ---- the drawing

static void draw_gravity(const RbProgramInstance *in, const RbVisual *s, RbDrawing *drawing) {
    RbDrawObject o = rb_draw_object(s->flat->path, RB_FORM_GRAVITY);
    Vec3 n = v3_unit_or(vector(in, s, RB_VISUAL_N, V3_ZERO), V3_ZERO);
    v3_store(o.size, v3_scale(number(in, s, RB_VISUAL_G), n));
    rb_drawing_add(drawing, &o);
}

static RbForm form_of(RbProgramInstance *in, const RbVisual *s, RbArena *arena) {
    if (s->flat->kind == RB_VISUAL_VECTOR) return RB_FORM_ARROW;
    if (s->flat->kind == RB_VISUAL_MESH || s->flat->kind == RB_VISUAL_SURFACE || s->flat->file)
        return RB_FORM_MESH;
    const ShapeForm *f = find_form(text_of(in, s, "shapeType", arena));
    return f ? f->form : RB_FORM_NONE;
}

// Colours of single points are part of a picture, so that they are not fixed.
static bool stands_still(const RbProgramInstance *in, RbVisual *s, RbArena scratch) {
    bool still = s->flat->kind != RB_VISUAL_MESH || !s->has_colours;
    if (s->flat->kind == RB_VISUAL_SURFACE) {
        s->is_rigid = rb_surface_stands_still(in, s->flat, scratch);
        still = s->is_rigid && !s->has_colours;
    }
    for (int k = 0; k < RB_VISUAL_QUANTITIES; k++) still = still && is_constant(in, s, k);
    return still;
}

static void draw_one(RbProgramInstance *in, RbVisual *s, RbDrawing *drawing) {
    s->is_object = false;
    if (s->flat->kind == RB_VISUAL_WORLD) {
        draw_gravity(in, s, drawing);
        return;
    }
    s->form = form_of(in, s, drawing->arena);
    RbDrawObject o = rb_draw_object(s->flat->path, s->form);
    if (s->form == RB_FORM_MESH) {
        o.mesh = mesh_of(in, s, drawing);
        if (o.mesh < 0) o.form = s->form = RB_FORM_NONE;
    }
    s->fixed = stands_still(in, s, *drawing->arena);
    sizes_of(in, s, s->size);
    colour_of(in, s, s->colour);
    o.axis = 1;
    o.moves = !s->fixed;
    memcpy(o.size, s->size, sizeof o.size);
    memcpy(o.colour, s->colour, sizeof o.colour);
    if (s->fixed) {
        Pose X = pose_of(in, s);
        v3_store(o.position, X.r);
        q_store(o.rotation, q_from_matrix(X.R));
    }
    s->object = rb_drawing_add(drawing, &o);
    s->is_object = true;
    rb_drawing_room(drawing, 3, sizeof(float) * RB_DRAW_SIZES + sizeof s->colour);
}

void rb_visuals_draw(RbVisuals *v, RbProgramInstance *in, RbDrawing *drawing) {
    for (int i = 0; i < v->count; i++) draw_one(in, &v->list[i], drawing);
}

// A form without any extent is not seen.
static bool vanishes(const RbVisual *s, const double size[RB_DRAW_SIZES]) {
    if (s->form == RB_FORM_MESH || s->form == RB_FORM_NONE) return false;
    if (s->form == RB_FORM_ARROW) return v3_norm(v3_load(size)) < 1e-9;
    return !(size[0] > 0 && size[1] > 0);
}

static void show_pose(const RbProgramInstance *in, const RbVisual *s, RbPicture *picture) {
    double r[3], q[4];
    Pose X = pose_of(in, s);
    v3_store(r, X.r);
    q_store(q, q_from_matrix(X.R));
    rb_picture_pose(picture, r, q);
}

static void show_points(const RbProgramInstance *in, const RbVisual *s, RbPicture *picture) {
    RbArena scratch = *in->call_arena;
    int points = number_count(in, s, RB_VISUAL_VERTICES) / 3;
    double *vertices = rb_new_array(&scratch, double, 3 * points + 1);
    if (numbers(in, s, RB_VISUAL_VERTICES, 3 * points, vertices))
        rb_picture_points(picture, s->object, vertices, points);
}

// One for every corner or triangle.
static void show_colours(const RbProgramInstance *in, const RbVisual *s, RbPicture *picture) {
    RbArena scratch = *in->call_arena;
    int count = number_count(in, s, RB_VISUAL_COLOURS) / 3;
    double *rgb = rb_new_array(&scratch, double, 3 * count + 1);
    unsigned char *rgba = rb_new_array(&scratch, unsigned char, 4 * count + 1);
    if (!numbers(in, s, RB_VISUAL_COLOURS, 3 * count, rgb)) return;
    for (int i = 0; i < 4 * count; i++)
        rgba[i] = i % 4 == 3 ? 255 : rb_colour_byte(rgb[3 * (i / 4) + i % 4]);
    rb_picture_colours(picture, s->object, rgba, count);
}

static void show_surface(RbProgramInstance *in, const RbVisual *s, RbPicture *picture) {
    if (s->is_rigid && !s->has_colours) return;
    RbArena scratch = *in->call_arena;
    RbSurfaceGrid g = rb_surface_grid(in, s->flat, &scratch);
    int count = g.rows * g.columns;
    if (count > 0 && !s->is_rigid) rb_picture_points(picture, s->object, g.points, count);
    if (g.colours) rb_picture_colours(picture, s->object, g.colours, count);
}

static void show_change(RbProgramInstance *in, const RbVisual *s, RbPicture *picture) {
    double size[RB_DRAW_SIZES];
    unsigned char colour[4];
    sizes_of(in, s, size);
    colour_of(in, s, colour);
    if (s->flat->kind == RB_VISUAL_MESH)
        show_points(in, s, picture);
    else if (s->flat->kind == RB_VISUAL_SURFACE)
        show_surface(in, s, picture);
    else if (vanishes(s, size))
        rb_picture_hide(picture, s->object);
    else if (memcmp(size, s->size, sizeof size) != 0)
        rb_picture_size(picture, s->object, size);
    if (s->flat->kind == RB_VISUAL_MESH && s->has_colours)
        show_colours(in, s, picture);
    else if (memcmp(colour, s->colour, sizeof colour) != 0)
        rb_picture_colours(picture, s->object, colour, 1);
}

static bool is_shown(const RbVisual *s) {
    return s->is_object && !s->fixed;
}

void rb_visuals_show(const RbVisuals *v, RbProgramInstance *in, RbPicture *picture) {
    for (int i = 0; i < v->count; i++) {
        if (is_shown(&v->list[i])) show_pose(in, &v->list[i], picture);
    }
    for (int i = 0; i < v->count; i++) {
        if (is_shown(&v->list[i])) show_change(in, &v->list[i], picture);
    }
}
