// SPDX-License-Identifier: MIT
// Points of a primitive in the icon of a class, which an engineer has traced with the icon editor
// (specification, 18.6): Rattleback.Solids.tracedPoints(className, index, primitive, segments).
#include <math.h>
#include <string.h>

#include "flatten/builtin.h"

enum { NAME, INDEX, PRIMITIVE, SEGMENTS, ARGUMENTS };

// ORDER Rattleback.Types.IconPrimitive
typedef enum Kind { POLYGON, RECTANGLE, ELLIPSE, LINE, KINDS } Kind;
static const char *const kind_names[] = {"Polygon", "Rectangle", "Ellipse", "Line"};
static const char *const choices[] = {"polygon", "rectangle", "ellipse", "line"};

// One of the graphics, and the class in whose text it stands.
typedef struct Primitive {
    const RbAstExpr *call; // Polygon(points = ...)
    RbClassPart *part;
} Primitive;

typedef struct Icon {
    RbFrontEnd *fe;
    RbClass *class;
    bool has_icon;
    RB_ARRAY(Primitive) list[KINDS]; // in the order in which they are drawn
} Icon;

// --- which primitives there are ------------------------------------------------------------------

// DynamicSelect(still, moving): pictures of a class are still.
static const RbAstExpr *still(const RbAstExpr *e) {
    if (!e || e->kind != RB_AST_CALL || e->kid_count < 2) return e;
    const RbAstExpr *f = e->kids[0];
    bool select = f->kind == RB_AST_REF && f->kid_count == 1 &&
                  strcmp(f->parts[0].name, "DynamicSelect") == 0;
    return select ? e->kids[1] : e;
}

static void add_primitive(Icon *icon, RbClassPart *part, const RbAstExpr *e) {
    if (e->kind != RB_AST_CALL) return;
    const RbAstExpr *f = e->kids[0];
    const char *name = f->kind == RB_AST_REF ? f->parts[f->kid_count - 1].name : "";
    for (int k = 0; k < KINDS; k++) {
        if (strcmp(kind_names[k], name) == 0)
            rb_array_push(&icon->list[k], icon->fe->work, ((Primitive){e, part}));
    }
}

// extends A annotation(IconMap(primitivesVisible = false))
static bool hides(const RbClassPart *base) {
    const RbAstMod *map = rb_annotation_group(base->clause_annotation, "IconMap");
    const RbAstExpr *visible = rb_annotation(map, "primitivesVisible");
    return visible && visible->kind == RB_AST_FALSE;
}

// What is inherited is drawn first.
static void collect(Icon *icon, RbClassPart *part) {
    for (int i = 0; i < part->bases.count; i++) {
        if (!hides(part->bases.data[i])) collect(icon, part->bases.data[i]);
    }
    const RbAstMod *own = rb_annotation_group(part->def->annotation, "Icon");
    const RbAstExpr *graphics = still(rb_annotation(own, "graphics"));
    icon->has_icon = icon->has_icon || own;
    if (!graphics || graphics->kind != RB_AST_ARRAY || graphics->iterator_count > 0) return;
    for (int i = 0; i < graphics->kid_count; i++) add_primitive(icon, part, graphics->kids[i]);
}

// "; it has 2 rectangles: primitive = Types.IconPrimitive.rectangle"
static const char *other_primitives(const Icon *icon, Kind wanted) {
    for (int k = 0; k < KINDS; k++) {
        int n = icon->list[k].count;
        if (k == (int)wanted || n == 0) continue;
        return rb_arena_printf(icon->fe->arena,
                               "; it has %d %s%s: give primitive = "
                               "Rattleback.Types.IconPrimitive.%s for %s",
                               n, choices[k], n == 1 ? "" : "s", choices[k],
                               n == 1 ? "that" : "those");
    }
    return "; draw one in the icon editor";
}

static bool choose(const Icon *icon, Kind kind, int64_t index, RbPos at, Primitive *out) {
    int n = icon->list[kind].count;
    RbDiag *diag = icon->fe->diag;
    if (index >= 1 && index <= n) {
        *out = icon->list[kind].data[index - 1];
        return true;
    }
    if (!icon->has_icon)
        rb_fail(diag, RB_ERROR_MODEL, at,
                "'%s' has no icon: draw a %s in the icon editor, or write annotation(Icon(graphics "
                "= {%s(...)})) in it",
                icon->class->full_name, choices[kind], kind_names[kind]);
    else if (n == 0)
        rb_fail(diag, RB_ERROR_MODEL, at, "the icon of '%s' has no %s%s", icon->class->full_name,
                choices[kind], other_primitives(icon, kind));
    else
        rb_fail(diag, RB_ERROR_MODEL, at, "the icon of '%s' has %d %s%s, but not number %lld",
                icon->class->full_name, n, choices[kind], n == 1 ? "" : "s", (long long)index);
    rb_note(diag, icon->class->root->def->at, "'%s' stands here", icon->class->full_name);
    return false;
}

// --- what they say -------------------------------------------------------------------------------

static const RbAstExpr *entry(const Primitive *p, const char *name) {
    for (int i = 1; i < p->call->kid_count; i++) {
        const RbAstExpr *a = p->call->kids[i];
        if (a->kind == RB_AST_NAMED && strcmp(a->name, name) == 0) return still(a->kids[0]);
    }
    return NULL;
}

static bool refuse(const Icon *icon, RbPos at, const char *what) {
    rb_fail(icon->fe->diag, RB_ERROR_MODEL, at, "%s", what);
    return false;
}

// Numbers of an entry: rows of pairs (rank 2), a pair (rank 1), one number (rank 0).
static bool numbers(const Icon *icon, const Primitive *p, const char *name, int rank,
                    RbExprValue *out) {
    RbFrontEnd *fe = icon->fe;
    const RbAstExpr *e = entry(p, name);
    if (!e) return false;
    RbPlace place = {.scope = p->part};
    RbVal v = rb_lower_expr(fe, &place, e);
    if (!rb_val_evaluate(fe, &v, out, e->at, "what an icon shows")) return false;
    bool fits = (out->type == RB_REAL || out->type == RB_INTEGER) && out->rank == rank &&
                (rank == 0 || out->dims[rank - 1] == 2);
    for (int i = 0; fits && i < out->count; i++) fits = isfinite(out->data[i]);
    if (fits) return true;
    return refuse(icon, e->at,
                  rank == 2   ? "these must be points {x, y} of finite numbers"
                  : rank == 1 ? "this must be a point {x, y} of finite numbers"
                              : "this must be a finite number");
}

// An entry that may be left out: `usual` then.
static bool number_or(const Icon *icon, const Primitive *p, const char *name, double usual,
                      double *out) {
    RbExprValue v;
    *out = usual;
    if (!entry(p, name)) return true;
    if (!numbers(icon, p, name, 0, &v)) return false;
    *out = v.data[0];
    return true;
}

// {{x1, y1}, {x2, y2}}
static bool extent_of(const Icon *icon, const Primitive *p, const double **out) {
    RbExprValue v;
    if (!entry(p, "extent"))
        return refuse(icon, p->call->at, "this primitive of an icon has no extent");
    if (!numbers(icon, p, "extent", 2, &v)) return false;
    *out = v.data;
    return v.count == 4 || refuse(icon, p->call->at, "an extent has two corners");
}

typedef RB_ARRAY(double) Numbers; // x and y in turn

static void add_point(const Icon *icon, Numbers *out, double x, double y) {
    rb_array_push(out, icon->fe->work, x);
    rb_array_push(out, icon->fe->work, y);
}

// Of a polygon or a line. The last point, if it is the first again, is left out.
static bool trace_points(const Icon *icon, const Primitive *p, bool line, Numbers *out) {
    RbExprValue v;
    const RbAstExpr *e = entry(p, "points"), *smooth = entry(p, "smooth");
    if (!e) return refuse(icon, p->call->at, "this primitive of an icon has no points");
    if (smooth && smooth->kind == RB_AST_REF &&
        strcmp(smooth->parts[smooth->kid_count - 1].name, "Bezier") == 0)
        return refuse(icon, smooth->at,
                      "a smooth outline has no corners to take: draw it without smooth = "
                      "Smooth.Bezier, with as many points as its curves need");
    if (!numbers(icon, p, "points", 2, &v)) return false;
    int n = v.count / 2;
    const double *x = v.data;
    bool closed = n > 1 && x[0] == x[2 * n - 2] && x[1] == x[2 * n - 1];
    if (line && !closed)
        return refuse(icon, p->call->at,
                      "this line does not end where it begins, and bounds nothing: close it, or "
                      "draw a polygon");
    if (closed) n--;
    if (n < 3) return refuse(icon, e->at, "an outline needs three different points at least");
    for (int i = 0; i < n; i++) add_point(icon, out, x[2 * i], x[2 * i + 1]);
    return true;
}

static bool trace_rectangle(const Icon *icon, const Primitive *p, Numbers *out) {
    const double *x;
    double radius;
    if (!extent_of(icon, p, &x) || !number_or(icon, p, "radius", 0, &radius)) return false;
    if (radius != 0)
        return refuse(icon, p->call->at,
                      "this rectangle has round corners: draw it without radius, or as a polygon");
    if (x[0] == x[2] || x[1] == x[3]) return refuse(icon, p->call->at, "this extent has no area");
    double low[] = {fmin(x[0], x[2]), fmin(x[1], x[3])};
    double high[] = {fmax(x[0], x[2]), fmax(x[1], x[3])};
    add_point(icon, out, low[0], low[1]);
    add_point(icon, out, high[0], low[1]);
    add_point(icon, out, high[0], high[1]);
    add_point(icon, out, low[0], high[1]);
    return true;
}

// cos and sin of an angle [deg], exact at quarter turns.
static void turn(double angle, double out[2]) {
    const double degree = 3.14159265358979323846 / 180;
    static const double quarters[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    double rest = fmod(angle, 360), quarter = (rest < 0 ? rest + 360 : rest) / 90;
    bool exact = quarter == floor(quarter) && quarter < 4;
    out[0] = exact ? quarters[(int)quarter][0] : cos(angle * degree);
    out[1] = exact ? quarters[(int)quarter][1] : sin(angle * degree);
}

static bool trace_ellipse(const Icon *icon, const Primitive *p, int64_t segments, Numbers *out) {
    const double *x;
    double from, to;
    if (!extent_of(icon, p, &x) || !number_or(icon, p, "startAngle", 0, &from) ||
        !number_or(icon, p, "endAngle", 360, &to))
        return false;
    if (to - from != 360)
        return refuse(icon, p->call->at, "this is only a part of an ellipse: draw it as a polygon");
    if (x[0] == x[2] || x[1] == x[3]) return refuse(icon, p->call->at, "this extent has no area");
    for (int64_t i = 0; i < segments; i++) {
        double c[2];
        turn(360 * (double)i / (double)segments, c);
        add_point(icon, out, 0.5 * (x[0] + x[2]) + 0.5 * fabs(x[2] - x[0]) * c[0],
                  0.5 * (x[1] + x[3]) + 0.5 * fabs(x[3] - x[1]) * c[1]);
    }
    return true;
}

// Each primitive is turned by `rotation` [deg] about its origin, which is moved to `origin`.
static bool place(const Icon *icon, const Primitive *p, Numbers *points) {
    double angle, c[2], origin[2] = {0};
    RbExprValue v;
    if (!number_or(icon, p, "rotation", 0, &angle)) return false;
    if (entry(p, "origin")) {
        if (!numbers(icon, p, "origin", 1, &v)) return false;
        origin[0] = v.data[0];
        origin[1] = v.data[1];
    }
    turn(angle, c);
    for (int i = 0; i < points->count; i += 2) {
        double x = points->data[i], y = points->data[i + 1];
        points->data[i] = origin[0] + (c[0] * x - c[1] * y);
        points->data[i + 1] = origin[1] + (c[1] * x + c[0] * y);
    }
    return true;
}

// extends A annotation(IconMap(extent = ...)) draws the base elsewhere and in another size.
static bool check_map(const Icon *icon, const Primitive *p) {
    for (const RbClassPart *part = p->part; part; part = part->derived) {
        const RbAstMod *map = rb_annotation_group(part->clause_annotation, "IconMap");
        const RbAstExpr *extent = rb_annotation(map, "extent");
        if (extent)
            return refuse(icon, extent->at,
                          "outlines that an IconMap moves cannot be taken: name the base class "
                          "itself, or draw the outline here");
    }
    return true;
}

static bool trace(const Icon *icon, Kind kind, const Primitive *p, int64_t segments, Numbers *out) {
    bool done = kind == RECTANGLE ? trace_rectangle(icon, p, out)
                : kind == ELLIPSE ? trace_ellipse(icon, p, segments, out)
                                  : trace_points(icon, p, kind == LINE, out);
    return done && check_map(icon, p) && place(icon, p, out);
}

// --- the call ------------------------------------------------------------------------------------

// The instance in whose text the function stands that has this call among its defaults.
static RbInst *caller(const RbBuiltinCall *c) {
    return c->ctx->frame ? c->ctx->frame->around : c->ctx->inst;
}

static RbPos place_of(const RbBuiltinCall *c) {
    const RbFunctionFrame *f = c->ctx->frame;
    return f && f->at.file ? f->at : c->e->at;
}

static RbClass *class_of(const RbBuiltinCall *c, RbPos at) {
    RbClasses *classes = c->fe->classes;
    const RbInst *around = caller(c);
    RbExprValue name;
    RbVal v;
    if (!rb_builtin_typed(c, NAME, 's', &v) ||
        !rb_val_evaluate(c->fe, &v, &name, at, "the class whose icon is asked for"))
        return NULL;
    if (name.text[0][0] == '\0') {
        if (around) return around->class;
        rb_fail(c->fe->diag, RB_ERROR_MODEL, at,
                "say whose icon is meant: className = \"Package.Class\"");
        return NULL;
    }
    RbClassPart *scope = around ? around->class->root : classes->top->root;
    return rb_class_of_text(classes, scope, name.text[0], at, "class of an icon");
}

static bool integer_of(const RbBuiltinCall *c, int i, RbPos at, const char *what, int64_t *out) {
    RbVal v = rb_builtin_arg(c, i);
    return rb_val_evaluate_integer(c->fe, &v, out, at, what);
}

static RbVal as_constant(RbFrontEnd *fe, const Numbers *points) {
    RbVal v = {.kind = RB_VAL_EXPR,
               .type = RB_REAL,
               .rank = 2,
               .dims = {points->count / 2, 2},
               .variability = RB_AST_CONSTANT};
    RbExprValue value = rb_value_array(fe->work, RB_REAL, v.rank, v.dims);
    memcpy(value.data, points->data, (size_t)points->count * sizeof(double));
    v.e = rb_value_expr(fe->x, &value, *fe->scratch);
    return v;
}

RbVal rb_builtin_traced_points(const RbBuiltinCall *c) {
    enum { SEGMENTS_MAX = 100000 };
    RbPos at = place_of(c);
    int64_t index, kind, segments;
    if (!rb_builtin_count(c, ARGUMENTS, ARGUMENTS)) return rb_val_error();
    Icon icon = {.fe = c->fe, .class = class_of(c, at)};
    if (!icon.class || !rb_class_ready(c->fe->classes, icon.class) ||
        !integer_of(c, INDEX, at, "which outline is asked for", &index) ||
        !integer_of(c, PRIMITIVE, at, "which primitive is asked for", &kind) ||
        !integer_of(c, SEGMENTS, at, "the number of segments", &segments))
        return rb_val_error();
    if (kind < 1 || kind > KINDS) return rb_builtin_fail(c, at, "there is no such primitive");
    if (segments < 3 || segments > SEGMENTS_MAX)
        return rb_builtin_fail(c, at, "the number of segments must be from 3 to 100000");
    Primitive primitive;
    Numbers points = {0};
    collect(&icon, icon.class->root);
    if (choose(&icon, (Kind)(kind - 1), index, at, &primitive)) {
        if (trace(&icon, (Kind)(kind - 1), &primitive, segments, &points))
            return as_constant(c->fe, &points);
        rb_note(c->fe->diag, at, "the icon of '%s' is used here", icon.class->full_name);
    }
    return rb_val_error();
}
