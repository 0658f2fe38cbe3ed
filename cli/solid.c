// SPDX-License-Identifier: MIT
// rattleback solid FILE: what a mesh file holds, whether it encloses a body, and its mass properties.
#include <stdio.h>
#include <sys/stat.h>

#include "cli.h"

static RbStatus number_of(Cli *cli, const char *name, bool positive, double *value) {
    if (!cli_has(cli, name)) return RB_OK;
    TRY(cli_number(cli, name, value));
    if (positive ? *value > 0 : *value >= 0) return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "--%s is %g; it must be %s", name, *value,
                    positive ? "positive" : "zero or positive");
}

// Two seconds per million triangles of 50 bytes, as measured on one core of 3 GHz; texts are longer, and slower to
// read.
static void tell_how_long(const char *path) {
    const double much = 2e7, triangle = 50, seconds = 2e-6;
    struct stat file;
    if (stat(path, &file) != 0 || (double)file.st_size < much) return;
    double count = (double)file.st_size / triangle;
    fprintf(stderr, "%s: %.3g MB, up to %.2g million triangles; this will take about %.0f s\n",
            path, 1e-6 * (double)file.st_size, 1e-6 * count, seconds * count);
}

static void print_mass(const RbMeshFindings *f, double density) {
    const double *c = f->centroid, *I = f->inertia, d = density;
    printf("volume          %.9g m3\n", f->volume);
    printf("mass            %.9g kg at %g kg/m3\n", d * f->volume, d);
    printf("centre of mass  {%.9g, %.9g, %.9g} m\n", c[0], c[1], c[2]);
    printf("inertia about it  xx %.9g  yy %.9g  zz %.9g  xy %.9g  yz %.9g  xz %.9g kg.m2\n",
           d * I[0], d * I[4], d * I[8], d * I[1], d * I[5], d * I[2]);
}

static void print_findings(const RbMeshFindings *f) {
    if (f->parts > 1) printf("%d parts\n", f->parts);
    printf("%s", f->text);
    printf(
        "repaired: %d vertices welded, %d triangles and %d vertices removed, %d triangles turned\n",
        f->welded_vertices, f->removed_triangles, f->removed_vertices, f->flipped_triangles);
    if (f->one_sided > 0) printf("%d surfaces are one-sided\n", f->one_sided);
    printf("box             {%.9g, %.9g, %.9g} to {%.9g, %.9g, %.9g} m\n", f->low[0], f->low[1],
           f->low[2], f->high[0], f->high[1], f->high[2]);
    printf("area            %.9g m2\n", f->area);
}

RbStatus run_solid(Cli *cli) {
    const char *path = cli->arguments[0], *to = cli_option(cli, "output-file");
    RbMeshReading reading = rb_mesh_reading_default();
    RbMeshFindings findings;
    RbWorkpiece *form;
    double density = 1000;
    TRY(number_of(cli, "scale", true, &reading.scale));
    TRY(number_of(cli, "weld", false, &reading.weld));
    TRY(number_of(cli, "density", true, &density));
    TRY(number_of(cli, "extrude", true, &reading.extrude));
    TRY(number_of(cli, "simplify", true, &reading.simplify));
    tell_how_long(path);
    TRY(rb_workpiece_inspect(cli->context, path, &reading, &findings, &form));
    print_findings(&findings);
    if (findings.encloses_body) print_mass(&findings, density);
    if (to) TRY(rb_workpiece_write(form, to));
    if (findings.encloses_body) return RB_OK;
    return cli_fail(cli, RB_ERROR_MODEL, path, "the surface does not enclose a body");
}
