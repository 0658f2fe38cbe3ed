// SPDX-License-Identifier: MIT
// Checks of the parameters of shapes. All errors of a shape are reported, not only the first.
#include "base/assert.h"
#include "geom/shape.h"

typedef struct Check {
    const RbShape *shape;
    const char *name;
    RbPos at;
    RbDiag *diag;
    RbStatus status; // of the first error; all are reported
} Check;

static const char *subject(const Check *c, RbText *text) {
    rb_text_add(text, rb_shape_kind_name(c->shape->kind));
    if (c->name) rb_text_printf(text, " '%s'", c->name);
    return text->data;
}

static void complain(Check *c, const char *parameter, double value, const char *unit,
                     const char *rule) {
    RbText text = rb_text(c->diag->arena);
    c->status = rb_fail(c->diag, RB_ERROR_MODEL, c->at, "%s of %s is %g%s; it must be %s",
                        parameter, subject(c, &text), value, unit, rule);
}

static void positive(Check *c, const char *parameter, double value) {
    if (!(value > 0) || !isfinite(value)) {
        complain(c, parameter, value, " m", "positive and finite");
    }
}

static void not_negative(Check *c, const char *parameter, double value) {
    if (!(value >= 0) || !isfinite(value)) {
        complain(c, parameter, value, " m", "zero or positive, and finite");
    }
}

static void below(Check *c, const char *parameter, double value, const char *limit_name,
                  double limit, bool may_be_equal) {
    bool above = value > limit || (!may_be_equal && value == limit);
    if (!above || !(limit > 0)) return; // also if one is not a number: reported already
    RbText text = rb_text(c->diag->arena);
    c->status = rb_fail(c->diag, RB_ERROR_MODEL, c->at,
                        "%s of %s is %g m; it must %s the %s of %g m", parameter, subject(c, &text),
                        value, may_be_equal ? "not exceed" : "be below", limit_name, limit);
}

static void axis_valid(Check *c) {
    if (c->shape->axis >= 1 && c->shape->axis <= 3) return;
    complain(c, "axis", c->shape->axis, "", "1, 2 or 3 (along x, y or z)");
}

static void check_lengths(Check *c) {
    positive(c, "lengthX", c->shape->lengths.x);
    positive(c, "lengthY", c->shape->lengths.y);
    positive(c, "lengthZ", c->shape->lengths.z);
}

static void check_round(Check *c) {
    axis_valid(c);
    positive(c, "diameter", c->shape->diameter);
    positive(c, "length", c->shape->length);
}

static void check_inner(Check *c) {
    not_negative(c, "innerDiameter", c->shape->inner_diameter);
    below(c, "innerDiameter", c->shape->inner_diameter, "diameter", c->shape->diameter, false);
}

static void check_cone(Check *c) {
    check_round(c);
    not_negative(c, "topDiameter", c->shape->top_diameter);
    below(c, "topDiameter", c->shape->top_diameter, "diameter", c->shape->diameter, true);
}

static void check_beam(Check *c) {
    axis_valid(c);
    positive(c, "length", c->shape->length);
    positive(c, "width", c->shape->width);
    positive(c, "thickness", c->shape->thickness);
}

static void check_parts(Check *c) {
    not_negative(c, "radius", c->shape->radius);
    RB_ASSERT(c->shape->part_count > 0); // rb_shape_hull and rb_shape_mesh see to it
}

static void check_grid(Check *c) {
    const RbShape *s = c->shape;
    axis_valid(c);
    positive(c, "length", s->length);
    positive(c, "width", s->width);
    positive(c, "distance", s->distance);
    below(c, "distance", s->distance, "length", s->length, true);
    below(c, "distance", s->distance, "width", s->width, true);
    if (!(s->line_width > 0)) complain(c, "lineWidth", s->line_width, "", "positive");
}

static void check_spring(Check *c) {
    const RbShape *s = c->shape;
    check_round(c);
    positive(c, "wireDiameter", s->wire_diameter);
    below(c, "wireDiameter", s->wire_diameter, "length", s->length, false);
    below(c, "wireDiameter", s->wire_diameter, "diameter", s->diameter, false);
    if (!(s->windings > 0) || !isfinite(s->windings)) {
        complain(c, "windings", s->windings, "", "positive and finite");
    }
}

static void check_gearwheel(Check *c) {
    check_round(c);
    check_inner(c);
    if (!isfinite(c->shape->angle)) complain(c, "angle", c->shape->angle, " rad", "finite");
    if (c->shape->teeth < 1) complain(c, "teeth", c->shape->teeth, "", "at least 1");
}

RbStatus rb_shape_check(const RbShape *shape, const char *name, RbPos at, RbDiag *diag) {
    Check c = {shape, name, at, diag, RB_OK};
    switch (shape->kind) {
        case RB_SHAPE_SPHERE: positive(&c, "diameter", shape->diameter); break;
        case RB_SHAPE_ELLIPSOID:
        case RB_SHAPE_BOX: check_lengths(&c); break;
        case RB_SHAPE_CYLINDER:
            check_round(&c);
            check_inner(&c);
            break;
        case RB_SHAPE_CONE: check_cone(&c); break;
        case RB_SHAPE_CAPSULE: check_round(&c); break;
        case RB_SHAPE_BEAM: check_beam(&c); break;
        case RB_SHAPE_HULL:
        case RB_SHAPE_MESH: check_parts(&c); break;
        case RB_SHAPE_COORDINATE_SYSTEM: positive(&c, "length", shape->length); break;
        case RB_SHAPE_GRID: check_grid(&c); break;
        case RB_SHAPE_SPRING: check_spring(&c); break;
        case RB_SHAPE_GEARWHEEL: check_gearwheel(&c); break;
        case RB_SHAPE_TEXT: positive(&c, "charSize", shape->char_size); break;
        case RB_SHAPE_HALFSPACE:
        case RB_SHAPE_KIND_COUNT: break;
    }
    not_negative(&c, "smoothing radius", shape->smoothing);
    not_negative(&c, "contact radius", shape->contact_radius);
    return c.status;
}
