// SPDX-License-Identifier: MIT
// rattleback flexible FILE [SET ...]: a finite-element mesh as an elastic part: size, mass, frequencies.
#include <stdio.h>

#include "open_model.h"

static RbStatus read_options(Cli *cli, RbFlexibleReading *o) {
    double modes = o->modes;
    if (cli_has(cli, "scale")) TRY(cli_number(cli, "scale", &o->scale));
    if (cli_has(cli, "youngs-modulus")) TRY(cli_number(cli, "youngs-modulus", &o->youngs_modulus));
    if (cli_has(cli, "poisson")) TRY(cli_number(cli, "poisson", &o->poisson));
    if (cli_has(cli, "density")) TRY(cli_number(cli, "density", &o->density));
    if (cli_has(cli, "modes")) TRY(cli_number(cli, "modes", &modes));
    if (!(modes >= 0 && modes <= 1000) || modes != (double)(int)modes)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "--modes is %g; it must be a whole number from 0 to 1000", modes);
    o->modes = (int)modes;
    o->averaged = cli_has(cli, "averaged");
    return RB_OK;
}

static void print_part(const RbFlexibleFindings *f, int frames) {
    const double *c = f->centre, *I = f->inertia;
    printf("nodes           %d\nelements        %d tetrahedra of %d nodes, worst shape %.2g "
           "(regular: 1)\n",
           f->nodes, f->elements, f->order == 2 ? 10 : 4, f->worst_shape);
    for (int i = 0; i < f->set_count; i++)
        printf("node set        %s: %d nodes\n", f->sets[i], f->set_nodes[i]);
    printf("mass            %.9g kg\ncentre of mass  {%.9g, %.9g, %.9g} m\n", f->mass, c[0], c[1],
           c[2]);
    printf("inertia about it  xx %.9g  yy %.9g  zz %.9g  xy %.9g  yz %.9g  xz %.9g kg.m2\n", I[0],
           I[4], I[8], I[1], I[5], I[2]);
    printf("factors         %.3g MB\n", 1e-6 * f->memory);
    printf("modes           %d with %d frame%s; 6 rigid ones removed\n", f->modes, frames,
           frames == 1 ? "" : "s");
    for (int i = 0; i < f->modes; i++) printf("%6d          %.9g Hz\n", i + 1, f->frequencies[i]);
}

RbStatus run_flexible(Cli *cli) {
    RbFlexibleReading reading = rb_flexible_reading_default();
    RbFlexibleFindings f;
    TRY(read_options(cli, &reading));
    const char *const *frames = (const char *const *)cli->arguments + 1;
    int count = cli->argument_count - 1;
    TRY(rb_flexible_inspect(cli->context, cli->arguments[0], &reading, frames, count, &f));
    print_part(&f, count);
    return RB_OK;
}
