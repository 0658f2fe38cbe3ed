// SPDX-License-Identifier: MIT
#include "flexible/part_interface.h"

#include <string.h>

#include "base/text.h"
#include "flexible/part_surface.h"

static const int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

static RbStatus find_set(const RbTetMesh *mesh, const RbInterface *f, RbArena scratch, RbDiag *diag,
                         RbPartFrame *out) {
    RbText names = rb_text(&scratch);
    for (int i = 0; i < mesh->set_count; i++) {
        if (strcmp(mesh->sets[i].name, f->nodes) == 0) {
            out->node = mesh->sets[i].node, out->count = mesh->sets[i].count;
            return RB_OK;
        }
        rb_text_printf(&names, "%s'%s'", i > 0 ? ", " : "", mesh->sets[i].name);
    }
    return rb_fail(diag, RB_ERROR_MODEL, f->at,
                   "there is no node set '%s' for '%s' in its mesh; %s%s", f->nodes, f->name,
                   mesh->set_count > 0 ? "it has "
                                       : "it has none: choose a plane, a cylinder or a ball",
                   mesh->set_count > 0 ? names.data : "");
}

static double size_of(const RbTetMesh *mesh) {
    Vec3 low = mesh->nodes[0], high = low;
    for (int i = 0; i < mesh->node_count; i++)
        low = v3_min(low, mesh->nodes[i]), high = v3_max(high, mesh->nodes[i]);
    return v3_distance(low, high);
}

static bool lies_in(const RbInterface *f, Vec3 n, double tolerance, Vec3 p) {
    Vec3 d = v3_sub(p, f->r);
    double along = v3_dot(d, n), across = v3_norm(v3_axpy(d, -along, n));
    switch (f->kind) {
        case RB_INTERFACE_PLANE:
            return fabs(along) <= tolerance && (f->radius == 0 || across <= f->radius + tolerance);
        case RB_INTERFACE_CYLINDER:
            return fabs(across - f->radius) <= tolerance &&
                   (f->length == 0 || fabs(along) <= 0.5 * f->length + tolerance);
        default: return v3_norm(d) <= f->radius;
    }
}

static RbStatus check(const RbInterface *f, RbDiag *diag) {
    bool axis = f->kind == RB_INTERFACE_PLANE || f->kind == RB_INTERFACE_CYLINDER;
    bool round = f->kind == RB_INTERFACE_BALL || f->kind == RB_INTERFACE_CYLINDER;
    if (axis && !(v3_norm(f->n) > 0 && isfinite(v3_norm(f->n))))
        return rb_fail(diag, RB_ERROR_MODEL, f->at,
                       "n of '%s' is {%g, %g, %g}; it must have a direction", f->name, f->n.x,
                       f->n.y, f->n.z);
    if (!(f->radius >= 0 && f->length >= 0 && f->tolerance >= 0) || (round && f->radius == 0))
        return rb_fail(
            diag, RB_ERROR_MODEL, f->at,
            "'%s' has radius = %g m, length = %g m, tolerance = %g m; none may be negative, and a "
            "cylinder or a ball needs a radius",
            f->name, f->radius, f->length, f->tolerance);
    return RB_OK;
}

RbStatus rb_interface_nodes(const RbTetMesh *mesh, const RbInterface *f, RbArena *keep,
                            RbArena scratch, RbDiag *diag, RbPartFrame *out) {
    *out = (RbPartFrame){.name = f->name, .averaged = f->averaged};
    if (f->kind == RB_INTERFACE_NODES) return find_set(mesh, f, scratch, diag, out);
    RB_TRY(check(f, diag));
    bool cylinder = f->kind == RB_INTERFACE_CYLINDER;
    double tolerance = f->tolerance > 0 ? f->tolerance
                       : cylinder       ? 0.02 * f->radius
                                        : 1e-5 * size_of(mesh);
    Vec3 n = f->kind == RB_INTERFACE_BALL ? V3_ZERO : v3_unit(f->n);
    bool *in = rb_new_array(&scratch, bool, mesh->node_count);
    rb_mark_surface(mesh, in, scratch);
    int *node = rb_new_array(keep, int, mesh->node_count);
    for (int i = 0; i < mesh->node_count; i++)
        in[i] = in[i] && lies_in(f, n, tolerance, mesh->nodes[i]);
    for (int e = 0; mesh->order == 2 && e < mesh->tet_count; e++)
        for (int k = 0; k < 6; k++) {
            const int *v = mesh->tets[e];
            in[v[4 + k]] = in[v[edge[k][0]]] && in[v[edge[k][1]]];
        }
    for (int i = 0; i < mesh->node_count; i++)
        if (in[i]) node[out->count++] = i;
    out->node = node;
    if (out->count > 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, f->at,
                   "no node of the surface of the part lies where '%s' looks for it; check r, n "
                   "and radius, or "
                   "give it a tolerance above %g m",
                   f->name, f->kind == RB_INTERFACE_BALL ? f->radius : tolerance);
}

Vec3 rb_interface_place(const RbTetMesh *mesh, const RbInterface *f, const RbPartFrame *nodes,
                        RbArena scratch) {
    Vec3 middle, sum = V3_ZERO;
    bool *in = rb_new_array(&scratch, bool, mesh->node_count);
    bool round = f->kind == RB_INTERFACE_CYLINDER || f->kind == RB_INTERFACE_BALL;
    if (f->stands_at_r || round) return f->r;
    for (int i = 0; i < nodes->count; i++) {
        in[nodes->node[i]] = true;
        sum = v3_axpy(sum, 1.0 / nodes->count, mesh->nodes[nodes->node[i]]);
    }
    return rb_surface_middle(mesh, in, scratch, &middle) ? middle : sum;
}
