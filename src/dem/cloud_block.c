// SPDX-License-Identifier: MIT
// Contacts of a list into a block, and what acts on their grains out of it. RbFour at a time: places and velocities are
// quadruples in memory, and become lanes by transposing four of them.
#include <math.h>

#include "dem/cloud_parts.h"
#include "dem/four.h"

// x, y, z, w of four grains.
RB_FOUR_INLINE void load_lanes(RbFour a[4], const RbQuad *quads, const int *at) {
    for (int l = 0; l < 4; l++) rb_four_load(&a[l], &quads[at[l]]);
    rb_four_transpose(a);
}

static void set_law(RbGrainBlock *b, int m, const RbGrainLaw *law) {
    b->normal[m] = law->normal;
    b->tangential[m] = law->tangential;
    b->normal_damping[m] = law->normal_damping;
    b->tangential_damping[m] = law->tangential_damping;
    b->sliding[m] = law->sliding;
    b->rolling_damping[m] = law->rolling_damping;
    b->rolling[m] = law->rolling;
    b->twisting[m] = law->twisting;
    b->adhesion[m] = law->adhesion;
}

static const RbGrainLaw *law_of(const RbCloud *cloud, int a, int b) {
    return &cloud->options.laws[a * cloud->options.materials + b];
}

void rb_cloud_empty_block(const RbCloud *cloud, bool start, RbGrainBlock *b) {
    double h = cloud->step;
    int all = cloud->grain_material;
    b->count = 0;
    b->step = h;
    b->half_step = start ? -0.5 * cloud->ahead : 0.5 * h; // back to ξ, or on
    b->fresh = start ? 0 : h;
    b->one_law = all >= 0;
    for (int m = 0; b->one_law && m < RB_GRAIN_BLOCK; m++) set_law(b, m, law_of(cloud, all, all));
}

// Lanes up to a multiple of four are those of the last contact once more.
static void pad(RbGrainBlock *b) {
    int last = b->count - 1;
    for (int m = b->count; m % 4 != 0; m++)
        b->i[m] = b->i[last], b->j[m] = b->j[last], b->pair[m] = b->pair[last];
}

// What pairs remember, and their laws.
static void gather_pairs(const RbCloud *cloud, const RbGrainList *list, RbGrainBlock *b) {
    static const double LANE[2] = {0, 1};
    for (int m = 0; m < b->count; m++) {
        int k = b->pair[m];
        Vec3 slide = list->slide[k];
        RbGrip touches = list->touches[k];
        b->hx[m] = slide.x, b->hy[m] = slide.y, b->hz[m] = slide.z;
        b->was[m] = LANE[touches & RB_GRIPS], b->slides[m] = LANE[(touches & RB_GRIP_SLIDES) != 0];
    }
    for (int m = 0; list->turn && m < b->count; m++) {
        int k = b->pair[m];
        rb_grain_block_take_grip(b, m, list->touches[k]);
        b->gx[m] = list->turn[k].x, b->gy[m] = list->turn[k].y, b->gz[m] = list->turn[k].z;
    }
    for (int m = 0; !b->one_law && m < b->count; m++)
        set_law(b, m, law_of(cloud, (int)cloud->w[b->i[m]].w, (int)cloud->w[b->j[m]].w));
}

// Second grains of four contacts to where they are seen.
static void add_images(const RbCloud *cloud, const RbGrainList *list, const int *pairs,
                       RbFour q[4]) {
    for (int l = 0; l < 4; l++) {
        Vec3 by = cloud->images[list->image[pairs[l]]];
        q[0][l] += by.x, q[1][l] += by.y, q[2][l] += by.z;
    }
}

// Members of clumps: the masses depend on where they are touched.
static void gather_masses(const RbCloud *cloud, RbGrainBlock *b) {
    for (int m = 0; m < b->count; m++) {
        int i = b->i[m], j = b->j[m];
        if (cloud->body[i] < 0 && cloud->body[j] < 0) continue;
        Vec3 n = v3(b->nx[m], b->ny[m], b->nz[m]);
        double at_once, one = rb_cloud_contact_mass(cloud, i, n, &at_once),
                        two = rb_cloud_contact_mass(cloud, j, n, &at_once);
        b->mass[m] = one * two / (one + two);
    }
}

RB_WIDE static void gather_motion(const RbCloud *cloud, const RbGrainList *list, RbGrainBlock *b) {
    pad(b);
    gather_pairs(cloud, list, b);
    for (int m = 0; m < b->count; m += 4) {
        RbFour r[4], q[4], v[4], u[4], w[4], z[4];
        load_lanes(r, cloud->r, &b->i[m]), load_lanes(q, cloud->r, &b->j[m]);
        if (list->image) add_images(cloud, list, &b->pair[m], q);
        load_lanes(v, cloud->v, &b->i[m]), load_lanes(u, cloud->v, &b->j[m]);
        load_lanes(w, cloud->w, &b->i[m]), load_lanes(z, cloud->w, &b->j[m]);
        RbFour x = r[0] - q[0], y = r[1] - q[1], n = r[2] - q[2], length = x * x + y * y + n * n;
        for (int l = 0; l < 4; l++) length[l] = sqrt(length[l]);
        RbFour inverse = 1 / length, sum = r[3] + q[3], depth = sum - length;
        RbFour la = r[3] - 0.5 * depth, lb = q[3] - 0.5 * depth;
        RbFour radius = r[3] * q[3] / sum, mass = v[3] * u[3] / (v[3] + u[3]);
        RbFour d[3] = {x * inverse, y * inverse, n * inverse};
        rb_four_store(&b->depth[m], &depth), rb_four_store(&b->radius[m], &radius),
            rb_four_store(&b->mass[m], &mass);
        rb_four_store(&b->la[m], &la), rb_four_store(&b->lb[m], &lb);
        double *normal[3] = {b->nx, b->ny, b->nz}, *speed[3] = {b->ux, b->uy, b->uz};
        double *turning[3] = {b->sx, b->sy, b->sz}, *spin[3] = {b->px, b->py, b->pz};
        for (int c = 0; c < 3; c++) {
            RbFour s = la * w[c] + lb * z[c], o = v[c] - u[c], p = w[c] - z[c];
            rb_four_store(&normal[c][m], &d[c]), rb_four_store(&turning[c][m], &s);
            rb_four_store(&speed[c][m], &o), rb_four_store(&spin[c][m], &p);
        }
    }
}

void rb_cloud_gather(const RbCloud *cloud, const RbGrainList *list, RbGrainBlock *b) {
    gather_motion(cloud, list, b);
    if (cloud->bodies.count > 0) gather_masses(cloud, b);
}

RB_FOUR_INLINE void add_to(RbQuad *q, const RbFour *by) {
    RbFour sum;
    rb_four_load(&sum, q);
    sum += *by;
    rb_four_store(q, &sum);
}

// Forces on the first grains of four contacts, torques on the first and the second: as quadruples.
RB_FOUR_INLINE void load_actions(const RbGrainBlock *b, int m, bool turning, RbFour f[4],
                                 RbFour t[4], RbFour o[4]) {
    const double *force[3] = {b->fx, b->fy, b->fz}, *friction[3] = {b->cx, b->cy, b->cz};
    const double *torque[3] = {b->tx, b->ty, b->tz};
    RbFour la, lb, none = {0, 0, 0, 0};
    rb_four_load(&la, &b->la[m]), rb_four_load(&lb, &b->lb[m]);
    for (int c = 0; c < 3; c++) {
        RbFour by, roll;
        rb_four_load(&f[c], &force[c][m]), rb_four_load(&by, &friction[c][m]);
        t[c] = -la * by, o[c] = -lb * by;
        if (!turning) continue;
        rb_four_load(&roll, &torque[c][m]);
        t[c] += roll, o[c] -= roll;
    }
    f[3] = t[3] = o[3] = none;
    rb_four_transpose(f), rb_four_transpose(t), rb_four_transpose(o);
}

static void keep_springs(RbGrainList *list, bool sticky, const RbGrainBlock *b) {
    RbGrip *touches = list->touches;
    Vec3 *slide = list->slide;
    for (int m = 0; m < b->count; m++) {
        int k = b->pair[m];
        touches[k] = rb_grain_block_grip(b, m, false);
        slide[k] = v3(b->hx[m], b->hy[m], b->hz[m]);
    }
    for (int m = 0; list->turn && m < b->count; m++) {
        touches[b->pair[m]] = rb_grain_block_grip(b, m, true);
        list->turn[b->pair[m]] = v3(b->gx[m], b->gy[m], b->gz[m]);
    }
    for (int m = 0; sticky && m < b->count; m++) {
        if (!(b->lasts[m] > 0)) touches[b->pair[m]] = 0;
    }
}

RB_WIDE void rb_cloud_scatter(RbCloud *cloud, RbGrainList *list, const int *slots,
                              const RbGrainBlock *b) {
    RbQuad *on = cloud->f1, *turns = cloud->t1;
    keep_springs(list, cloud->reach > 0, b);
    for (int m = 0; m < b->count; m += 4) {
        RbFour f[4], t[4], o[4];
        load_actions(b, m, cloud->turning, f, t, o);
        for (int l = 0; l < 4 && m + l < b->count; l++) {
            RbFour back = -f[l];
            add_to(&on[b->i[m + l]], &f[l]);
            add_to(&turns[b->i[m + l]], &t[l]);
            if (slots) {
                RbReaction *reaction = &cloud->reactions[slots[b->pair[m + l]]];
                back[3] = list->touches[b->pair[m + l]] != 0;
                rb_four_store(&reaction->f, &back);
                rb_four_store(&reaction->t, &o[l]);
            } else {
                add_to(&on[b->j[m + l]], &back);
                add_to(&turns[b->j[m + l]], &o[l]);
            }
        }
    }
}

void rb_cloud_wall_law(const RbCloud *cloud, double grain, int wall, RbGrainBlock *b, int m) {
    set_law(b, m, law_of(cloud, (int)grain, wall));
}

RB_WIDE void rb_grain_block_extremes(const RbGrainBlock *b, double *stiffest2, double *deepest) {
    RbFour s = {0, 0, 0, 0}, d = {0, 0, 0, 0};
    int m = 0;
    for (; m + 4 <= b->count; m += 4) {
        RbFour stiff, depth, radius;
        rb_four_load(&stiff, &b->stiffness[m]), rb_four_load(&depth, &b->depth[m]);
        rb_four_load(&radius, &b->radius[m]);
        depth /= radius;
        rb_four_raise(&s, &stiff), rb_four_raise(&d, &depth);
    }
    for (; m < b->count; m++) {
        s[0] = fmax(s[0], b->stiffness[m]);
        d[0] = fmax(d[0], b->depth[m] / b->radius[m]);
    }
    for (int l = 0; l < 4; l++) {
        *stiffest2 = s[l] > *stiffest2 ? s[l] : *stiffest2;
        *deepest = d[l] > *deepest ? d[l] : *deepest;
    }
}
