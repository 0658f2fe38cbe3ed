// SPDX-License-Identifier: MIT
// Contacts of a list into a block, and what acts on their grains out of it. Four at a time: places and velocities are
// quadruples in memory, and become lanes by transposing four of them.
#include <math.h>

#include "dem/cloud_parts.h"

typedef double Four __attribute__((vector_size(32)));
typedef double FourAnywhere __attribute__((vector_size(32), aligned(8), may_alias));

#define INLINE __attribute__((always_inline)) static inline

INLINE void load(Four *v, const void *from) {
    *v = *(const FourAnywhere *)from;
}
INLINE void store(void *to, const Four *v) {
    *(FourAnywhere *)to = *v;
}

// Rows become columns.
INLINE void transpose(Four a[4]) {
    Four t0 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6);
    Four t1 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7);
    Four t2 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6);
    Four t3 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
    a[0] = __builtin_shufflevector(t0, t2, 0, 1, 4, 5);
    a[1] = __builtin_shufflevector(t1, t3, 0, 1, 4, 5);
    a[2] = __builtin_shufflevector(t0, t2, 2, 3, 6, 7);
    a[3] = __builtin_shufflevector(t1, t3, 2, 3, 6, 7);
}

// x, y, z, w of four grains.
INLINE void load_lanes(Four a[4], const RbQuad *quads, const int *at) {
    for (int l = 0; l < 4; l++) load(&a[l], &quads[at[l]]);
    transpose(a);
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
    for (int m = 0; m < b->count; m++) {
        int k = b->pair[m];
        b->hx[m] = list->slide[k].x, b->hy[m] = list->slide[k].y, b->hz[m] = list->slide[k].z;
        rb_grain_block_take_grip(b, m, list->touches[k]);
        if (list->turn)
            b->gx[m] = list->turn[k].x, b->gy[m] = list->turn[k].y, b->gz[m] = list->turn[k].z;
        if (!b->one_law)
            set_law(b, m, law_of(cloud, (int)cloud->w[b->i[m]].w, (int)cloud->w[b->j[m]].w));
    }
}

// Second grains of four contacts to where they are seen.
static void add_images(const RbCloud *cloud, const RbGrainList *list, const int *pairs, Four q[4]) {
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
        double one = rb_cloud_contact_mass(cloud, i, n), two = rb_cloud_contact_mass(cloud, j, n);
        b->mass[m] = one * two / (one + two);
    }
}

RB_WIDE static void gather_motion(const RbCloud *cloud, const RbGrainList *list, RbGrainBlock *b) {
    pad(b);
    gather_pairs(cloud, list, b);
    for (int m = 0; m < b->count; m += 4) {
        Four r[4], q[4], v[4], u[4], w[4], z[4];
        load_lanes(r, cloud->r, &b->i[m]), load_lanes(q, cloud->r, &b->j[m]);
        if (list->image) add_images(cloud, list, &b->pair[m], q);
        load_lanes(v, cloud->v, &b->i[m]), load_lanes(u, cloud->v, &b->j[m]);
        load_lanes(w, cloud->w, &b->i[m]), load_lanes(z, cloud->w, &b->j[m]);
        Four x = r[0] - q[0], y = r[1] - q[1], n = r[2] - q[2], length = x * x + y * y + n * n;
        for (int l = 0; l < 4; l++) length[l] = sqrt(length[l]);
        Four inverse = 1 / length, sum = r[3] + q[3], depth = sum - length;
        Four la = r[3] - 0.5 * depth, lb = q[3] - 0.5 * depth;
        Four radius = r[3] * q[3] / sum, mass = v[3] * u[3] / (v[3] + u[3]);
        Four d[3] = {x * inverse, y * inverse, n * inverse};
        store(&b->depth[m], &depth), store(&b->radius[m], &radius), store(&b->mass[m], &mass);
        store(&b->la[m], &la), store(&b->lb[m], &lb);
        double *normal[3] = {b->nx, b->ny, b->nz}, *speed[3] = {b->ux, b->uy, b->uz};
        double *turning[3] = {b->sx, b->sy, b->sz}, *spin[3] = {b->px, b->py, b->pz};
        for (int c = 0; c < 3; c++) {
            Four s = la * w[c] + lb * z[c], o = v[c] - u[c], p = w[c] - z[c];
            store(&normal[c][m], &d[c]), store(&turning[c][m], &s);
            store(&speed[c][m], &o), store(&spin[c][m], &p);
        }
    }
}

void rb_cloud_gather(const RbCloud *cloud, const RbGrainList *list, RbGrainBlock *b) {
    gather_motion(cloud, list, b);
    if (cloud->bodies.count > 0) gather_masses(cloud, b);
}

INLINE void add_to(RbQuad *q, const Four *by) {
    Four sum;
    load(&sum, q);
    sum += *by;
    store(q, &sum);
}

// Forces on the first grains of four contacts, torques on the first and the second: as quadruples.
INLINE void load_actions(const RbGrainBlock *b, int m, bool turning, Four f[4], Four t[4],
                         Four o[4]) {
    const double *force[3] = {b->fx, b->fy, b->fz}, *friction[3] = {b->cx, b->cy, b->cz};
    const double *torque[3] = {b->tx, b->ty, b->tz};
    Four la, lb, none = {0, 0, 0, 0};
    load(&la, &b->la[m]), load(&lb, &b->lb[m]);
    for (int c = 0; c < 3; c++) {
        Four by, roll;
        load(&f[c], &force[c][m]), load(&by, &friction[c][m]);
        t[c] = -la * by, o[c] = -lb * by;
        if (!turning) continue;
        load(&roll, &torque[c][m]);
        t[c] += roll, o[c] -= roll;
    }
    f[3] = t[3] = o[3] = none;
    transpose(f), transpose(t), transpose(o);
}

static void keep_springs(RbGrainList *list, bool sticky, const RbGrainBlock *b) {
    for (int m = 0; m < b->count; m++) {
        int k = b->pair[m];
        list->touches[k] =
            !sticky || b->lasts[m] > 0 ? rb_grain_block_grip(b, m, list->turn != NULL) : 0;
        list->slide[k] = v3(b->hx[m], b->hy[m], b->hz[m]);
        if (list->turn) list->turn[k] = v3(b->gx[m], b->gy[m], b->gz[m]);
    }
}

RB_WIDE void rb_cloud_scatter(RbCloud *cloud, RbGrainList *list, RbReaction *reactions,
                              const RbGrainBlock *b) {
    RbQuad *on = cloud->f1, *turns = cloud->t1;
    keep_springs(list, cloud->reach > 0, b);
    for (int m = 0; m < b->count; m += 4) {
        Four f[4], t[4], o[4];
        load_actions(b, m, cloud->turning, f, t, o);
        for (int l = 0; l < 4 && m + l < b->count; l++) {
            Four back = -f[l];
            add_to(&on[b->i[m + l]], &f[l]);
            add_to(&turns[b->i[m + l]], &t[l]);
            if (reactions) {
                store(&reactions[b->pair[m + l]].f, &back);
                store(&reactions[b->pair[m + l]].t, &o[l]);
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
    enum { LANES = 4 };
    double s[LANES] = {0}, d[LANES] = {0};
    int whole = b->count / LANES * LANES;
    for (int m = 0; m < whole; m += LANES) {
        for (int l = 0; l < LANES; l++) {
            double depth = b->depth[m + l] / b->radius[m + l], stiff = b->stiffness[m + l];
            s[l] = stiff > s[l] ? stiff : s[l];
            d[l] = depth > d[l] ? depth : d[l];
        }
    }
    for (int m = whole; m < b->count; m++) {
        s[0] = fmax(s[0], b->stiffness[m]);
        d[0] = fmax(d[0], b->depth[m] / b->radius[m]);
    }
    for (int l = 0; l < LANES; l++) {
        *stiffest2 = s[l] > *stiffest2 ? s[l] : *stiffest2;
        *deepest = d[l] > *deepest ? d[l] : *deepest;
    }
}
