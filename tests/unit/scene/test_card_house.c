// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full
// A house of cards stands, and falls where statics says so: by friction that is too low, and without one of its cards.
#include "stand.h"

static const double card_high = 0.088, card_thick = 0.002, lean = 0.2; // [m], [rad]; scenes/toys.c

// Least friction that holds the lowest story. A card of weight w carries P on its upper outer corner and leans with H on its
// partner; about its foot, the inner lower corner, H h cos = (w/2 + P) (h sin - t cos); friction H of the normal force w + P.
static double least_friction(int stories) {
    double above = 5 * (stories - 1) + 1, P = above / 4; // in weights of a card, on four cards
    return (0.5 + P) / (1 + P) * (tan(lean) - card_thick / card_high);
}

static void build(Stand *s, int stories, double friction) {
    stand_open(s);
    rb_scene_card_house(s->scene,
                        (RbCardHouse){.stories = stories, .angle = lean, .friction = friction});
}

static double height_of_roof(int stories) {
    double story = card_high * cos(lean) + card_thick * (1 + sin(lean));
    return stories * story - 0.5 * card_thick;
}

// Three stories, fifteen cards: from 2 s on no card moves, and none has moved by more than the give of the contacts.
static void house_stands(void **state) {
    (void)state;
    Stand s;
    build(&s, 3, 0.4);
    s.options.solver = "islands";
    stand_record(&s, 1);
    stand_run(&s, 5, 1e-5);
    ENSURE(s.summary.allocations == 0);
    double most = 0, first = 0;
    for (int i = 0; i < s.scene->objects.count; i++) {
        if (!s.scene->objects.data[i].object.moves_freely) continue;
        for (int k = 1; k <= 3; k++) {
            char name[64];
            int count;
            snprintf(name, sizeof name, "%s.r[%d]", s.scene->objects.data[i].object.name, k);
            const double *x = stand_series(&s, name, &count), *t = stand_series(&s, "time", &count);
            for (int n = 0; n < count; n++) {
                if (t[n] >= 2) most = fmax(most, fabs(x[n] - x[count - 1]));
                first = fmax(first, fabs(x[n] - x[0]));
            }
        }
    }
    print_message("drift from 2 to 5 s: %.2g m, give at first: %.2g m\n", most, first);
    ENSURE(most < 1e-8);
    ENSURE(first < 0.1 * card_thick);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-6);
    stand_close(&s);
}

static double roof_after(int stories, double friction, double time) {
    Stand s;
    char roof[16];
    build(&s, stories, friction);
    stand_run(&s, time, 1e-5);
    snprintf(roof, sizeof roof, "roof%d", stories);
    double z = stand_vector(&s, roof, "r").z;
    stand_close(&s);
    return height_of_roof(stories) - z;
}

// A tenth above and below the limit; under a second story more friction is needed than would hold one.
static void friction_holds_it(void **state) {
    (void)state;
    double mu = least_friction(1), more = least_friction(2), time = 0.2;
    ENSURE(roof_after(1, 1.1 * mu, time) < 1e-4);
    ENSURE(roof_after(1, 0.9 * mu, time) > 3e-3);
    ENSURE(0.9 * more > 1.1 * mu && roof_after(2, 0.9 * more, time) > 3e-3);
}

// Without one of its four cards the house leans over.
static void card_is_pulled(void **state) {
    (void)state;
    Stand s;
    build(&s, 1, 0.4);
    rb_scene_add_action(
        s.scene, (RbSceneAction){.time = 0.05, .kind = RB_SCENE_REMOVE, .a = "story1_left_a"});
    stand_run(&s, 0.05, 1e-5);
    ENSURE_NEAR(stand_vector(&s, "roof1", "r").x, 0, 1e-4);
    stand_run(&s, 0.3, 1e-5);
    ENSURE(stand_vector(&s, "roof1", "r").x < -0.01);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(house_stands),
                                       cmocka_unit_test(friction_holds_it),
                                       cmocka_unit_test(card_is_pulled)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
