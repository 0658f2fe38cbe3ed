// SPDX-License-Identifier: MIT
// What there is to see of meshes that touch, on request: the polygons that bound what they share, with their
// pressure as colour, and the force of each region.
#include "io/drawing.h"
#include "multibody/touching_solids.h"

// Room of one pair in a picture; what does not fit is left out.
enum { POLYGONS = 512, CORNERS = 4 * POLYGONS, REGIONS = 64, MOST_CORNERS = 64 };

static bool may_show(const Mechanism *m, int pair) {
    return m->scene->solids.data[pair].show && m->forces.solids[pair].law == RB_SOLIDS_VOLUME;
}

static bool is_shown(const Mechanism *m, const RbEval *e, int pair) {
    return may_show(m, pair) && !m->forces.solids[pair].idle &&
           rb_mechanism_solids_touch(m, e->discrete, pair);
}

static int shown_pairs(const Mechanism *m) {
    int count = 0;
    for (int i = 0; i < m->scene->solids.count; i++) count += may_show(m, i);
    return count;
}

void rb_mechanism_draw_solids(const Mechanism *m, RbDrawing *d) {
    int pairs = shown_pairs(m);
    if (pairs == 0) return;
    RbDrawObject patches = rb_draw_object("contact patches", RB_FORM_POLYGONS);
    rb_drawing_add(d, &patches);
    rb_drawing_room(d, 1, (size_t)pairs * REGIONS * RB_CONTACT_BYTES);
    rb_drawing_room(d, pairs * POLYGONS, (size_t)pairs * CORNERS * 4 * sizeof(float));
}

// A pair as it is now: its overlap, and how its frame a stands in the world.
typedef struct Now {
    const RbSolidsForce *force;
    RbMeshOverlap *overlap;
    Pose a;
    RbVolumeMotion motion;
} Now;

static Now now(const Mechanism *m, const RbEval *e, int pair) {
    MechanismWork *w = e->workspace;
    const RbSolidsForce *f = &m->forces.solids[pair];
    rb_mechanism_load_solids(m, e->discrete, pair, w);
    RbSolidsPlace place = rb_mechanism_solids_place(f, w);
    Now n = {f, rb_mechanism_overlap(f, w), rb_frame_pose(&w->kin, f->a), place.motion};
    rb_mesh_overlap_apart(n.overlap, rb_solids_mesh(f, &place, &n.motion.axis));
    return n;
}

static void show_region(const Mechanism *m, int pair, int region, const Now *n,
                        RbPicture *picture) {
    const RbSceneSolids *given = &m->scene->solids.data[pair];
    const RbOverlapRegion *r = &n->overlap->regions.data[region];
    RbVolumeState s = rb_volume_state(&n->force->volume, n->overlap, &n->motion);
    RbVolumeForce f = rb_volume_force(&s, region);
    Vec3 torque = v3_sub(f.torque, v3_cross(f.point, f.force));
    RbDrawContact c = {.a = given->a - 1, .b = given->b - 1, .depth = r->high - r->low};
    v3_store(c.point, pose_point(n->a, f.point));
    v3_store(c.normal, m3_mul_vec(n->a.R, v3_unit(r->area_a)));
    v3_store(c.force, m3_mul_vec(n->a.R, f.force));
    v3_store(c.torque, m3_mul_vec(n->a.R, torque));
    rb_picture_contact(picture, &c);
}

void rb_mechanism_show_regions(const Mechanism *m, const RbEval *e, RbPicture *picture) {
    for (int i = 0; i < m->scene->solids.count; i++) {
        const RbSceneSolids *given = &m->scene->solids.data[i];
        if (!is_shown(m, e, i) || given->a == 0 || given->b == 0) continue;
        Now n = now(m, e, i);
        for (int r = 0; r < n.overlap->regions.count; r++) show_region(m, i, r, &n, picture);
    }
}

static void show_polygon(const Now *n, const RbOverlapPolygon *p, int object, RbPicture *picture) {
    const RbMeshCut *cut = &n->overlap->cut;
    const RbCutLoop *l = &cut->loops.data[p->loop];
    double corners[4 * MOST_CORNERS];
    if (l->count > MOST_CORNERS) return;
    double pressure = rb_volume_pressure(&n->force->volume, n->overlap, p->region);
    for (int i = 0; i < l->count; i++) {
        Vec3 x = rb_cut_point(cut, l->side, cut->nodes.data[l->first + i]);
        v3_store(corners + 4 * i, pose_point(n->a, x));
        corners[4 * i + 3] = pressure;
    }
    rb_picture_polygon(picture, object, corners, l->count);
}

void rb_mechanism_show_patches(const Mechanism *m, const RbEval *e, int object,
                               RbPicture *picture) {
    for (int i = 0; i < m->scene->solids.count; i++) {
        if (!is_shown(m, e, i)) continue;
        Now n = now(m, e, i);
        for (int p = 0; p < n.overlap->polygons.count; p++) {
            show_polygon(&n, &n.overlap->polygons.data[p], object, picture);
        }
    }
}
