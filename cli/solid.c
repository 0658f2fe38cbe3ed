// SPDX-License-Identifier: MIT
// rattleback solid FILE: what a mesh file holds, whether it encloses a body, and its mass properties.
#include <stdio.h>
#include <strings.h>
#include <string.h>

#include "cli.h"
#include "geom/mass.h"
#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "io/dxf.h"
#include "io/mesh_file.h"

enum { ARC_SEGMENTS = 64, SLOW = 2000000 };

typedef struct SolidOptions {
    double scale, weld, density, height, simplify; // NAN: not given
} SolidOptions;

static RbStatus number_of(Cli *cli, const char *name, bool positive, double *value) {
    *value = NAN;
    if (!cli_has(cli, name)) return RB_OK;
    RB_TRY(cli_number(cli, name, value));
    if (positive ? *value > 0 : *value >= 0) return RB_OK;
    return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE, "--%s is %g; it must be %s", name,
                   *value, positive ? "positive" : "zero or positive");
}

static RbStatus read_options(Cli *cli, SolidOptions *o) {
    RB_TRY(number_of(cli, "scale", true, &o->scale));
    RB_TRY(number_of(cli, "weld", false, &o->weld));
    RB_TRY(number_of(cli, "density", true, &o->density));
    RB_TRY(number_of(cli, "extrude", true, &o->height));
    return number_of(cli, "simplify", true, &o->simplify);
}

static bool is_dxf(const char *path) {
    size_t n = strlen(path);
    return n > 4 && strcasecmp(path + n - 4, ".dxf") == 0;
}

// A drawing: its own unit, outlines to be extruded. The height is in metres.
static RbStatus read_drawing(Cli *cli, const char *path, SolidOptions *o, RbMesh *mesh) {
    RbBytes bytes;
    RbDxf dxf;
    RB_TRY(rb_file_read(path, 0, &cli->arena, &cli->diag, &bytes));
    RB_TRY(rb_dxf_read(bytes, path, ARC_SEGMENTS, &cli->arena, cli->scratch, &cli->diag, &dxf));
    if (isnan(o->scale) && dxf.unit > 0) o->scale = dxf.unit;
    *mesh = dxf.mesh;
    if (isnan(o->height)) {
        if (mesh->triangle_count > 0) return RB_OK;
        return rb_fail(&cli->diag, RB_ERROR_IO, rb_in_file(path),
                       "the drawing has outlines but no faces; give --extrude HEIGHT");
    }
    RbPolygon polygon;
    RB_TRY(rb_contour_finish(&dxf.outline, path, rb_in_file(path), cli->scratch, &cli->diag,
                             &polygon));
    double scale = isnan(o->scale) ? 1 : o->scale;
    *mesh = rb_mesh_extrude(&polygon, o->height / scale, &cli->arena, cli->scratch);
    return RB_OK;
}

static RbStatus read_solid(Cli *cli, const char *path, SolidOptions *o, RbMesh *mesh) {
    if (is_dxf(path)) return read_drawing(cli, path, o, mesh);
    if (!isnan(o->height)) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "--extrude is for the outlines of a DXF file");
    }
    RbObj obj;
    RB_TRY(rb_mesh_file_read(path, &cli->arena, cli->scratch, &cli->diag, &obj));
    *mesh = obj.mesh;
    if (obj.part_count > 1) printf("%d parts\n", obj.part_count);
    return RB_OK;
}

static void print_mass(const RbMesh *mesh, double density) {
    RbMassProperties m = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(mesh)), density);
    Mat3 I = m.I_CM;
    printf("volume          %.9g m3\n", m.mass / density);
    printf("mass            %.9g kg at %g kg/m3\n", m.mass, density);
    printf("centre of mass  {%.9g, %.9g, %.9g} m\n", m.r_CM.x, m.r_CM.y, m.r_CM.z);
    printf("inertia about it  xx %.9g  yy %.9g  zz %.9g  xy %.9g  yz %.9g  xz %.9g kg.m2\n", I.x.x,
           I.y.y, I.z.z, I.x.y, I.y.z, I.x.z);
}

static void print_repair(const RbMeshRepair *w) {
    printf(
        "repaired: %d vertices welded, %d triangles and %d vertices removed, %d triangles turned\n",
        w->welded_vertices, w->removed_triangles, w->removed_vertices, w->flipped_triangles);
    if (w->twisted_components > 0) printf("%d surfaces are one-sided\n", w->twisted_components);
}

RbStatus run_solid(Cli *cli) {
    const char *path = cli->arguments.data[0];
    SolidOptions o;
    RbMesh mesh;
    RB_TRY(read_options(cli, &o));
    RB_TRY(read_solid(cli, path, &o, &mesh));
    if (mesh.triangle_count > SLOW) {
        rb_warn(&cli->diag, rb_in_file(path), "%d triangles: checks take about %.0f s",
                mesh.triangle_count, 1.5e-6 * mesh.triangle_count);
        cli_print_messages(cli);
    }
    double scale = isnan(o.scale) ? 1 : o.scale;
    mesh = rb_mesh_map(&mesh, m3_diagonal(v3(scale, scale, scale)), V3_ZERO, &cli->arena);
    RbMeshReport report = rb_mesh_check(&mesh, cli->scratch);
    Vec3 size = rb_aabb_edges(report.box);
    RbMeshRepair what;
    mesh = rb_mesh_repair(&mesh, isnan(o.weld) ? 1e-9 * v3_max_abs(size) : o.weld, &cli->arena,
                          cli->scratch, &what);
    if (!isnan(o.simplify)) mesh = rb_mesh_simplify(&mesh, o.simplify, &cli->arena, cli->scratch);
    report = rb_mesh_check(&mesh, cli->scratch);
    RbText text = rb_text(&cli->arena);
    rb_mesh_report_print(&report, &text);
    printf("%s", text.data);
    print_repair(&what);
    printf("box             {%.9g, %.9g, %.9g} to {%.9g, %.9g, %.9g} m\n", report.box.low.x,
           report.box.low.y, report.box.low.z, report.box.high.x, report.box.high.y,
           report.box.high.z);
    printf("area            %.9g m2\n", report.area);
    if (report.encloses_body) print_mass(&mesh, isnan(o.density) ? 1000 : o.density);
    const char *to = cli_option(cli, "output-file");
    if (to) RB_TRY(rb_mesh_file_write(to, &mesh, &cli->scratch, &cli->diag));
    if (report.encloses_body) return RB_OK;
    return rb_fail(&cli->diag, RB_ERROR_MODEL, rb_in_file(path),
                   "the surface does not enclose a body");
}
