// SPDX-License-Identifier: MIT
// Flexible bodies in the tree. The oracle knows clouds of point masses, each with its own displacement per
// mode, in maximal coordinates: mass matrix and forces are sums over the points, joints are equations
// with multipliers. It shares no formula with the recursions.
#include "trees.h"

#include "rigid/force_gravity.h"
#include "rigid/modes.h"

enum {
    PARTS = 10,
    POINTS = 12,
    MODES = 5,
    FRAMES = 3,
    ROWS = PARTS * (6 + MODES) + 6 * PARTS // of the largest system
};

typedef struct Part {
    int n; // modes; 0: rigid
    double m[POINTS];
    Vec3 X[POINTS], phi[POINTS][MODES];
    RbModalBody model;
    double omega[MODES], zeta[MODES], P0[9 * MODES], P[9 * MODES * MODES], w[9 * MODES * MODES];
    RbModalFrame frames[FRAMES];
    double frame_phi[FRAMES][3 * MODES], frame_theta[FRAMES][3 * MODES];
    double frame_H[FRAMES][3 * MODES * MODES];
    // how it hangs: its frame `own` by a joint on frame `on` of the parent
    int parent, on, own;
    RbJoint joint;
    int body;        // of the tree: mean frame, or the rigid body
    int carrier;     // that is at the frame `own`
    int end[FRAMES]; // bodies at its frames; 0: none
    int at;          // first unknown
} Part;

typedef struct System {
    Fixture f;
    RbRng rng;
    Part *parts;
    int count;
    RbTree tree;
    RbKin kin;
    RbDyn dyn;
    double q[MAX_STATE], v[MAX_STATE], dv[MAX_STATE];
    Wrench *forces;
    RbGravity gravity;
} System;

// ---- clouds

static double inner(const Part *p, const Vec3 *a, const Vec3 *b) {
    double sum = 0;
    for (int i = 0; i < POINTS; i++) sum += p->m[i] * v3_dot(a[i], b[i]);
    return sum;
}

static void take_out(const Part *p, const Vec3 *unit, Vec3 *field) {
    double share = inner(p, unit, field);
    for (int i = 0; i < POINTS; i++) field[i] = v3_axpy(field[i], -share, unit[i]);
}

// Random fields, orthonormal and orthogonal to the rigid ones: that is what mean axes say.
static void make_modes(RbRng *rng, Part *p) {
    Vec3 all[6 + MODES][POINTS];
    for (int k = 0; k < 6 + p->n; k++) {
        for (int i = 0; i < POINTS; i++)
            all[k][i] = k < 3   ? v3_axis(k)
                        : k < 6 ? v3_cross(v3_axis(k - 3), p->X[i])
                                : random_vec(rng);
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < k; j++) take_out(p, all[j], all[k]);
        double scale = 1 / sqrt(inner(p, all[k], all[k]));
        for (int i = 0; i < POINTS; i++) all[k][i] = v3_scale(scale, all[k][i]);
        for (int i = 0; k >= 6 && i < POINTS; i++) p->phi[i][k - 6] = all[k][i];
    }
}

static void add_outer(double *out, double m, Vec3 a, Vec3 b) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) out[3 * r + c] += m * v3_get(a, r) * v3_get(b, c);
}

static void make_model(RbRng *rng, Part *p) {
    double P00[9] = {0}, mass = 0;
    int n = p->n;
    for (int i = 0; i < POINTS; i++) {
        mass += p->m[i];
        add_outer(P00, p->m[i], p->X[i], p->X[i]);
        for (int a = 0; a < n; a++) {
            add_outer(p->P0 + 9 * a, p->m[i], p->X[i], p->phi[i][a]);
            for (int b = 0; b < n; b++)
                add_outer(p->P + 9 * (a * n + b), p->m[i], p->phi[i][a], p->phi[i][b]);
        }
    }
    for (int a = 0; a < n; a++) {
        p->omega[a] = rb_rng_range(rng, 1, 5);
        p->zeta[a] = rb_rng_range(rng, 0, 0.1);
    }
    for (int k = 0; k < FRAMES; k++) {
        for (int i = 0; i < 3 * n; i++) p->frame_phi[k][i] = rb_rng_range(rng, -0.5, 0.5);
        for (int i = 0; i < 3 * n; i++) p->frame_theta[k][i] = rb_rng_range(rng, -0.5, 0.5);
        for (int c = 0; c < 3; c++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b <= a; b++)
                    p->frame_H[k][(c * n + a) * n + b] = p->frame_H[k][(c * n + b) * n + a] =
                        rb_rng_range(rng, -0.5, 0.5);
        p->frames[k] =
            (RbModalFrame){"frame",         random_vec(rng),   q_matrix(rb_rng_orientation(rng)),
                           p->frame_phi[k], p->frame_theta[k], k == 1 ? NULL : p->frame_H[k]};
    }
    p->model = (RbModalBody){n,        mass,    {v3_load(P00), v3_load(P00 + 3), v3_load(P00 + 6)},
                             p->omega, p->zeta, p->P0,
                             p->P,     NULL,    FRAMES,
                             p->frames};
}

static void make_part(RbRng *rng, Part *p, int n) {
    *p = (Part){.n = n};
    Vec3 centre = V3_ZERO;
    double mass = 0;
    for (int i = 0; i < POINTS; i++) {
        p->m[i] = rb_rng_range(rng, 0.1, 0.5);
        p->X[i] = random_vec(rng);
        centre = v3_axpy(centre, p->m[i], p->X[i]);
        mass += p->m[i];
    }
    for (int i = 0; n > 0 && i < POINTS; i++) p->X[i] = v3_axpy(p->X[i], -1 / mass, centre);
    make_modes(rng, p);
    make_model(rng, p);
}

static RigidInertia cloud_inertia(const Part *p) {
    RigidInertia sum = {0};
    for (int i = 0; i < POINTS; i++)
        sum = ri_add(sum, ri_from_com(p->m[i], p->X[i], s3_diagonal(0)));
    return sum;
}

// ---- trees

static int end_of(System *s, int part, int frame) {
    Part *p = &s->parts[part];
    if (p->n == 0) return p->body;
    if (frame == p->own) return p->carrier;
    if (p->end[frame] == 0)
        p->end[frame] = rb_tree_add_modal_frame(&s->tree, &s->f.arena, "frame", p->body,
                                                (RbJoint){.F = POSE_IDENTITY}, frame);
    return p->end[frame];
}

// Parts in random order of rigid and flexible, on the newest part or one of those that carry it.
static void add_part(System *s, int i, bool floating) {
    static const RbJointKind kinds[] = {RB_JOINT_REVOLUTE,  RB_JOINT_PRISMATIC, RB_JOINT_UNIVERSAL,
                                        RB_JOINT_SPHERICAL, RB_JOINT_FREE,      RB_JOINT_REVOLUTE};
    Part *p = &s->parts[i];
    make_part(&s->rng, p, rb_rng_int(&s->rng, 3) == 0 ? 0 : 1 + rb_rng_int(&s->rng, MODES));
    p->joint =
        random_joint(&s->rng, floating && i == 0 ? RB_JOINT_FREE : kinds[rb_rng_int(&s->rng, 6)]);
    p->own = rb_rng_int(&s->rng, FRAMES);
    p->on = rb_rng_int(&s->rng, FRAMES);
    p->parent = i - 1;
    while (p->parent >= 0 && rb_rng_int(&s->rng, 3) == 0) p->parent = s->parts[p->parent].parent;
    if (floating && i > 0 && p->parent < 0) p->parent = 0;
    if (p->parent >= 0 && s->parts[p->parent].n > 0) p->joint.F = POSE_IDENTITY;
    // Subtrees stand together: other frames are a new body, or closed once something hangs beside their body.
    if (p->parent >= 0 && s->parts[p->parent].n > 0) {
        Part *parent = &s->parts[p->parent];
        if (s->tree.bodies.data[parent->body].end < s->tree.bodies.count) p->on = parent->own;
        if (p->on != parent->own) parent->end[p->on] = 0;
    }
    int on = p->parent < 0 ? 0 : end_of(s, p->parent, p->on);
    RigidInertia inertia = p->n == 0 ? cloud_inertia(p) : (RigidInertia){0};
    p->carrier = rb_tree_add(&s->tree, &s->f.arena, "part", on, p->joint, inertia);
    p->body = p->n == 0 ? p->carrier
                        : rb_tree_add_modal(&s->tree, &s->f.arena, "modes", p->carrier,
                                            (RbJoint){.F = POSE_IDENTITY}, &p->model, p->own);
}

static void evaluate(System *s) {
    RbLedger ledger = {0};
    rb_kin_positions(&s->tree, s->q, &s->kin);
    rb_kin_velocities(&s->tree, s->v, &s->kin);
    memset(s->forces, 0, (size_t)s->tree.bodies.count * sizeof *s->forces);
    rb_force_gravity(&s->gravity, &s->tree, &s->kin, s->forces, &ledger);
}

static void system_open(System *s, uint64_t seed, int count, bool floating) {
    fixture_open(&s->f);
    s->rng = rb_rng(seed);
    s->parts = rb_new_array(&s->f.arena, Part, count);
    s->count = count;
    s->tree = rb_tree(&s->f.arena);
    s->gravity = rb_gravity_uniform(9.81, v3(0.2, -1, 0.1));
    for (int i = 0; i < count; i++) add_part(s, i, floating);
    s->kin = rb_kin(&s->tree, &s->f.arena);
    s->dyn = rb_dyn(&s->tree, &s->f.arena);
    s->forces = rb_new_array(&s->f.arena, Wrench, s->tree.bodies.count);
    ENSURE(s->tree.nq + s->tree.nv <= MAX_STATE);
    random_state(&s->rng, &s->tree, s->q, s->v);
    for (int i = 0; i < s->tree.modals.count; i++) {
        const RbJoint *j = rb_tree_joint(&s->tree, s->tree.modals.data[i].body);
        for (int a = 0; a < j->modes; a++) s->q[j->q + a] *= 0.5;
    }
    evaluate(s);
}

// ---- the oracle

typedef struct Pace { // state of one part
    Pose X;
    Motion V;
    double q[MODES], v[MODES];
} Pace;

static Mat3 rotation_of(Vec3 t) {
    double phi = v3_norm(t);
    return phi > 0 ? m3_rotation(v3_scale(1 / phi, t), phi) : M3_IDENTITY;
}

static Vec3 theta_of(const Part *p, int frame, const double *q) {
    double t[3] = {0};
    for (int c = 0; c < 3; c++)
        for (int a = 0; a < p->n; a++) t[c] += p->frame_theta[frame][c * p->n + a] * q[a];
    return v3_load(t);
}

static Pose frame_pose(const Part *p, int frame, const double *q) {
    const RbModalFrame *f = &p->frames[frame];
    if (p->n == 0) return POSE_IDENTITY;
    double r[3] = {f->x.x, f->x.y, f->x.z};
    int n = p->n;
    for (int c = 0; c < 3; c++) {
        for (int a = 0; a < n; a++) {
            r[c] += f->phi[c * n + a] * q[a];
            for (int b = 0; f->H && b < n; b++)
                r[c] += 0.5 * f->H[(c * n + a) * n + b] * q[a] * q[b];
        }
    }
    return (Pose){v3_load(r), m3_mul(rotation_of(theta_of(p, frame, q)), f->R)};
}

// Difference quotient of fourth order of the pose by mode a: turn and shift in the mean frame.
static Motion slope(const Part *p, int frame, const double *q, int a) {
    static const double step = 2e-3, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    Mat3 dR = M3_ZERO;
    Vec3 dr = V3_ZERO;
    double x[MODES];
    memcpy(x, q, sizeof x);
    for (int k = 0; k < 4; k++) {
        x[a] = q[a] + step * (k < 2 ? k - 2 : k - 1);
        Pose X = frame_pose(p, frame, x);
        dR = m3_add(dR, m3_scale(weights[k] / step, X.R));
        dr = v3_axpy(dr, weights[k] / step, X.r);
    }
    Mat3 W = m3_mul(dR, m3_transpose(frame_pose(p, frame, q).R));
    return (Motion){v3(0.5 * (W.z.y - W.y.z), 0.5 * (W.x.z - W.z.x), 0.5 * (W.y.x - W.x.y)), dr};
}

// Columns: motion of a frame per unit of turn, shift and modes of its part. Returns where it is.
static Pose frame_columns(const Part *p, const Pace *at, int frame, Motion *J) {
    Pose F = pose_mul(at->X, frame_pose(p, frame, at->q));
    Vec3 arm = v3_sub(F.r, at->X.r);
    for (int k = 0; k < 3; k++) {
        J[k] = (Motion){v3_axis(k), v3_cross(v3_axis(k), arm)};
        J[3 + k] = (Motion){V3_ZERO, v3_axis(k)};
    }
    for (int a = 0; a < p->n; a++) {
        Motion m = slope(p, frame, at->q, a);
        J[6 + a] = (Motion){m3_mul_vec(at->X.R, m.w), m3_mul_vec(at->X.R, m.v)};
    }
    return F;
}

// Directions in which a joint does not let b move, as seen from F: their number.
static int blocked(const RbJoint *j, Mat3 R_FB, Motion *T) {
    Vec3 e1 = v3_perpendicular(j->n), e2 = v3_cross(j->n, e1), none = V3_ZERO;
    int n = 0;
    if (j->kind == RB_JOINT_FREE) return 0;
    if (j->kind == RB_JOINT_REVOLUTE || j->kind == RB_JOINT_PRISMATIC) {
        bool turns = j->kind == RB_JOINT_REVOLUTE;
        T[n++] = turns ? (Motion){e1, none} : (Motion){none, e1};
        T[n++] = turns ? (Motion){e2, none} : (Motion){none, e2};
        for (int k = 0; k < 3; k++)
            T[n++] = turns ? (Motion){none, v3_axis(k)} : (Motion){v3_axis(k), none};
        return n;
    }
    for (int k = 0; k < 3; k++) T[n++] = (Motion){none, v3_axis(k)};
    if (j->kind == RB_JOINT_UNIVERSAL)
        T[n++] = (Motion){v3_cross(j->n, m3_mul_vec(R_FB, j->n2)), none};
    return n;
}

// Rows of the joint of part i, in all unknowns. Returns their number.
static int joint_rows(const System *s, const Pace *paces, int i, int unknowns, double *rows) {
    const Part *p = &s->parts[i], *parent = p->parent >= 0 ? &s->parts[p->parent] : NULL;
    Motion Jb[6 + MODES], Ja[6 + MODES], T[6];
    Pose B = frame_columns(p, &paces[i], p->own, Jb), F = p->joint.F;
    if (parent) {
        Pose A = frame_columns(parent, &paces[p->parent], p->on, Ja);
        F = pose_mul(A, p->joint.F);
        for (int k = 0; k < 6 + parent->n; k++) Ja[k] = mo_shift(Ja[k], v3_sub(B.r, A.r));
    }
    int count = blocked(&p->joint, m3_mul(m3_transpose(F.R), B.R), T);
    memset(rows, 0, sizeof(double) * (size_t)(count * unknowns));
    for (int r = 0; r < count; r++) {
        Wrench along = {m3_mul_vec(F.R, T[r].w), m3_mul_vec(F.R, T[r].v)};
        for (int k = 0; k < 6 + p->n; k++) rows[r * unknowns + p->at + k] = wr_power(along, Jb[k]);
        for (int k = 0; parent && k < 6 + parent->n; k++)
            rows[r * unknowns + parent->at + k] = -wr_power(along, Ja[k]);
    }
    return count;
}

static Pace advanced(const Part *p, const Pace *a, double h) {
    Pace b = *a;
    b.X.r = v3_axpy(a->X.r, h, a->V.v);
    b.X.R = m3_mul(rotation_of(v3_scale(h, a->V.w)), a->X.R);
    for (int k = 0; k < p->n; k++) b.q[k] += h * a->v[k];
    return b;
}

// Mass matrix and forces of one part: sums over its points.
static void add_cloud(const System *s, const Part *p, const Pace *a, int N, double *K, double *b) {
    int n = 6 + p->n;
    for (int i = 0; i < POINTS; i++) {
        Vec3 r = p->X[i], rate = V3_ZERO, J[6 + MODES];
        for (int k = 0; k < p->n; k++) {
            r = v3_axpy(r, a->q[k], p->phi[i][k]);
            rate = v3_axpy(rate, a->v[k], p->phi[i][k]);
            J[6 + k] = m3_mul_vec(a->X.R, p->phi[i][k]);
        }
        r = m3_mul_vec(a->X.R, r);
        rate = m3_mul_vec(a->X.R, rate);
        for (int k = 0; k < 3; k++) {
            J[k] = v3_cross(v3_axis(k), r);
            J[3 + k] = v3_axis(k);
        }
        Vec3 w = a->V.w, acc = v3_cross(w, v3_axpy(v3_cross(w, r), 2, rate));
        Vec3 force = v3_scale(p->m[i], v3_sub(s->gravity.g, acc));
        for (int k = 0; k < n; k++) {
            b[p->at + k] += v3_dot(J[k], force);
            for (int l = 0; l < n; l++)
                K[(p->at + k) * N + p->at + l] += p->m[i] * v3_dot(J[k], J[l]);
        }
    }
    for (int k = 0; k < p->n; k++)
        b[p->at + 6 + k] -= p->omega[k] * (p->omega[k] * a->q[k] + 2 * p->zeta[k] * a->v[k]);
}

static void eliminate(int n, double *K, double *b) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(K[r * n + c]) > fabs(K[best * n + c])) best = r;
        for (int k = 0; k < n; k++) {
            double t = K[c * n + k];
            K[c * n + k] = K[best * n + k];
            K[best * n + k] = t;
        }
        double t = b[c];
        b[c] = b[best];
        b[best] = t;
        for (int r = c + 1; r < n; r++) {
            double f = K[r * n + c] / K[c * n + c];
            if (f == 0) continue;
            for (int k = c; k < n; k++) K[r * n + k] -= f * K[c * n + k];
            b[r] -= f * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) b[r] -= K[r * n + k] * b[k];
        b[r] /= K[r * n + r];
    }
}

static void read_paces(System *s, Pace *paces) {
    int at = 0;
    for (int i = 0; i < s->count; i++) {
        Part *p = &s->parts[i];
        const RbBodyKin *k = &s->kin.bodies[p->body];
        paces[i] = (Pace){.X = k->X, .V = k->V};
        const RbJoint *j = rb_tree_joint(&s->tree, p->body);
        for (int a = 0; a < p->n; a++) {
            paces[i].q[a] = s->q[j->q + a];
            paces[i].v[a] = s->v[j->v + a];
        }
        p->at = at;
        at += 6 + p->n;
    }
}

static double dot_speeds(const System *s, const Pace *paces, const double *row) {
    double sum = 0;
    for (int i = 0; i < s->count; i++) {
        const double *r = row + s->parts[i].at;
        sum += v3_dot(v3_load(r), paces[i].V.w) + v3_dot(v3_load(r + 3), paces[i].V.v);
        for (int a = 0; a < s->parts[i].n; a++) sum += r[6 + a] * paces[i].v[a];
    }
    return sum;
}

// Rows at shifted states times the present speeds, fourth order: how fast the rows change.
static void row_rates(const System *s, const Pace *paces, int i, int unknowns, double *out) {
    static const double step = 1e-3, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
    static double rows[6 * ROWS];
    Pace moved[PARTS];
    for (int r = 0; r < 6; r++) out[r] = 0;
    for (int k = 0; k < 4; k++) {
        for (int j = 0; j < s->count; j++)
            moved[j] = advanced(&s->parts[j], &paces[j], step * (k < 2 ? k - 2 : k - 1));
        int count = joint_rows(s, moved, i, unknowns, rows);
        for (int r = 0; r < count; r++)
            out[r] += weights[k] / step * dot_speeds(s, paces, rows + r * unknowns);
    }
}

// Accelerations of all parts: (z, a, modes) each. The speeds must fit the joints.
static void solve_maximal(System *s, const Pace *paces, double *b) {
    static double K[ROWS * ROWS], rows[6 * ROWS], all[6 * PARTS * ROWS], rate[6];
    int unknowns = s->parts[s->count - 1].at + 6 + s->parts[s->count - 1].n, count = 0;
    double rates[6 * PARTS];
    for (int i = 0; i < s->count; i++) {
        int n = joint_rows(s, paces, i, unknowns, rows);
        row_rates(s, paces, i, unknowns, rate);
        for (int r = 0; r < n; r++) {
            ENSURE_NEAR(dot_speeds(s, paces, rows + r * unknowns), 0, 1e-9);
            memcpy(all + count * unknowns, rows + r * unknowns, sizeof(double) * (size_t)unknowns);
            rates[count++] = rate[r];
        }
    }
    int N = unknowns + count;
    ENSURE(N <= ROWS);
    memset(K, 0, sizeof(double) * (size_t)(N * N));
    memset(b, 0, sizeof(double) * (size_t)N);
    for (int i = 0; i < s->count; i++) add_cloud(s, &s->parts[i], &paces[i], N, K, b);
    for (int r = 0; r < count; r++) {
        for (int k = 0; k < unknowns; k++)
            K[(unknowns + r) * N + k] = K[k * N + unknowns + r] = all[r * unknowns + k];
        b[unknowns + r] = -rates[r];
    }
    eliminate(N, K, b);
}

// ---- tests

static void trees_follow_the_maximal_coordinates(void **state) {
    (void)state;
    int flexible = 0;
    for (int t = 0; t < REPEATS(100, 20); t++) {
        System s;
        Pace paces[PARTS];
        static double want[ROWS];
        system_open(&s, 7000 + (uint64_t)t, 1 + t % PARTS, false);
        read_paces(&s, paces);
        solve_maximal(&s, paces, want);
        ENSURE(rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn) == 0);
        rb_dyn_solve(&s.tree, &s.kin, NULL, NULL, s.forces, &s.dyn, s.dv);
        double size = 1;
        int last = s.parts[s.count - 1].at + 6 + s.parts[s.count - 1].n;
        for (int k = 0; k < last; k++) size = fmax(size, fabs(want[k]));
        for (int i = 0; i < s.count; i++) {
            const Part *p = &s.parts[i];
            Motion A = s.kin.bodies[p->body].A;
            ensure_vec_near(A.w, v3_load(want + p->at), 1e-7 * size);
            ensure_vec_near(A.v, v3_load(want + p->at + 3), 1e-7 * size);
            for (int a = 0; a < p->n; a++)
                ENSURE_NEAR(s.dv[rb_tree_joint(&s.tree, p->body)->v + a], want[p->at + 6 + a],
                            1e-7 * size);
            flexible += p->n > 0;
        }
        fixture_close(&s.f);
    }
    ENSURE(flexible > REPEATS(300, 50));
}

static void system_rates(void *model, double t, const double *x, double *dx) {
    System *s = model;
    (void)t;
    memcpy(s->q, x, sizeof(double) * (size_t)s->tree.nq);
    memcpy(s->v, x + s->tree.nq, sizeof(double) * (size_t)s->tree.nv);
    evaluate(s);
    rb_tree_rates(&s->tree, s->q, s->v, dx);
    rb_dyn_factor(&s->tree, &s->kin, NULL, &s->dyn);
    rb_dyn_solve(&s->tree, &s->kin, NULL, NULL, s->forces, &s->dyn, dx + s->tree.nq);
}

static double energy_of(System *s, const double *x) {
    double dx[MAX_STATE];
    RbLedger ledger = {0};
    system_rates(s, 0, x, dx);
    rb_modes_account_in(&s->tree, rb_tree_span(&s->tree), &s->kin, &ledger);
    return rb_kinetic_energy(&s->tree, &s->kin) + ledger.potential;
}

// With second-order terms of inertia as well. Nothing acts from outside.
static void free_trees_conserve_energy_and_momentum(void **state) {
    (void)state;
    for (int t = 0; t < 8; t++) {
        System s;
        double x[MAX_STATE];
        system_open(&s, 400 + (uint64_t)t, 1 + t % 4, true);
        s.gravity = (RbGravity){0};
        for (int i = 0; i < s.count; i++) {
            Part *p = &s.parts[i];
            int n = p->n;
            for (int a = 0; a < n; a++) {
                p->zeta[a] = 0;
                for (int b = 0; b <= a; b++)
                    for (int c = 0; c < 9; c++)
                        p->w[9 * (a * n + b) + c] = p->w[9 * (b * n + a) + c] =
                            rb_rng_range(&s.rng, -0.02, 0.02);
            }
            if (t % 2) p->model.w = p->w;
        }
        // once more, with these
        RbTree old = s.tree;
        s.tree.modals.count = 0;
        for (int i = 0; i < old.modals.count; i++) {
            RbTree one = rb_tree(&s.f.arena);
            rb_tree_add_modal(&one, &s.f.arena, "", 0, (RbJoint){.F = POSE_IDENTITY},
                              old.modals.data[i].model, 0);
            RbTreeModal modal = one.modals.data[0];
            modal.body = old.modals.data[i].body;
            rb_array_push(&s.tree.modals, &s.f.arena, modal);
        }
        memcpy(x, s.q, sizeof(double) * (size_t)s.tree.nq);
        memcpy(x + s.tree.nq, s.v, sizeof(double) * (size_t)s.tree.nv);
        double before = energy_of(&s, x);
        Wrench momentum = rb_momentum(&s.tree, &s.kin);
        integrate(system_rates, &s, s.tree.nq + s.tree.nv, 0, 0.5, 40, x);
        ENSURE_NEAR(energy_of(&s, x), before, 1e-9 * before);
        Wrench after = rb_momentum(&s.tree, &s.kin);
        ensure_vec_near(after.f, momentum.f, 1e-9 * (1 + v3_norm(momentum.f)));
        ensure_vec_near(after.t, momentum.t, 1e-9 * (1 + v3_norm(momentum.t)));
        fixture_close(&s.f);
    }
}

// What a push of one body does to another is the same the other way round, and what paths say.
static void wrenches_meet_through_the_inverse_mass(void **state) {
    (void)state;
    for (int t = 0; t < 30; t++) {
        System s;
        system_open(&s, 900 + (uint64_t)t, 5, t % 2);
        int n = s.tree.bodies.count, bodies[4 * PARTS];
        ENSURE(rb_dyn_factor(&s.tree, &s.kin, NULL, &s.dyn) == 0);
        RbPush one = {1 + rb_rng_int(&s.rng, n - 1), {random_vec(&s.rng), random_vec(&s.rng)}},
               two = {1 + rb_rng_int(&s.rng, n - 1), {random_vec(&s.rng), random_vec(&s.rng)}};
        RbBodyList path = {bodies, n - 1};
        for (int i = 1; i < n; i++) bodies[i - 1] = i;
        double u[MAX_STATE], w[MAX_STATE], other[MAX_STATE], sum = 0;
        rb_dyn_reduce(&s.tree, path, &s.kin, NULL, &one, 1, &s.dyn, u, other);
        rb_dyn_reduce(&s.tree, path, &s.kin, NULL, &two, 1, &s.dyn, other, w);
        for (int k = 0; k < s.tree.nv; k++) sum += u[k] * w[k];
        rb_dyn_response_in(&s.tree, rb_tree_span(&s.tree), &s.kin, NULL, one.body, one.f, &s.dyn,
                           s.dv);
        double got = wr_power(two.f, s.dyn.bodies[two.body].A);
        ENSURE_NEAR(got, sum, 1e-10 * (1 + fabs(sum)));
        rb_dyn_spread_in(&s.tree, rb_tree_span(&s.tree), &s.kin, s.dv, &s.dyn);
        ENSURE_NEAR(wr_power(two.f, s.dyn.bodies[two.body].A), got, 1e-10 * (1 + fabs(got)));
        fixture_close(&s.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_follow_the_maximal_coordinates),
        cmocka_unit_test(free_trees_conserve_energy_and_momentum),
        cmocka_unit_test(wrenches_meet_through_the_inverse_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
