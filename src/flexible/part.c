// SPDX-License-Identifier: MIT
#include "flexible/part.h"

#include <string.h>

#include "base/sort.h"

// ---- pattern

typedef struct Lists {
    int *start, *item;
} Lists;

static int ascending(const void *a, const void *b) {
    const int *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

// Lists of elements by item.
static Lists turn_around(const Lists *of, int count, int n, RbArena *scratch) {
    Lists by = {rb_new_array(scratch, int, n + 2), rb_new_array(scratch, int, of->start[count])};
    for (int i = 0; i < of->start[count]; i++) by.start[of->item[i] + 2]++;
    for (int i = 0; i < n; i++) by.start[i + 2] += by.start[i + 1];
    for (int e = 0; e < count; e++)
        for (int i = of->start[e]; i < of->start[e + 1]; i++)
            by.item[by.start[of->item[i] + 1]++] = e;
    return by;
}

// Items that share an element, by rows, ascending.
static Lists neighbours(const Lists *of, int count, int n, RbArena *keep, RbArena scratch) {
    Lists by = turn_around(of, count, n, &scratch), out = {rb_new_array(keep, int, n + 1), NULL};
    int *seen = rb_new_array(&scratch, int, n);
    for (int pass = 1; pass <= 2; pass++) {
        int total = 0;
        for (int i = 0; i < n; i++) {
            int first = total;
            for (int e = by.start[i]; e < by.start[i + 1]; e++)
                for (int k = of->start[by.item[e]]; k < of->start[by.item[e] + 1]; k++) {
                    int other = of->item[k], stamp = pass * n + i + 1 - n;
                    if (seen[other] == stamp) continue;
                    seen[other] = stamp;
                    if (out.item) out.item[total] = other;
                    total++;
                }
            if (out.item) rb_sort_items(out.item + first, total - first, sizeof(int), ascending);
            out.start[i + 1] = total;
        }
        if (pass == 1) out.item = rb_new_array(keep, int, total + 1);
    }
    return out;
}

// ---- frames

static void place_blocks(RbElasticPart *p, RbArena *keep) {
    const RbTetMesh *m = p->mesh;
    p->block_of = rb_new_array(keep, int, m->node_count);
    p->turn_of = rb_new_array(keep, int, p->frame_count + 1);
    for (int k = 0; k < p->frame_count; k++)
        for (int i = 0; !p->frames[k].averaged && i < p->frames[k].count; i++)
            p->block_of[p->frames[k].node[i]] = -1 - k;
    p->places = rb_new_array(keep, Vec3, m->node_count + 2 * p->frame_count);
    for (int i = 0; i < m->node_count; i++) {
        if (p->block_of[i] < 0) continue;
        p->places[p->blocks] = m->nodes[i];
        p->block_of[i] = p->blocks++;
    }
    for (int k = 0; k < p->frame_count; k++) {
        p->turn_of[k] = -1;
        if (p->frames[k].averaged) continue;
        p->places[p->blocks] = p->places[p->blocks + 1] = p->centre[k];
        p->turn_of[k] = p->blocks + 1;
        p->blocks += 2;
    }
}

static RbStatus measure_frame(RbElasticPart *p, int k, RbPos at, RbDiag *diag) {
    const RbPartFrame *f = &p->frames[k];
    Vec3 sum = V3_ZERO, values;
    for (int i = 0; i < f->count; i++) sum = v3_add(sum, p->mesh->nodes[f->node[i]]);
    p->centre[k] = v3_scale(1.0 / (f->count > 0 ? f->count : 1), sum);
    Mat3 spread = M3_ZERO, axes;
    for (int i = 0; i < f->count; i++) {
        Vec3 d = v3_sub(p->mesh->nodes[f->node[i]], p->centre[k]);
        Mat3 own = m3_sub(m3_scale(v3_norm2(d), M3_IDENTITY), m3_outer(d, d));
        spread = m3_add(spread, m3_scale(1.0 / f->count, own));
    }
    m3_eigen(spread, &values, &axes);
    if (!(values.x > 1e-12 * values.z))
        return rb_fail(
            diag, RB_ERROR_MODEL, at,
            "the interface frame '%s' has %d node%s%s; it needs at least three that are not "
            "on a line",
            f->name, f->count, f->count == 1 ? "" : "s", f->count > 2 ? ", all on one line" : "");
    p->gyration[k] = m3_inverse(spread);
    return RB_OK;
}

static RbStatus check_shared(const RbElasticPart *p, RbPos at, RbArena scratch, RbDiag *diag) {
    int *owner = rb_new_array(&scratch, int, p->mesh->node_count);
    for (int k = 0; k < p->frame_count; k++)
        for (int i = 0; !p->frames[k].averaged && i < p->frames[k].count; i++) {
            int *of = &owner[p->frames[k].node[i]];
            if (*of != 0 && *of != k + 1)
                return rb_fail(
                    diag, RB_ERROR_MODEL, at,
                    "the rigid frames '%s' and '%s' share a node; take other nodes, or let "
                    "one of them be averaged",
                    p->frames[*of - 1].name, p->frames[k].name);
            *of = k + 1;
        }
    return RB_OK;
}

static RbStatus find_frames(RbElasticPart *p, RbPos at, RbArena *keep, RbArena scratch,
                            RbDiag *diag) {
    const RbTetMesh *m = p->mesh;
    Vec3 low = m->nodes[0], high = low;
    for (int i = 0; i < m->node_count; i++)
        low = v3_min(low, m->nodes[i]), high = v3_max(high, m->nodes[i]);
    p->size = v3_distance(low, high);
    p->centre = rb_new_array(keep, Vec3, p->frame_count + 1);
    p->gyration = rb_new_array(keep, Mat3, p->frame_count + 1);
    for (int k = 0; k < p->frame_count; k++) RB_TRY(measure_frame(p, k, at, diag));
    RB_TRY(check_shared(p, at, scratch, diag));
    place_blocks(p, keep);
    return RB_OK;
}

// Motion of a node by up to two blocks: u = x[block 0] + B1 x[block 1].
typedef struct Share {
    int block[2], count;
    Mat3 B1;
} Share;

static Share share_of(const RbElasticPart *p, int node) {
    int b = p->block_of[node];
    if (b >= 0) return (Share){{b, b}, 1, M3_IDENTITY};
    int turn = p->turn_of[-1 - b];
    Vec3 d = v3_scale(1 / p->size, v3_sub(p->mesh->nodes[node], p->centre[-1 - b]));
    return (Share){{turn - 1, turn}, 2, m3_skew(v3_neg(d))};
}

void rb_part_expand(const RbElasticPart *p, const double *x, double *u) {
    for (int i = 0; i < p->mesh->node_count; i++) {
        Share s = share_of(p, i);
        Vec3 moved = v3_load(x + 3 * (size_t)s.block[0]);
        if (s.count > 1)
            moved = v3_add(moved, m3_mul_vec(s.B1, v3_load(x + 3 * (size_t)s.block[1])));
        v3_store(u + 3 * (size_t)i, moved);
    }
}

void rb_part_collect(const RbElasticPart *p, const double *g, double *f) {
    memset(f, 0, 3 * (size_t)p->blocks * sizeof *f);
    for (int i = 0; i < p->mesh->node_count; i++) {
        Share s = share_of(p, i);
        Vec3 force = v3_load(g + 3 * (size_t)i);
        for (int k = 0; k < s.count; k++) {
            double *to = f + 3 * (size_t)s.block[k];
            v3_store(to, v3_add(v3_load(to), k == 0 ? force : m3_tmul_vec(s.B1, force)));
        }
    }
}

// ---- elements

static void add_stiffness(RbElasticPart *p, int a, int b, Mat3 k) {
    Share s = share_of(p, a), t = share_of(p, b);
    for (int i = 0; i < s.count; i++)
        for (int j = 0; j < t.count; j++) {
            Mat3 part = j == 0 ? k : m3_mul(k, t.B1);
            if (i == 1) part = m3_mul(m3_transpose(s.B1), part);
            double *to = rb_block_at(&p->K, s.block[i], t.block[j]);
            for (int r = 0; r < 9; r++) to[r] += m3_get(part, r / 3, r % 3);
        }
}

static Mat3 pair_stiffness(const RbPartMaterial *e, Vec3 a, Vec3 b) {
    double nu = e->poisson, shear = e->youngs_modulus / (2 * (1 + nu));
    double lame = e->youngs_modulus * nu / ((1 + nu) * (1 - 2 * nu));
    Mat3 k = m3_add(m3_scale(lame, m3_outer(a, b)), m3_scale(shear, m3_outer(b, a)));
    return m3_add(k, m3_scale(shear * v3_dot(a, b), M3_IDENTITY));
}

static void stiffness_point(int points, int p, double L[4]) {
    const double near = (5 + 3 * sqrt(5)) / 20, far = (5 - sqrt(5)) / 20;
    for (int i = 0; i < 4; i++) L[i] = points == 1 ? 0.25 : i == p ? near : far;
}

static bool add_element(RbElasticPart *p, const int *tet, const Vec3 *places) {
    int nodes = rb_tet_mesh_corners(p->mesh), points = nodes == 4 ? 1 : 4;
    for (int g = 0; g < points; g++) {
        double L[4];
        Vec3 slope[RB_TET_NODES];
        stiffness_point(points, g, L);
        double det = rb_tet_gradients(places, nodes, L, slope);
        if (!(det > 0)) return false;
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++)
                add_stiffness(
                    p, tet[a], tet[b],
                    m3_scale(det / 6 / points, pair_stiffness(&p->material, slope[a], slope[b])));
    }
    return true;
}

// 14 points, exact to the fifth degree: the mass of elements with straight edges.
static double mass_point(int g, double L[4]) {
    static const double a[2] = {0.09273525031089123, 0.3108859192633006}, b = 0.04550370412564965;
    static const double weight[3] = {0.07349304311636196, 0.11268792571801584, 0.04254602077708147};
    static const int pair[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int i = 0; i < 4; i++) L[i] = g < 8 ? a[g / 4] : 0.5 - b;
    if (g < 8)
        L[g % 4] = 1 - 3 * a[g / 4];
    else
        L[pair[g - 8][0]] = L[pair[g - 8][1]] = b;
    return weight[g < 8 ? g / 4 : 2];
}

static double *mass_at(RbElasticPart *p, int row, int column) {
    int low = p->mass_start[row], high = p->mass_start[row + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->mass_column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return p->mass + low;
}

static void add_mass(RbElasticPart *p, const int *tet, const Vec3 *places) {
    int nodes = rb_tet_mesh_corners(p->mesh);
    for (int g = 0; g < 14; g++) {
        double L[4], N[RB_TET_NODES], weight = mass_point(g, L);
        Vec3 slope[RB_TET_NODES];
        rb_tet_shape(nodes, L, N);
        double mass = p->material.density * weight / 6 * rb_tet_gradients(places, nodes, L, slope);
        for (int a = 0; a < nodes; a++)
            for (int b = 0; b < nodes; b++) *mass_at(p, tet[a], tet[b]) += mass * N[a] * N[b];
    }
}

static RbStatus add_elements(RbElasticPart *p, RbPos at, RbDiag *diag) {
    int nodes = rb_tet_mesh_corners(p->mesh);
    for (int e = 0; e < p->mesh->tet_count; e++) {
        const int *tet = p->mesh->tets[e];
        Vec3 places[RB_TET_NODES];
        for (int i = 0; i < nodes; i++) places[i] = p->mesh->nodes[tet[i]];
        if (!add_element(p, tet, places))
            return rb_fail(
                diag, RB_ERROR_MODEL, at,
                "the element at (%g, %g, %g) is flat or turned inside out; mesh the part "
                "anew, without elements whose edges bend too much",
                places[0].x, places[0].y, places[0].z);
        add_mass(p, tet, places);
    }
    return RB_OK;
}

static RbStatus check_joined(const RbElasticPart *p, RbPos at, RbArena scratch, RbDiag *diag) {
    int *stack = rb_new_array(&scratch, int, p->blocks + 1), top = 0, reached = 1;
    bool *seen = rb_new_array(&scratch, bool, p->blocks + 1);
    stack[top++] = 0, seen[0] = true;
    while (top > 0) {
        int i = stack[--top];
        for (int k = p->K.start[i]; k < p->K.start[i + 1]; k++) {
            int j = p->K.column[k];
            if (seen[j]) continue;
            seen[j] = true, reached++;
            stack[top++] = j;
        }
    }
    if (reached == p->blocks) return RB_OK;
    int lost = 0;
    while (seen[lost]) lost++;
    return rb_fail(
        diag, RB_ERROR_MODEL, at,
        "the mesh is in pieces that nothing joins, or has nodes that no element has: the "
        "node at (%g, %g, %g) m is one; let meshes share nodes where they touch, or a rigid frame "
        "hold both",
        p->places[lost].x, p->places[lost].y, p->places[lost].z);
}

static void find_patterns(RbElasticPart *p, RbArena *keep, RbArena scratch) {
    const RbTetMesh *m = p->mesh;
    int nodes = rb_tet_mesh_corners(m), items = 0;
    Lists node = {rb_new_array(&scratch, int, m->tet_count + 1),
                  rb_new_array(&scratch, int, m->tet_count *nodes)};
    Lists block = {rb_new_array(&scratch, int, m->tet_count + 1),
                   rb_new_array(&scratch, int, 2 * (size_t)m->tet_count * (size_t)nodes)};
    for (int e = 0; e < m->tet_count; e++) {
        for (int i = 0; i < nodes; i++) {
            Share s = share_of(p, m->tets[e][i]);
            node.item[e * nodes + i] = m->tets[e][i];
            for (int k = 0; k < s.count; k++) block.item[items++] = s.block[k];
        }
        node.start[e + 1] = (e + 1) * nodes, block.start[e + 1] = items;
    }
    Lists rows = neighbours(&block, m->tet_count, p->blocks, keep, scratch);
    p->K = (RbBlockMatrix){p->blocks, rows.start, rows.item, NULL};
    p->K.value = rb_new_array(keep, double, 9 * (size_t)rows.start[p->blocks] + 1);
    Lists masses = neighbours(&node, m->tet_count, m->node_count, keep, scratch);
    p->mass_start = masses.start, p->mass_column = masses.item;
    p->mass = rb_new_array(keep, double, masses.start[m->node_count] + 1);
}

RbStatus rb_part_assemble(RbElasticPart *p, RbPos at, RbArena *keep, RbArena scratch,
                          RbDiag *diag) {
    RB_TRY(find_frames(p, at, keep, scratch, diag));
    find_patterns(p, keep, scratch);
    RB_TRY(check_joined(p, at, scratch, diag));
    return add_elements(p, at, diag);
}

// ---- mass

void rb_part_mass_times(const RbElasticPart *p, const double *u, double *y) {
    for (int i = 0; i < p->mesh->node_count; i++) {
        Vec3 sum = V3_ZERO;
        for (int k = p->mass_start[i]; k < p->mass_start[i + 1]; k++)
            sum = v3_axpy(sum, p->mass[k], v3_load(u + 3 * (size_t)p->mass_column[k]));
        v3_store(y + 3 * (size_t)i, sum);
    }
}

Mat3 rb_part_stress(const RbElasticPart *p, const int *tet, const Vec3 *slopes, const double *u) {
    double nu = p->material.poisson, shear = p->material.youngs_modulus / (2 * (1 + nu));
    double lame = p->material.youngs_modulus * nu / ((1 + nu) * (1 - 2 * nu));
    Mat3 F = M3_ZERO;
    for (int i = 0; i < rb_tet_mesh_corners(p->mesh); i++)
        F = m3_add(F, m3_outer(v3_load(u + 3 * (size_t)tet[i]), slopes[i]));
    Mat3 stress = m3_scale(shear, m3_add(F, m3_transpose(F)));
    double pressure = lame * m3_trace(F);
    stress.x.x += pressure, stress.y.y += pressure, stress.z.z += pressure;
    return stress;
}
