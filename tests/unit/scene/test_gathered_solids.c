// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (cli/test_modelica_examples and scene/test_solids run the same code)
// Scenes of solids that touch by their surfaces as Modelica models of examples/modelica: the first seconds.
#include "gathered_scenes.h"

static const Pair pairs[] = {
    {"Clockwork.mo", "Clockwork.Geneva3", "geneva-3", "output_.phi", "output.phi", 0, 2},
    {"Clockwork.mo", "Clockwork.Geneva", "geneva-6", "output_.phi", "output.phi", 0, 2},
    {"Clockwork.mo", "Clockwork.Escapement", "escapement", "tick.phi", "tick.phi", 1e-5, 3},
    {"Scenes.mo", "Scenes.Cards", "cards", "left.r_0[%d]", "left.r_abs[%d]", 1e-8, 2},
};

static void models_begin_as_the_scenes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) compare_with_scene(&pairs[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_begin_as_the_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
