// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "contact/describe.h"
#include "io/result_file.h"
#include "model/example.h"
#include "multibody/scene_describe.h"
#include "open_model.h"
#include "scenes.h"

static RbStatus print_material_names(Cli *cli) {
    RbScene *scene = rb_scene_new(&cli->arena); // only for its palette
    RB_TRY(rb_scene_read_materials(scene, NULL, &cli->diag));
    printf("\nMaterials (rattleback info --materials ONE,OTHER; with contact data for %d pairs):\n",
           scene->materials.pairs.count);
    for (int i = 0, column = 0; i < scene->materials.solids.count; i++) {
        bool last = i + 1 == scene->materials.solids.count;
        if (column > 80) {
            printf("\n");
            column = 0;
        }
        column += printf("%s%s%s", column == 0 ? "  " : " ", scene->materials.solids.data[i].name,
                         last ? "\n" : ",");
    }
    return RB_OK;
}

static RbStatus print_overview(Cli *cli) {
    printf("Examples (rattleback simulate NAME):\n");
    for (const RbExample *e = rb_examples; e->name; e++)
        printf("  %-22s%s\n", e->name, e->description);
    printf("\nScenes of bodies that collide:\n");
    for (const RbSceneCase *c = rb_scene_cases; c->name; c++)
        printf("  %-22s%s\n", c->name, c->description);
    printf("\nComponents:\n");
    for (int i = 0; i < cli->registry.types.count; i++) {
        const RbComponentType *t = cli->registry.types.data[i];
        printf("  %-22s%s\n", t->name, t->description ? t->description : "");
    }
    RB_TRY(print_library(cli));
    return print_material_names(cli);
}

static void print_component(const RbInstance *c) {
    printf("\n%s%s(%s): %s\n", c->name, c->name[0] ? " " : "", c->type->name,
           c->type->description ? c->type->description : "");
    for (int i = 0; i < c->declared.parameters.count; i++) {
        const RbParameter *p = &c->declared.parameters.data[i];
        printf("  %-14s = %-12g %-10s %s\n", p->spec.name, p->value, p->spec.unit,
               p->spec.description);
    }
    for (int i = 0; i < c->declared.variables.count; i++) {
        const RbVariable *v = &c->declared.variables.data[i];
        if (v->spec.kind != RB_VARIABLE_INPUT) continue;
        printf("  %-14s = %-12g %-10s %s (input)\n", v->spec.name, v->value, v->spec.unit,
               v->spec.description);
    }
}

static RbStatus print_scene(Cli *cli, const RbSceneCase *c) {
    RbModel *m;
    RbScene *scene;
    RB_TRY(rb_scene_case_model(c, &cli->arena, &cli->diag, &m, &scene));
    RbText text = rb_text(&cli->arena);
    rb_scene_describe(scene, cli->scratch, &text);
    printf("%s: %s\nstop time %g s, tolerance %g, ", c->name, c->description, c->stop_time,
           c->tolerance);
    fputs(text.data, stdout);
    return RB_OK;
}

static RbStatus print_model(Cli *cli) {
    const RbSceneCase *scene = rb_scene_case(cli->arguments.data[0]);
    if (scene) return print_scene(cli, scene);
    RbModel *m;
    RB_TRY(open_model(cli, &m));
    printf("%s: %s\nstop time %g s, tolerance %g\n", m->name, m->description, m->stop_time,
           m->tolerance);
    for (int i = 0; i < m->instances.count; i++) print_component(&m->instances.data[i]);
    return RB_OK;
}

static RbStatus print_result(Cli *cli, const char *path) {
    RbResult *r;
    RB_TRY(rb_result_read(path, RB_JOURNAL_LOAD, &cli->arena, cli->scratch, &cli->diag, &r));
    printf("%s: model '%s', %zu rows, %d variables, %d segments\n", path, r->experiment.model,
           r->row_count, r->variables.count, r->segments.count);
    if (r->ending_unknown)
        printf("a CSV file does not tell whether the run came to its end\n");
    else if (r->complete)
        printf("complete\n");
    else
        printf("incomplete: %s\n", r->reason);
    for (int i = 0; i < r->figures.count; i++)
        printf("%s %g\n", r->figures.data[i].name, r->figures.data[i].value);
    for (int i = 0; i < r->variables.count; i++) {
        const RbResultVariable *v = &r->variables.data[i];
        printf("  %-32s %-10s %s%s\n", v->name, v->unit,
               v->parameter  ? "(parameter) "
               : v->discrete ? "(discrete) "
                             : "",
               v->description);
    }
    return RB_OK;
}

static RbStatus print_materials(Cli *cli, const char *names) {
    const char *comma = strchr(names, ',');
    if (!comma) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--materials %s' is not of the form BALL,PLATE", names);
    }
    RbScene *scene = rb_scene_new(&cli->arena); // only for its palette
    RB_TRY(rb_scene_read_materials(scene, NULL, &cli->diag));
    const char *file = cli_option(cli, "material-file");
    if (file) RB_TRY(rb_scene_read_materials(scene, file, &cli->diag));
    RbText text = rb_text(&cli->arena);
    const char *ball = rb_arena_bytes(&cli->arena, names, (size_t)(comma - names));
    RB_TRY(rb_materials_describe(&scene->materials, ball, comma + 1, &cli->diag, &text));
    fputs(text.data, stdout);
    return RB_OK;
}

RbStatus run_info(Cli *cli) {
    if (cli_has(cli, "materials")) return print_materials(cli, cli_option(cli, "materials"));
    if (cli->arguments.count == 0) return print_overview(cli);
    const char *what = cli->arguments.data[0];
    struct stat info;
    bool library = strcmp(what, "Rattleback") == 0; // the only one without a dot or a file
    if (!rb_result_can_write(what) && (library || names_modelica(cli))) return print_modelica(cli);
    bool file = stat(what, &info) == 0 || strchr(what, '/') || rb_result_can_write(what);
    return file ? print_result(cli, what) : print_model(cli);
}
