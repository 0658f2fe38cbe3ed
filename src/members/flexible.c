// SPDX-License-Identifier: MIT
// Flexible members: the mean frame is an object with modes, which fixed joints lead to from the objects of its frames. Pieces of its shape
// are seen along it.
#include <math.h>

#include "component/segment.h"
#include "flexible/beam.h"
#include "members/members_build.h"

enum { PIECES = RB_FLEXIBLE_PIECES };

// A value that must be larger than zero.
static RbStatus positive(const RbReading *r, const char *name, double *out) {
    const RbMember *member = rb_member(r->m, r->member);
    *out = rb_read_number(r, name, 0);
    if (*out > 0 && isfinite(*out)) return RB_OK;
    return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                   "%s of '%s' is %g; it must be larger than zero", name, member->path, *out);
}

static RbStatus count(const RbReading *r, const char *name, int least, int *out) {
    const RbMember *member = rb_member(r->m, r->member);
    double given = rb_read_number(r, name, 0);
    *out = (int)given;
    if (given >= least && given <= RB_BEAM_MAX_MODES) return RB_OK;
    return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                   "%s of '%s' is %g; it must lie between %d and %d", name, member->path, given,
                   least, RB_BEAM_MAX_MODES);
}

static RbStatus read_beam(const RbReading *r, RbBeam *beam, Vec3 *size) {
    const RbMember *member = rb_member(r->m, r->member);
    double nu = rb_read_number(r, "nu", 0.3);
    RB_TRY(positive(r, "length", &size->x));
    RB_TRY(positive(r, "width", &size->y));
    RB_TRY(positive(r, "height", &size->z));
    *beam = (RbBeam){.length = size->x, .zeta = rb_read_number(r, "zeta", 0)};
    rb_beam_rectangle(size->y, size->z, beam);
    RB_TRY(positive(r, "density", &beam->density));
    RB_TRY(positive(r, "E", &beam->youngs_modulus));
    beam->shear_modulus = beam->youngs_modulus / (2 * (1 + nu));
    beam->stiffening = rb_read_number(r, "stiffening", 1) != 0;
    RB_TRY(count(r, "modes", 2, &beam->bending));
    RB_TRY(count(r, "axialModes", 0, &beam->axial));
    RB_TRY(count(r, "torsionModes", 0, &beam->twisting));
    if (nu > -1 && nu < 0.5 && beam->zeta >= 0) return RB_OK;
    return rb_fail(r->segment->diag, RB_ERROR_MODEL, member->at,
                   "'%s' has nu = %g and zeta = %g; nu must lie between -1 and 0.5, and zeta must "
                   "not be negative",
                   member->path, nu, beam->zeta);
}

void rb_making_modal_joint(SceneBuild *b, int i, int mean, int object, int frame,
                           const RbModalFrame *f) {
    RbObjectJoint j = rb_scene_joint("", RB_JOINT_FIXED, mean, object, V3_ZERO);
    j.pose = (Pose){f->x, f->R};
    j.modal_frame = frame + 1;
    rb_making_joint(b, i, j);
}

static void show_piece(SceneBuild *b, int i, int mean, int k, Vec3 size, const RbModalBody *body) {
    const RbMember *member = rb_member(b->m, i);
    RbSceneObject o = {
        .object = rb_object(rb_arena_printf(b->m->arena, "%s.piece[%d]", member->path, k + 1), -1),
        .has_shape = true,
        .shape = rb_shape_box(v3(size.x / PIECES, size.y, size.z))};
    o.object.at = member->at;
    o.object.feature = RB_FEATURE_VISUAL;
    rb_making_modal_joint(b, i, mean, rb_making_new_object(b, o), 2 + k, &body->frames[2 + k]);
}

// The object of a frame. A beam that nothing is connected to has one, too, which carries it.
static int end_of(SceneBuild *b, int i, int frame) {
    const RbMember *member = rb_member(b->m, i);
    if (member->sets[frame] >= 0) return rb_making_object(b, i, frame);
    RbSceneObject o = rb_frame_object(rb_arena_printf(b->m->arena, "%s.frame_a", member->path), -1,
                                      POSE_IDENTITY);
    o.object.at = member->at;
    return rb_making_new_object(b, o);
}

RbStatus rb_making_flexible(SceneBuild *b, int i) {
    const RbMember *member = rb_member(b->m, i);
    RbReading r = {b->m, b->segment, i};
    double places[2 + PIECES] = {0, 1};
    RbBeam beam;
    Vec3 size;
    RB_TRY(read_beam(&r, &beam, &size));
    for (int k = 0; k < PIECES; k++) places[2 + k] = (k + 0.5) / PIECES;
    RbModalBody *body = rb_beam_modes(&beam, places, 2 + PIECES, b->m->arena);
    int ends[2] = {end_of(b, i, 0), member->sets[1] >= 0 ? end_of(b, i, 1) : -1};
    RbSceneObject o = {.object = rb_object(member->path, -1)};
    o.object.at = member->at;
    o.object.modal = body;
    int mean = rb_making_new_object(b, o);
    for (int k = 0; k < 2; k++)
        if (ends[k] >= 0) rb_making_modal_joint(b, i, mean, ends[k], k, &body->frames[k]);
    for (int k = 0; k < PIECES && rb_read_number(&r, "animation", 1) != 0; k++)
        show_piece(b, i, mean, k, size, body);
    if (b->start_member[ends[0]] == 0) b->start_member[ends[0]] = i + 1;
    return RB_OK;
}

int rb_making_flexible_objects(const RbMember *member) {
    if (member->role == ROLE_FLEXIBLE) return RB_FLEXIBLE_PIECES;
    return member->role == ROLE_FLEXIBLE_BODY ? 2 * member->set_count : 0;
}
