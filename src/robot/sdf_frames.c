// SPDX-License-Identifier: MIT
#include "robot/sdf_frames.h"

#include <math.h>
#include <string.h>

enum { MOST_FRAMES = 10000 };
enum { UNPLACED, PLACING, PLACED };

#define REFUSE(f, element, ...) rb_fail((f)->diag, RB_ERROR_MODEL, (element)->at, __VA_ARGS__)

static bool is(const char *text, const char *word) {
    return text && strcmp(text, word) == 0;
}

const char *rb_sdf_text(RbXml *of, const char *child, RbArena *arena) {
    RbXml *e = rb_xml_child(of, child);
    if (!e) return NULL;
    const char *text = e->text + strspn(e->text, " \t\r\n");
    rb_xml_mapped(e);
    return rb_arena_bytes(arena, text, strcspn(text, " \t\r\n"));
}

RbStatus rb_sdf_read_pose(RbXml *of, RbDiag *diag, Pose *out) {
    RbXml *e = rb_xml_child(of, "pose");
    double d[7] = {0};
    int count;
    *out = pose(v3(0, 0, 0), (Quat){1, 0, 0, 0});
    if (!e) return RB_OK;
    bool quaternion = is(rb_xml_attribute(e, "rotation_format"), "quat_xyzw");
    double unit = is(rb_xml_attribute(e, "degrees"), "true") ? M_PI / 180 : 1;
    rb_xml_mapped(e);
    if (e->text[strspn(e->text, " \t\r\n")] == 0) return RB_OK;
    RB_TRY(rb_xml_numbers(e, NULL, quaternion ? 7 : 6, quaternion ? 7 : 6, d, &count, diag));
    if (quaternion) {
        Quat q = {d[6], d[3], d[4], d[5]};
        if (!(q_norm2(q) > 0))
            return rb_fail(diag, RB_ERROR_MODEL, e->at, "the quaternion of <pose> has no length");
        *out = pose(v3_load(d), q_unit(q));
        return RB_OK;
    }
    for (int i = 3; i < 6; i++) d[i] *= unit;
    *out = pose(v3_load(d), rb_robot_rpy(d + 3));
    return RB_OK;
}

// ---- the list

static const char *scoped(RbSdfFrames *f, int model, const char *name) {
    return model < 0 ? name : rb_arena_printf(f->arena, "%s::%s", f->list.data[model].name, name);
}

static RbStatus add(RbSdfFrames *f, RbXml *e, RbSdfKind kind, int model) {
    const char *name;
    RB_TRY(rb_xml_needed(e, "name", &name, f->diag));
    name = scoped(f, model, name);
    for (int i = 0; i < f->list.count; i++)
        if (is(f->list.data[i].name, name))
            return REFUSE(f, e, "there are two of the name '%.80s'; rename one", name);
    if (f->list.count == MOST_FRAMES)
        return REFUSE(f, e, "at most %d links, joints and frames are read", MOST_FRAMES);
    RbSdfFrame frame = {.name = name, .kind = kind, .model = model, .from = e};
    rb_array_push(&f->list, f->arena, frame);
    return RB_OK;
}

RbStatus rb_sdf_list_world(RbSdfFrames *f, RbXml *world) {
    for (RbXml *e = rb_xml_child(world, "frame"); e; e = rb_xml_next(e))
        RB_TRY(add(f, e, RB_SDF_FRAME, RB_SDF_WORLD));
    return RB_OK;
}

RbStatus rb_sdf_list(RbSdfFrames *f, RbXml *model, int outer) {
    static const char *const kinds[] = {"link", "joint",
                                        "frame"}; // ORDER RbSdfKind from RB_SDF_LINK
    int own = f->list.count;
    RB_TRY(add(f, model, RB_SDF_MODEL, outer));
    const char *text = rb_sdf_text(model, "static", f->arena);
    f->list.data[own].is_static =
        is(text, "true") || is(text, "1") || (outer >= 0 && f->list.data[outer].is_static);
    rb_xml_mapped(model);
    for (RbXml *e = model->first; e; e = e->next) {
        for (int k = 0; k < 3; k++)
            if (is(e->name, kinds[k])) RB_TRY(add(f, e, (RbSdfKind)(RB_SDF_LINK + k), own));
        if (is(e->name, "model")) RB_TRY(rb_sdf_list(f, e, own));
    }
    return RB_OK;
}

RbStatus rb_sdf_find(RbSdfFrames *f, RbXml *at, int model, const char *name, int *frame) {
    *frame = RB_SDF_WORLD;
    if (is(name, "world")) return RB_OK;
    *frame = model;
    if (is(name, "__model__")) return RB_OK;
    const char *of_model = strstr(name, "::__model__");
    if (of_model) name = rb_arena_bytes(f->arena, name, (size_t)(of_model - name));
    RbNear near = {.wanted = name};
    const char *whole = scoped(f, model, name);
    size_t prefix = strlen(whole) - strlen(name);
    for (*frame = 0; *frame < f->list.count; ++*frame) {
        const RbSdfFrame *x = &f->list.data[*frame];
        if (is(x->name, whole)) return RB_OK;
        if (strncmp(x->name, whole, prefix) == 0) rb_text_try_near(&near, x->name + prefix);
    }
    return REFUSE(f, at, "there is no link, joint, frame or model '%.60s' here%s", name,
                  rb_text_near_question(&near, "", f->arena));
}

// ---- links that frames are fixed to

static RbStatus canonical_link(RbSdfFrames *f, int model, int *link) {
    const char *name = rb_xml_attribute(f->list.data[model].from, "canonical_link");
    if (name) return rb_sdf_find(f, f->list.data[model].from, model, name, link);
    for (*link = model + 1; *link < f->list.count; ++*link) { // also of a nested model
        const RbSdfFrame *x = &f->list.data[*link];
        int m = x->model;
        while (m > model) m = f->list.data[m].model;
        if (x->kind == RB_SDF_LINK && m == model) return RB_OK;
    }
    return REFUSE(f, f->list.data[model].from, "the model '%.60s' has no link",
                  f->list.data[model].name);
}

RbStatus rb_sdf_link_of(RbSdfFrames *f, int frame, int *link) {
    for (int steps = 0; steps <= f->list.count; steps++) {
        *link = frame;
        if (frame == RB_SDF_WORLD) return RB_OK;
        const RbSdfFrame *x = &f->list.data[frame];
        const char *name = NULL;
        if (x->kind == RB_SDF_LINK) return RB_OK;
        if (x->kind == RB_SDF_FRAME) name = rb_xml_attribute(x->from, "attached_to");
        if (x->kind == RB_SDF_JOINT) name = rb_sdf_text(x->from, "child", f->arena);
        if (name)
            RB_TRY(rb_sdf_find(f, x->from, x->model, name, &frame));
        else if (x->kind != RB_SDF_MODEL && x->model == RB_SDF_WORLD)
            frame = RB_SDF_WORLD;
        else
            RB_TRY(canonical_link(f, x->kind == RB_SDF_MODEL ? frame : x->model, &frame));
    }
    return REFUSE(f, f->list.data[frame].from, "'%.60s' is attached to itself",
                  f->list.data[frame].name);
}

// ---- places

Pose rb_sdf_pose(const RbSdfFrames *f, int frame) {
    return frame < 0 ? pose(v3(0, 0, 0), (Quat){1, 0, 0, 0}) : f->list.data[frame].pose;
}

// What a pose is relative to if nothing is said: a joint stands at its child, a frame where it is attached, all others in their model.
static const char *usual_base(RbSdfFrames *f, const RbSdfFrame *x) {
    if (x->kind == RB_SDF_JOINT) return rb_sdf_text(x->from, "child", f->arena);
    if (x->kind == RB_SDF_FRAME) return rb_xml_attribute(x->from, "attached_to");
    return NULL;
}

static RbStatus place(RbSdfFrames *f, int frame, int depth) {
    RbSdfFrame *x = frame < 0 ? NULL : &f->list.data[frame];
    if (!x || x->state == PLACED) return RB_OK;
    if (x->state == PLACING || depth > 1000)
        return REFUSE(f, x->from, "the pose of '%.60s' is relative to itself", x->name);
    RbXml *e = rb_xml_child(x->from, "pose");
    const char *name = e ? rb_xml_attribute(e, "relative_to") : NULL;
    int base = x->model;
    if (!name || !*name) name = usual_base(f, x);
    x->state = PLACING;
    if (name && *name) RB_TRY(rb_sdf_find(f, x->from, x->model, name, &base));
    RB_TRY(place(f, base, depth + 1));
    RB_TRY(rb_sdf_read_pose(x->from, f->diag, &x->pose));
    x->pose = pose_mul(rb_sdf_pose(f, base), x->pose);
    x->state = PLACED;
    return RB_OK;
}

RbStatus rb_sdf_place_all(RbSdfFrames *f) {
    for (int i = 0; i < f->list.count; i++) RB_TRY(place(f, i, 0));
    return RB_OK;
}
