// SPDX-License-Identifier: MIT
// rattleback solid FILE|FOLDER|CLASS: what a mesh file or a folder of convex parts holds, or which solids a Modelica model builds: whether they enclose
// bodies, their mass properties, and pictures of them.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "open_model.h"

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

static void print_repairs(const RbMeshFindings *f) {
    printf(
        "repaired: %d vertices welded, %d triangles and %d vertices removed, %d triangles turned\n",
        f->welded_vertices, f->removed_triangles, f->removed_vertices, f->flipped_triangles);
    if (f->doubled_vertices > 0)
        printf("vertices doubled, where solids meet in edges or vertices: %d\n",
               f->doubled_vertices);
    if (f->guessed_cavities > 0)
        printf(
            "taken for cavities, as they lie within others, though they faced the same way: %d\n",
            f->guessed_cavities);
    if (f->one_sided > 0) printf("%d surfaces are one-sided\n", f->one_sided);
}

static void print_box(const RbMeshFindings *f) {
    printf("box             {%.9g, %.9g, %.9g} to {%.9g, %.9g, %.9g} m\n", f->low[0], f->low[1],
           f->low[2], f->high[0], f->high[1], f->high[2]);
}

static void print_size(const RbMeshFindings *f) {
    if (f->triangles == 0) return;
    print_box(f);
    printf("area            %.9g m2\n", f->area);
}

// --output-file and --draw
static RbStatus write_solids(Cli *cli, const RbNamedWorkpiece *solids, int count) {
    const char *to = cli_option(cli, "output-file"), *picture = cli_option(cli, "draw");
    if (to && count > 1)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "--output-file holds one solid, and there are %d; choose one with --part "
                        "NAME, such as --part %s",
                        count, solids[0].name);
    if (to) TRY(rb_workpiece_write(solids[0].form, to));
    if (!picture) return RB_OK;
    const char *title = cli->arguments[cli->argument_count - 1];
    return rb_workpieces_draw(cli->context, title, solids, count, picture);
}

static RbStatus refuse(Cli *cli, const char *const *options, const char *what) {
    for (; *options; options++) {
        if (cli_has(cli, *options))
            return cli_fail(cli, RB_ERROR_USAGE, NULL, "--%s is for %s; '%s' is none", *options,
                            what, cli->arguments[0]);
    }
    return RB_OK;
}

// -----------------------------------------------------------------------------------------------
// a file

static RbStatus inspect_file(Cli *cli, double density) {
    static const char *const others[] = {"override", "library", "part", NULL};
    const char *path = cli->arguments[0];
    RbMeshReading reading = rb_mesh_reading_default();
    RbMeshFindings f;
    RbWorkpiece *form;
    TRY(refuse(cli, others, "Modelica models"));
    if (cli->argument_count > 1)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'%s' is one file too many: they are looked at one by one, or as parts of "
                        "one body in a folder",
                        cli->arguments[1]);
    TRY(number_of(cli, "scale", true, &reading.scale));
    TRY(number_of(cli, "weld", false, &reading.weld));
    TRY(number_of(cli, "extrude", true, &reading.extrude));
    TRY(number_of(cli, "simplify", true, &reading.simplify));
    tell_how_long(path);
    TRY(rb_workpiece_inspect(cli->context, path, &reading, &f, &form));
    if (f.parts > 1) printf("%d parts\n", f.parts);
    printf("%s", f.text);
    print_repairs(&f);
    print_size(&f);
    if (f.encloses_body) print_mass(&f, density);
    TRY(write_solids(cli, &(RbNamedWorkpiece){.name = path, .form = form}, 1));
    if (f.encloses_body) return RB_OK;
    return cli_fail(cli, RB_ERROR_MODEL, path, "the surface does not enclose a body");
}

// -----------------------------------------------------------------------------------------------
// several solids, of a class or a folder

// 'tray' is the part whose solid is 'tray.mesh'.
static bool is_wanted(const char *name, const char *wanted) {
    size_t length = strlen(wanted);
    return strncmp(name, wanted, length) == 0 &&
           (!name[length] || strcmp(name + length, ".mesh") == 0);
}

// The solid of --part alone.
static RbStatus choose_part(Cli *cli, const RbNamedWorkpiece **solids, int *count) {
    const char *wanted = cli_option(cli, "part");
    if (!wanted) return RB_OK;
    const char **names = cli_room(cli, (size_t)*count * sizeof *names);
    for (int i = 0; i < *count; i++) {
        names[i] = (*solids)[i].name;
        if (!is_wanted(names[i], wanted)) continue;
        *solids += i;
        *count = 1;
        return RB_OK;
    }
    const char *question = cli_question(cli, wanted, "", names, *count);
    Text list = text_new(cli);
    for (int i = 0; i < *count && i <= 12; i++)
        text_printf(&list, "%s%s", i > 0 ? ", " : "; there are ", i < 12 ? names[i] : "...");
    return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--part %s': there is no such solid%s", wanted,
                    *question ? question : list.data);
}

static void print_solid(const RbNamedWorkpiece *s, double density) {
    printf("%s\n%s", s->name, s->findings.text);
    print_size(&s->findings);
    print_mass(&s->findings, density);
}

// Parts are drawn where they are, not in a row.
static RbStatus inspect_folder(Cli *cli, double density) {
    static const char *const others[] = {"weld", "extrude", "simplify", NULL};
    static const char *const model[] = {"override", "library", NULL};
    double scale = 1;
    const RbNamedWorkpiece *parts;
    RbNamedWorkpiece whole;
    int count;
    TRY(refuse(cli, others, "mesh files"));
    TRY(refuse(cli, model, "Modelica models"));
    TRY(number_of(cli, "scale", true, &scale));
    TRY(rb_workpiece_read_folder(cli->context, cli->arguments[0], scale, &parts, &count, &whole));
    TRY(choose_part(cli, &parts, &count));
    for (int i = 0; i < count; i++) {
        print_solid(&parts[i], density);
        printf("\n");
    }
    if (cli_has(cli, "part")) return write_solids(cli, parts, count);
    printf("%s: %d convex part%s in all\n", whole.name, count, count == 1 ? "" : "s");
    print_box(&whole.findings); // the area has faces twice where parts touch
    print_mass(&whole.findings, density);
    if (cli_has(cli, "output-file") && count > 1) return write_solids(cli, parts, count);
    return write_solids(cli, &whole, 1);
}

static RbStatus inspect_class(Cli *cli, double density) {
    static const char *const others[] = {"scale", "weld", "extrude", "simplify", NULL};
    const RbNamedWorkpiece *solids;
    RbModel *model;
    int count;
    TRY(refuse(cli, others, "mesh files"));
    TRY(open_model(cli, &model));
    TRY(rb_model_solids(model, &solids, &count));
    if (count == 0)
        return cli_fail(cli, RB_ERROR_MODEL, NULL,
                        "'%s' has no solids: no parameter of it or of its parts is a "
                        "Rattleback.Solids.TriangleMesh (a Parts.Workpiece has one)",
                        rb_model_info(model).name);
    TRY(choose_part(cli, &solids, &count));
    for (int i = 0; i < count; i++) {
        if (i > 0) printf("\n");
        print_solid(&solids[i], density);
    }
    return write_solids(cli, solids, count);
}

static bool is_mesh_file(const char *name) {
    static const char *const endings[] = {".stl", ".obj", ".ply", ".dxf"};
    for (int i = 0; i < 4; i++) {
        if (ends_with(name, endings[i])) return true;
    }
    return false;
}

// A folder that is no package of Modelica.
static bool is_parts_folder(Cli *cli) {
    const char *name = cli->arguments[0];
    struct stat info;
    if (cli->argument_count > 1 || stat(name, &info) != 0 || !S_ISDIR(info.st_mode)) return false;
    size_t size = strlen(name) + sizeof "/package.mo";
    char *package = cli_room(cli, size);
    snprintf(package, size, "%s/package.mo", name);
    return stat(package, &info) != 0;
}

RbStatus run_solid(Cli *cli) {
    double density = 1000;
    TRY(number_of(cli, "density", true, &density));
    if (is_parts_folder(cli)) return inspect_folder(cli, density);
    bool class = !is_mesh_file(cli->arguments[0]) && names_modelica(cli);
    return class ? inspect_class(cli, density) : inspect_file(cli, density);
}
