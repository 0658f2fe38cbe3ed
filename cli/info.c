// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "open_model.h"

static RbStatus print_material_names(Cli *cli) {
    RbSceneBuilder *scene; // only for its palette
    TRY(rb_builder_create(cli->context, "palette", &scene));
    printf(
        "\nMaterials (rattleback info --materials [ONE,OTHER]; with contact data for %d pairs):\n",
        rb_builder_pair_count(scene));
    for (int i = 0, column = 0; rb_builder_material(scene, i); i++) {
        bool last = !rb_builder_material(scene, i + 1);
        if (column > 80) {
            printf("\n");
            column = 0;
        }
        column += printf("%s%s%s", column == 0 ? "  " : " ", rb_builder_material(scene, i),
                         last ? "\n" : ",");
    }
    return RB_OK;
}

static RbStatus print_overview(Cli *cli) {
    const char *name, *description;
    printf("Examples (rattleback simulate NAME):\n");
    for (int i = 0; rb_example(i, &name, &description); i++)
        printf("  %-22s%s\n", name, description);
    printf("\nScenes of bodies that collide:\n");
    for (int i = 0; rb_scene_example(i, &name, &description); i++)
        printf("  %-22s%s\n", name, description);
    printf("\nComponents:\n");
    for (int i = 0; rb_context_component(cli->context, i, &name, &description); i++)
        printf("  %-22s%s\n", name, description);
    TRY(print_library(cli));
    return print_material_names(cli);
}

static RbStatus print_scene(Cli *cli, const char *name) {
    RbSceneBuilder *scene;
    RbModel *model;
    const char *text;
    TRY(rb_builder_open(cli->context, name, &scene));
    TRY(rb_builder_finish(scene, &model));
    TRY(rb_builder_describe(scene, &text));
    RbModelInfo m = rb_model_info(model);
    printf("%s: %s\nstop time %g s, tolerance %g, %s", m.name, m.description, m.stop_time,
           m.tolerance, text);
    return RB_OK;
}

static RbStatus print_model(Cli *cli) {
    RbModel *model;
    const RbModelComponent *components;
    const RbModelVariable *variables;
    int component_count, count;
    if (names_scene(cli->arguments[0])) return print_scene(cli, cli->arguments[0]);
    TRY(open_model(cli, &model));
    TRY(rb_model_components(model, &components, &component_count));
    TRY(rb_model_variables(model, &variables, &count));
    RbModelInfo m = rb_model_info(model);
    printf("%s: %s\nstop time %g s, tolerance %g\n", m.name,
           m.description[0] ? m.description : components[0].description, m.stop_time, m.tolerance);
    for (int k = 0, i = 0; k < component_count; k++) {
        const RbModelComponent *c = &components[k];
        printf("\n%s%s(%s): %s\n", c->name, c->name[0] ? " " : "", c->type, c->description);
        for (; i < count && variables[i].component == k; i++) {
            const RbModelVariable *v = &variables[i];
            printf("  %-14s = %-12s %-10s %s%s\n", v->name, v->value, v->unit, v->description,
                   v->kind == RB_MODEL_INPUT ? " (input)" : "");
        }
    }
    return RB_OK;
}

static RbStatus print_result(Cli *cli, const char *path) {
    static const char *const kinds[] = {"", "(discrete) ", "(parameter) "}; // ORDER RbSeriesKind
    RbResults *results;
    TRY(rb_results_open(cli->context, path, &results));
    RbResultsInfo r = rb_results_info(results);
    const char *name;
    double value;
    printf("%s: model '%s', %zu rows, %d variables, %d segments\n", path, r.model, r.rows,
           r.variables, r.segments);
    if (r.ending == RB_ENDING_UNKNOWN)
        printf("a CSV file does not tell whether the run came to its end\n");
    else if (r.ending == RB_ENDING_COMPLETE)
        printf("complete\n");
    else
        printf("incomplete: %s\n", r.reason);
    for (int i = 0; rb_results_figure(results, i, &name, &value); i++)
        printf("%s %g\n", name, value);
    RbSegmentInfo s;
    for (int i = 0; rb_results_segment(results, i, &s); i++)
        printf("  segment %d from %.10g s: %d states, %g steps, %g events; %s\n", i + 1, s.time,
               s.states, s.steps, s.events, s.cause);
    for (int i = 0; i < r.variables; i++) {
        RbSeries v;
        TRY(rb_results_variable(results, i, &v));
        printf("  %-32s %-10s %s%s\n", v.name, v.unit, kinds[v.kind], v.description);
    }
    return RB_OK;
}

// `names` is empty: all.
static RbStatus print_materials(Cli *cli, const char *names) {
    const char *comma = strchr(names, ','), *text;
    if (!comma && names[0])
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--materials %s' is not of the form BALL,PLATE",
                        names);
    RbSceneBuilder *scene; // only for its palette
    TRY(rb_builder_create(cli->context, "palette", &scene));
    const char *file = cli_option(cli, "material-file");
    if (file) TRY(rb_builder_read_materials(scene, file));
    if (!comma) {
        TRY(rb_builder_describe_materials(scene, &text));
        fputs(text, stdout);
        return RB_OK;
    }
    const char *ball = cli_copy(cli, names, (size_t)(comma - names));
    TRY(rb_builder_describe_pair(scene, ball, comma + 1, &text));
    fputs(text, stdout);
    return RB_OK;
}

static RbStatus print_fmu(Cli *cli, const char *path) {
    const char *text;
    TRY(rb_fmu_describe_file(cli->context, path, &text));
    fputs(text, stdout);
    return RB_OK;
}

RbStatus run_info(Cli *cli) {
    if (cli_has(cli, "materials")) return print_materials(cli, cli_option(cli, "materials"));
    if (cli->argument_count == 0) return print_overview(cli);
    if (names_soft_scene(cli)) return print_model(cli);
    const char *what = cli->arguments[0];
    struct stat info;
    if (ends_with(what, ".fmu") && cli->argument_count == 1) return print_fmu(cli, what);
    bool library = strcmp(what, "Rattleback") == 0; // the only one without a dot or a file
    if (!rb_results_can_write(what) && (library || names_modelica(cli))) return print_modelica(cli);
    bool file = stat(what, &info) == 0 || strchr(what, '/') || rb_results_can_write(what);
    return file ? print_result(cli, what) : print_model(cli);
}
