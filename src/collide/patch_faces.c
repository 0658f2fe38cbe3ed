// SPDX-License-Identifier: MIT
#include "collide/patch_faces.h"

#include <math.h>
#include <stddef.h>

static const double LITTLE = 1e-4;  // g: what is lost
static const double FAR = 5e-4;     // a loss that is at least so much is more than 4 g
static const double ABREAST = 0.95; // cosine: by faces that lean more much is lost
static const double LEANING =
    36e-4; // [rad²] faces that lean more against each other have no middle

// ---- faces

// Outwards, in the frame of the core.
typedef struct Normals {
    int count;
    const Vec3 *n;
} Normals;

static Normals normals_of(const RbCore *c) {
    static const Vec3 box[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    if (c->kind == RB_CORE_BOX) return (Normals){6, box};
    return (Normals){c->polytope->face_count, c->polytope->face_normals};
}

// From A to B; own: in the frame of its core.
static Vec3 from_a_to_b(const RbPatchPair *p, int body, Vec3 own) {
    return v3_scale(body ? -1 : 1, m3_mul_vec(p->X[body].R, own));
}

static Vec3 in_own_frame(const RbPatchPair *p, int body, Vec3 n) {
    return m3_tmul_vec(p->X[body].R, v3_scale(body ? -1 : 1, n));
}

// The one that looks most along n.
static Vec3 face_along(const RbPatchPair *p, int body, Vec3 n) {
    Normals of = normals_of(p->core[body]);
    Vec3 own = in_own_frame(p, body, n);
    double most = -INFINITY;
    int best = 0;
    for (int i = 0; i < of.count; i++) {
        double along = v3_dot(of.n[i], own);
        if (along > most) most = along, best = i;
    }
    return from_a_to_b(p, body, of.n[best]);
}

bool rb_is_face_normal(const RbPatchPair *p, Vec3 n) {
    const double rounding = 1e-9;
    Vec3 a = face_along(p, 0, n), b = face_along(p, 1, n), middle = v3_unit_or(v3_add(a, b), a);
    return v3_distance(a, n) < rounding || v3_distance(b, n) < rounding ||
           v3_distance(middle, n) < rounding;
}

Vec3 rb_likely_normal(const RbPatchPair *p) {
    Vec3 n = p->gap->normal, a = face_along(p, 0, n), b = face_along(p, 1, n);
    Vec3 middle = v3_unit_or(v3_add(a, b), a);
    double bend = p->radius / -p->gap->distance; // of the aim, about
    double apart = v3_distance(a, b), far = v3_distance(middle, n);
    return bend * apart * apart < 8 * LITTLE && far < apart + 1e-10 ? middle : n;
}

// ---- how much they count

// With a slope by what it depends on.
typedef struct Weight {
    double part, rate;
} Weight;

// Falls from 1 to 0 as x goes from 0 to 1.
static Weight fall(double x, double by) {
    x = fmax(0, fmin(1, x));
    return (Weight){1 - x * x * (3 - 2 * x), -6 * x * (1 - x) * by};
}

// Of a patch whose aim is less by the gain G than the largest one: all below g, nothing from 4 g on.
static Weight weight_of(double gain) {
    return fall((gain / LITTLE - 1) / 3, 1 / (3 * LITTLE));
}

// Of the middle of two faces, by the square of the angle between them: faces that lean more have none.
static Weight weight_between(Vec3 across) {
    const double full = 4e-4; // [rad²]
    return fall((v3_norm2(across) - full) / (LEANING - full), 1 / (LEANING - full));
}

// ---- which are near

// How much log V, log W or, deep, log S falls at least as n turns away from where it is largest, by the square of the angle: what is concave in the way of A bends down
// on the sphere of ways by its rate outwards. (Bends themselves are no measure: next to flush sides they are sharp, and narrow.)
typedef struct Around {
    double volume, aim;
} Around;

static Around around_of(const RbPatchPair *pair, const RbPatchLook *l) {
    double r = pair->radius, volume = r * fabs(l->volume_aim.by_a[2]);
    if (pair->goal == RB_GOAL_SQUARE) return (Around){volume, r * fabs(l->aim.by_a[2]) - 1};
    return (Around){volume, rb_deep_way(pair) * fabs(l->aim.by_a[2])};
}

static double square_of(const double x[2]) {
    return x[0] * x[0] + x[1] * x[1];
}

// What is lost along m, if the look is along the best normal.
static double loss_at_least(const RbPatchPair *pair, const RbPatchLook *look, Vec3 m) {
    Around k = around_of(pair, look);
    double turn = v3_norm2(v3_sub(m, look->view.plane.n));
    return pair->goal == RB_GOAL_SQUARE ? 0.25 * k.volume * turn : 0.5 * k.aim * turn;
}

// What is to be gained by another normal.
static double gain_at_most(const RbPatchPair *pair, const RbPatchLook *look) {
    Around k = around_of(pair, look);
    double of_aim = 0.5 * square_of(look->aim.slope) / fmax(0, k.aim);
    if (pair->goal != RB_GOAL_SQUARE) return of_aim;
    return 0.5 * (of_aim + 0.5 * square_of(look->volume_aim.slope) / k.volume);
}

// Normals of faces that look about along another one.
enum { ABREAST_MAX = 256 };

typedef struct Abreast {
    int count;
    Vec3 n[ABREAST_MAX];
} Abreast;

static void find_abreast(const RbPatchPair *pair, int body, Vec3 n, Abreast *out) {
    Normals of = normals_of(pair->core[body]);
    Vec3 own = in_own_frame(pair, body, n);
    out->count = 0;
    for (int i = 0; i < of.count && out->count < ABREAST_MAX; i++)
        if (v3_dot(of.n[i], own) > ABREAST) out->n[out->count++] = from_a_to_b(pair, body, of.n[i]);
}

// from: the first of its kind. room: for that kind
static void add_near(const RbPatchPair *pair, const RbPatchLook *look, RbFace face, int from,
                     int room, RbFaces *out) {
    face.loss = loss_at_least(pair, look, face.n);
    if (face.loss > FAR) return;
    if (out->count - from < room) {
        out->face[out->count++] = face;
        return;
    }
    RbFace *worst = &out->face[from];
    for (int i = from; i < out->count; i++)
        if (out->face[i].loss > worst->loss) worst = &out->face[i];
    if (face.loss < worst->loss) *worst = face;
}

static void add_middles(const RbPatchPair *pair, const RbPatchLook *look, const Abreast of[2],
                        RbFaces *out) {
    for (int i = 0; i < of[0].count; i++) {
        for (int j = 0; j < of[1].count; j++) {
            Vec3 a = of[0].n[i], b = of[1].n[j], across = v3_sub(b, a);
            if (v3_norm2(across) < LEANING)
                add_near(pair, look,
                         (RbFace){RB_FIXED_TO_BOTH, v3_unit_or(v3_add(a, b), a), across, 0}, 0,
                         RB_FACES_MAX / 2, out);
        }
    }
    out->middles = out->count;
}

RbFaces rb_faces_near(const RbPatchPair *pair, const RbPatchLook *look) {
    Abreast of[2];
    RbFaces out;
    for (int i = 0; i < 2; i++) find_abreast(pair, i, look->view.plane.n, &of[i]);
    out.count = 0;
    add_middles(pair, look, of, &out);
    for (int body = 0; body < 2; body++)
        for (int i = 0; i < of[body].count; i++)
            add_near(pair, look,
                     (RbFace){body ? RB_FIXED_TO_B : RB_FIXED_TO_A, of[body].n[i], V3_ZERO, 0},
                     out.middles, RB_FACES_MAX - out.middles, &out);
    return out;
}

static bool is_at(const RbPatchLook *look, Vec3 m) {
    const double rounding = 1e-10;
    return v3_distance(look->view.plane.n, m) < rounding;
}

const RbFace *rb_face_settled(const RbFaces *faces, const RbPatchPair *pair,
                              const RbPatchLook *look) {
    const RbFace *f = &faces->face[0];
    bool best = gain_at_most(pair, look) < 0.1 * LITTLE;
    if (!best || faces->count == 0 || !is_at(look, f->n)) return NULL;
    if (faces->middles == 1) return weight_between(f->across).part == 1 ? f : NULL;
    return faces->count == 1 ? f : NULL;
}

// ---- along one of them

// The normal in the middle turns with the mean of both bodies, and a little as they twist about it: towards m x (m_B - m_A).
RbAlong rb_along_face(const RbPatchLook *look, const RbPatchPair *pair, const RbFace *face) {
    RbAlong out = rb_along(look, pair, face->fixed);
    RbPatch *p = &out.patch;
    if (face->fixed != RB_FIXED_TO_BOTH || !(p->volume > 0)) return out;
    Vec3 to = v3_scale(0.25, v3_cross(p->n, face->across));
    double x = v3_dot(to, p->u), y = v3_dot(to, p->v), V[2], W[2];
    rb_slope_by_normal(look->moments.by_a.volume, look->moments.by_b.volume, V);
    rb_slope_by_normal(look->moments.by_a.square, look->moments.by_b.square, W);
    double volume = V[0] * x + V[1] * y, square = W[0] * x + W[1] * y;
    double press = 1.5 * square / p->square - volume / p->volume;
    double aim = look->aim.slope[0] * x + look->aim.slope[1] * y;
    if (pair->goal == RB_GOAL_SQUARE) aim = 0.5 * (square / p->square + volume / p->volume);
    p->volume_slope.t = v3_axpy(p->volume_slope.t, volume, p->n);
    p->square_slope.t = v3_axpy(p->square_slope.t, square, p->n);
    out.press_slope.t = v3_axpy(out.press_slope.t, press, p->n);
    out.aim_slope.t = v3_axpy(out.aim_slope.t, aim, p->n);
    return out;
}

// ---- all of them together

bool rb_face_is_all(const RbAlong *best, const RbFaces *faces, const RbAlong *first) {
    return faces->middles == 1 && first->patch.volume > 0 && best->aim - first->aim < LITTLE &&
           weight_between(faces->face[0].across).part == 1;
}

// Of those of one kind: the part that one counts, and what its weight's growth takes from the others of that.
typedef struct Share {
    double weight; // omega
    Wrench slope;  // of it, as B moves
    double part;   // c = omega/(1 + sum of the others')
    double rate;   // dc/d(omega)
    double gain;   // L - L₁
} Share;

static Share share_of(const RbAlong *best, const RbFace *f, const RbAlong *a) {
    Share s = {.weight = 0};
    if (!(a->patch.volume > 0)) return s;
    Weight w = weight_of(best->aim - a->aim), k = {1, 0};
    s.slope = rb_wrenches(best->aim_slope, w.rate, a->aim_slope, -w.rate);
    if (f->fixed == RB_FIXED_TO_BOTH) {
        // d|b - a|² = -2 d(a . b) = -2 (b x a) . turn of B, and b x a = |a + b|/2 (b - a) x n
        double sum = sqrt(4 - v3_norm2(f->across));
        k = weight_between(f->across);
        s.slope = rb_wrenches(s.slope, k.part, s.slope, 0);
        s.slope.t = v3_axpy(s.slope.t, -w.part * k.rate * sum, v3_cross(f->across, f->n));
    }
    s.weight = w.part * k.part, s.gain = a->press - best->press;
    return s;
}

static void share_out(Share *s, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += s[i].weight;
    for (int i = 0; i < count; i++) {
        s[i].rate = 1 / (1 + sum - s[i].weight);
        s[i].part = s[i].weight * s[i].rate;
    }
}

// d(sum of c (gain - less))/d(omega of i)
static double by_weight(const Share *s, int count, int i, double less) {
    double out = s[i].rate * (s[i].gain - less);
    for (int j = 0; j < count; j++)
        if (j != i) out -= s[j].part * s[j].rate * (s[j].gain - less);
    return out;
}

static double sum_of(const Share *s, int count, bool of_gains) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += of_gains ? s[i].part * s[i].gain : s[i].part;
    return sum;
}

// log U = L₁ + sum over middles of c (L - L₁) + (1 - sum of c) Q,   Q = sum over faces of c (L - L₁)  (contact-patch.md, (2d)). Slopes are exact.
void rb_mix_faces(const RbAlong *best, const RbFaces *faces, const RbAlong along[RB_FACES_MAX],
                  RbPatch *out) {
    Share share[RB_FACES_MAX], *single = share + faces->middles;
    int middles = faces->middles, singles = faces->count - middles;
    for (int i = 0; i < faces->count; i++) share[i] = share_of(best, &faces->face[i], &along[i]);
    share_out(share, middles), share_out(single, singles);
    double Q = sum_of(single, singles, true), left = 1 - sum_of(share, middles, false), rest = 1;
    double press = best->press + sum_of(share, middles, true) + left * Q;
    Wrench slope = {V3_ZERO, V3_ZERO};
    *out = (RbPatch){.origin = best->patch.origin};
    for (int i = 0; i < faces->count; i++) {
        bool is_middle = i < middles;
        double part = is_middle ? share[i].part : left * share[i].part;
        double rate = is_middle ? by_weight(share, middles, i, Q)
                                : left * by_weight(single, singles, i - middles, 0);
        if (!(share[i].weight > 0)) continue;
        rest -= part;
        slope = rb_wrenches(slope, 1, along[i].press_slope, part);
        slope = rb_wrenches(slope, 1, share[i].slope, rate);
        rb_add_part(&along[i].patch, part, out);
    }
    slope = rb_wrenches(slope, 1, best->press_slope, rest);
    rb_add_part(&best->patch, rest, out);
    rb_straighten(&best->patch, out);
    rb_set_square(press, slope, out);
}
