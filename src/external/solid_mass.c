// SPDX-License-Identifier: MIT
// Mass properties of solids (Rattleback.Solids.massProperties) for bodies that are written as equations.
#include "expr/eval_array.h"
#include "external/native.h"
#include "geom/mass.h"
#include "geom/moments.h"
#include "io/recipe.h"

// rattleback_solid_mass(recipe, density, values): m, r_CM, I_11, I_22, I_33, I_21, I_31, I_32.
static bool solid_mass(RbNativeCall *c) {
    const RbExprValue *args = c->external->args;
    const double density = args[1].data[0];
    if (args[2].count != 10) return rb_eval_error(c->env, "ten numbers are wanted");
    RbDiag diag = rb_diag(c->env->arena);
    // That of the call is given back by a mark, so nothing may hang on it.
    RbArena keep = rb_arena(c->env->arena->heap), scratch = rb_arena(c->env->arena->heap);
    RbMesh mesh;
    RbMassProperties p = {0};
    RbStatus status = rb_recipe_solid(args[0].text[0], NULL, "massProperties", RB_NOWHERE, &keep,
                                      scratch, &diag, &mesh);
    if (status == RB_OK) p = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(&mesh)), density);
    rb_arena_free(&scratch);
    rb_arena_free(&keep);
    if (status != RB_OK) return rb_eval_error(c->env, diag.messages.data[0].text);
    const double values[10] = {p.mass,     p.r_CM.x,   p.r_CM.y,   p.r_CM.z,   p.I_CM.x.x,
                               p.I_CM.y.y, p.I_CM.z.z, p.I_CM.x.y, p.I_CM.x.z, p.I_CM.y.z};
    for (int i = 0; i < 10; i++) args[2].data[i] = values[i];
    return true;
}

const RbNative rb_native_solids[] = {{"rattleback_solid_mass", "snm:", solid_mass}};
const int rb_native_solid_count = sizeof rb_native_solids / sizeof *rb_native_solids;
