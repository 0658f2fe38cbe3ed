// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "model/system.h"
#include "open_model.h"

static void print_part(const RbSystemPart *p) {
    const RbSegment *g = p->segment;
    const char *name = p->instance->name;
    printf("component %s%s(%s)\n", name, name[0] ? " " : "", p->instance->type->name);
    for (int i = 0; i < g->states.count; i++) {
        const RbStateSpec *s = &g->states.data[i];
        printf("  state %d: %s = %g %s (nominal %g, group %d)\n", p->x + i, s->name, s->start,
               s->unit, s->nominal, s->group);
    }
    for (int i = 0; i < g->quadratures.count; i++) {
        printf("  quadrature %d: %s %s\n", p->q + i, g->quadratures.data[i].name,
               g->quadratures.data[i].unit);
    }
    for (int i = 0; i < g->indicators.count; i++) {
        int direction = g->indicators.data[i].direction;
        printf("  indicator %d: %s%s\n", p->z + i, g->indicators.data[i].name,
               direction > 0   ? " (rising)"
               : direction < 0 ? " (falling)"
                               : "");
    }
    for (int i = 0; i < g->discretes.count; i++) {
        printf("  discrete %d: %s = %g\n", p->d + i, g->discretes.data[i].name,
               g->discretes.data[i].start);
    }
    for (int i = 0; i < p->instance->declared.equations.count; i++) {
        printf("  equation: %s\n", p->instance->declared.equations.data[i]);
    }
}

static void print_pattern(const RbPattern *p) {
    printf("pattern of d(der(x))/dx: %d of %ld entries\n", p->count, (long)p->n * p->n);
    for (int row = 0; row < p->n && p->n <= 64; row++) {
        fputs("  ", stdout);
        for (int col = 0; col < p->n; col++) putchar(rb_pattern_find(p, row, col) >= 0 ? '*' : '.');
        putchar('\n');
    }
}

static RbStatus dump_system(Cli *cli) {
    RbModel *model;
    RbSystem *system;
    RB_TRY(open_model(cli, &model));
    RB_TRY(rb_system_build(model, 0, NULL, NULL, &cli->arena, cli->scratch, &cli->diag, &system));
    for (int i = 0; i < system->part_count; i++) print_part(&system->parts[i]);
    RbValues values = rb_system_values(system, &cli->arena);
    rb_system_start_values(system, &values);
    RbComposed composed = rb_system_couplings(system, values.d, false, &cli->arena, cli->scratch);
    print_pattern(&composed.pattern);
    return RB_OK;
}

RbStatus run_dump(Cli *cli) {
    const char *stage = cli_option(cli, "stage");
    if (!stage || strcmp(stage, "system") == 0) return dump_system(cli);
    if (!rb_translate_has_stage(stage)) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there is no stage '%s'; there are: ast, inst, flat, sorted, c, system",
                       stage);
    }
    RbText text = rb_text(&cli->arena);
    RbModelica source;
    RB_TRY(modelica_source(cli, &source));
    RbModelicaOpener opener = modelica_opener(cli, &source);
    opener.stage = stage;
    opener.dump = &text;
    RB_TRY(rb_modelica_run_translation(&opener));
    fputs(text.data, stdout);
    return RB_OK;
}
