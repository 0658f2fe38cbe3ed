// SPDX-License-Identifier: MIT
// How the surroundings of a molecule turn (docs/theory/soft.md, section 3). A molecule is a point; friction acts beside it, where it touches. Its
// neighbours at d turn with the angular velocity that fits theirs best, J w = sum of d x (v - v0), J = sum of d² 1 - d d'; a couple T on the molecule
// is the forces (J^-1 T) x d on them and their sum, reversed, on itself: that keeps momenta and has the power T w.
#include "deform/soft_data.h"

// [of the trace] Neighbours that are so nearly in a line do not turn about it, and turn fully; between these smoothly: about a line that is only just
// bent the smallest couple would be a large force.
static const double LINE = 0.003, ROUND = 0.03;

static double firmness(double share) {
    double u = fmin(1, fmax(0, (share - LINE) / (ROUND - LINE)));
    return u * u * (3 - 2 * u);
}

// Without directions about which neighbours cannot be turned. The smallest eigenvalue is at least four times the determinant over the squared trace.
static Mat3 inverse_of(Mat3 j) {
    double trace = m3_trace(j);
    if (!(trace > 0)) return M3_ZERO;
    if (4 * m3_det(j) > ROUND * trace * trace * trace) return m3_inverse(j);
    Vec3 values;
    Mat3 axes, inverse = M3_ZERO;
    m3_eigen(j, &values, &axes);
    for (int k = 0; k < 3; k++) {
        Vec3 axis = m3_column(axes, k);
        double value = v3_get(values, k), firm = firmness(value / trace);
        if (firm > 0) inverse = m3_add(inverse, m3_scale(firm / value, m3_outer(axis, axis)));
    }
    return inverse;
}

static bool is_torn(const RbNetwork *n, const RbNeighbour *b) {
    return b->spring >= 0 && !(n->springs[b->spring].k > 0);
}

static void measure(const RbNetwork *n, const SoftWork *w, int molecule, SoftTurn *turn) {
    Mat3 j = M3_ZERO;
    Vec3 sum = V3_ZERO;
    for (int i = n->neighbour_first[molecule]; i < n->neighbour_first[molecule + 1]; i++) {
        const RbNeighbour *b = &n->neighbours[i];
        if (is_torn(n, b)) continue;
        Vec3 d = v3_sub(w->r[b->molecule], w->r[molecule]);
        double d2 = v3_norm2(d);
        j = m3_add(j, m3_sub(m3_diagonal(v3(d2, d2, d2)), m3_outer(d, d)));
        sum = v3_add(sum, v3_cross(d, v3_sub(w->v[b->molecule], w->v[molecule])));
    }
    *turn = (SoftTurn){.inverse = inverse_of(j), .known = true};
    turn->spin = m3_mul_vec(turn->inverse, sum);
}

static SoftTurn *turn_of(const Soft *soft, SoftWork *w, int molecule) {
    SoftTurn *turn = &w->turns[molecule];
    if (turn->known) return turn;
    measure(&soft->network, w, molecule, turn);
    w->turned[w->turned_count++] = molecule;
    return turn;
}

Vec3 rb_soft_velocity_beside(const Soft *soft, SoftWork *w, int molecule, Vec3 arm) {
    return v3_cross(turn_of(soft, w, molecule)->spin, arm);
}

Vec3 rb_soft_spin(const Soft *soft, SoftWork *w, int molecule) {
    return turn_of(soft, w, molecule)->spin;
}

void rb_soft_twist(const Soft *soft, SoftWork *w, int molecule, Vec3 couple) {
    SoftTurn *turn = turn_of(soft, w, molecule);
    turn->couple = v3_add(turn->couple, couple);
}

void rb_soft_couple(const Soft *soft, SoftWork *w, int molecule, Vec3 arm, Vec3 force) {
    rb_soft_twist(soft, w, molecule, v3_cross(arm, force));
}

void rb_soft_start_turns(SoftWork *w) {
    for (int i = 0; i < w->turned_count; i++) w->turns[w->turned[i]].known = false;
    w->turned_count = 0;
}

void rb_soft_turn(const Soft *soft, SoftWork *w) {
    const RbNetwork *n = &soft->network;
    for (int k = 0; k < w->turned_count; k++) {
        int molecule = w->turned[k];
        Vec3 turning = m3_mul_vec(w->turns[molecule].inverse, w->turns[molecule].couple);
        for (int i = n->neighbour_first[molecule]; i < n->neighbour_first[molecule + 1]; i++) {
            const RbNeighbour *b = &n->neighbours[i];
            if (is_torn(n, b)) continue;
            Vec3 f = v3_cross(turning, v3_sub(w->r[b->molecule], w->r[molecule]));
            w->f[b->molecule] = v3_add(w->f[b->molecule], f);
            w->f[molecule] = v3_sub(w->f[molecule], f);
        }
    }
}
