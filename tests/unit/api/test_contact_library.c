// SPDX-License-Identifier: MIT
// The C library behind library/RattlebackContact, as a tool that is not ours calls it.
// Not among the fast tests, which valgrind watches: it complains about the loader of libraries.
// label: normal
#include "testing.h"

#include <dlfcn.h>
#include <malloc.h>
#include <string.h>

#include "../../../library/RattlebackContact/Resources/Include/rattleback_contact.h"

#define LIBRARY                                                                                    \
    RB_BINARY_DIR "/library/RattlebackContact/Resources/Library/linux64/librattleback_contact.so"

static struct {
    void *handle;
    RattlebackContact *(*open)(int bodies);
    void (*close)(RattlebackContact *contact);
    const char *(*body)(RattlebackContact *contact, const RattlebackContactBody *body);
    const char *(*law)(RattlebackContact *contact, const double law[RATTLEBACK_LAW_SIZE]);
    const char *(*forces)(RattlebackContact *contact, int events,
                          const RattlebackContactPoses *poses, double *f, double *t,
                          double *elastic);
    const char *(*indicator)(RattlebackContact *contact, int events,
                             const RattlebackContactPoses *poses, double *z);
    const char *(*meet)(RattlebackContact *contact, int events,
                        const RattlebackContactPoses *poses);
} library;

static int load(void **state) {
    (void)state;
    library.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library.handle) print_error("%s\n", dlerror());
    ENSURE(library.handle);
    *(void **)&library.open = dlsym(library.handle, "rattleback_contact_open");
    *(void **)&library.close = dlsym(library.handle, "rattleback_contact_close");
    *(void **)&library.body = dlsym(library.handle, "rattleback_contact_body");
    *(void **)&library.law = dlsym(library.handle, "rattleback_contact_law");
    *(void **)&library.forces = dlsym(library.handle, "rattleback_contact_forces");
    *(void **)&library.indicator = dlsym(library.handle, "rattleback_contact_indicator");
    *(void **)&library.meet = dlsym(library.handle, "rattleback_contact_meet");
    return 0;
}

enum { MOST = 3 };

typedef struct Scene {
    double r[3 * MOST], T[9 * MOST], v[3 * MOST], w[3 * MOST];
} Scene;

static RattlebackContactPoses poses(const Scene *s) {
    return (RattlebackContactPoses){s->r, s->T, s->v, s->w};
}

static Scene at_rest(void) {
    Scene s = {{0}, {0}, {0}, {0}};
    for (int i = 0; i < MOST; i++) s.T[9 * i] = s.T[9 * i + 4] = s.T[9 * i + 8] = 1;
    return s;
}

static RattlebackContactBody body(int id, int shape, double size) {
    return (RattlebackContactBody){.id = id,
                                   .shape = shape,
                                   .size = {size, size, size},
                                   .axis = 3,
                                   .smoothing = 0.001,
                                   .scale = 1,
                                   .material = "Steel"};
}

// A ball (1) above a box whose top is at z = 0 (2).
static RattlebackContact *ball_and_box(void) {
    RattlebackContact *c = library.open(2);
    RattlebackContactBody ball = body(1, RATTLEBACK_CONTACT_SPHERE, 0.1);
    RattlebackContactBody box = body(2, RATTLEBACK_CONTACT_BOX, 1);
    box.fixed = 1;
    box.r_shape[2] = -0.5;
    ENSURE(library.body(c, &ball) == NULL);
    ENSURE(library.body(c, &box) == NULL);
    return c;
}

static void expect(const char *error, const char *text) {
    if (!error || !strstr(error, text)) print_error("got: %s\n", error ? error : "no error");
    ENSURE(error && strstr(error, text));
}

// Hertz: 4/3 E* sqrt(R) depth^1.5; without damping at rest.
static void force_of_hertz(void **state) {
    (void)state;
    RattlebackContact *c = ball_and_box();
    Scene s = at_rest();
    double f[6], t[6], elastic, z, law[RATTLEBACK_LAW_SIZE];
    s.r[2] = 0.0499;
    RattlebackContactPoses p = poses(&s);
    ENSURE(library.meet(c, 0, &p) == NULL);
    ENSURE(library.forces(c, 1, &p, f, t, &elastic) == NULL);
    double modulus = f[2] / (4. / 3 * sqrt(0.05) * pow(1e-4, 1.5));
    ENSURE_NEAR(modulus, 2.06e11 / (2 * (1 - 0.3 * 0.3)), 0.1 * modulus);
    ENSURE_NEAR(elastic, 0.4 * f[2] * 1e-4, 1e-7 * elastic); // the contact starts 1e-12 m before
    for (int k = 0; k < 3; k++) ENSURE_NEAR(f[k] + f[3 + k], 0, 1e-9 * f[2]);
    ENSURE(library.indicator(c, 1, &p, &z) == NULL);
    ENSURE_NEAR(z, 1e-4, 1e-9);
    library.close(c);

    c = ball_and_box();
    for (int i = 0; i < RATTLEBACK_LAW_SIZE; i++) law[i] = -1;
    law[RATTLEBACK_LAW_A] = 2, law[RATTLEBACK_LAW_B] = 1;
    law[RATTLEBACK_LAW_NORMAL] = 2, law[RATTLEBACK_LAW_FRICTION] = 1;
    law[RATTLEBACK_LAW_STIFFNESS] = 1e6, law[RATTLEBACK_LAW_EXPONENT] = 1,
    law[RATTLEBACK_LAW_DAMPER] = 10;
    ENSURE(library.law(c, law) == NULL);
    s.v[2] = -0.5;
    ENSURE(library.meet(c, 0, &p) == NULL);
    ENSURE(library.forces(c, 1, &p, f, t, &elastic) == NULL);
    ENSURE_NEAR(f[2], 1e6 * 1e-4 + 10 * 0.5, 1e-6);
    library.close(c);
}

// Torques about frames that are not at the centre of the shape, and frames that are turned: the wrench is the same one.
static void frames_elsewhere(void **state) {
    (void)state;
    double f[2][6], t[2][6], elastic;
    for (int k = 0; k < 2; k++) {
        RattlebackContact *c = library.open(2);
        RattlebackContactBody ball = body(1, RATTLEBACK_CONTACT_SPHERE, 0.1),
                              box = body(2, RATTLEBACK_CONTACT_BOX, 1);
        Scene s = at_rest();
        box.fixed = 1;
        box.r_shape[2] = -0.5;
        s.r[2] = 0.0499;
        s.v[0] = 1;
        s.w[1] = 3;
        if (k == 1) { // the frame is 0.2 m beside the ball and turned by 90 degrees about z
            const double T[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
            memcpy(s.T, T, sizeof T);
            s.r[0] = 0.2;
            ball.r_shape[1] = 0.2; // y of the frame is -x of the world
            s.v[2] = -3 * 0.2;     // v = w x (0.2, 0, 0)
        }
        ENSURE(library.body(c, &ball) == NULL && library.body(c, &box) == NULL);
        RattlebackContactPoses p = poses(&s);
        ENSURE(library.meet(c, 0, &p) == NULL);
        ENSURE(library.forces(c, 1, &p, f[k], t[k], &elastic) == NULL);
        library.close(c);
    }
    for (int i = 0; i < 6; i++) ENSURE_NEAR(f[1][i], f[0][i], 1e-7 * f[0][2]);
    ENSURE_NEAR(t[1][1], t[0][1] + 0.2 * f[0][2], 1e-7 * f[0][2]);
    ENSURE_NEAR(t[1][2], t[0][2] - 0.2 * f[0][1], 1e-7 * f[0][2]);
}

// Between events a function of the poses, also looking back to before the last ones.
static void looks_back(void **state) {
    (void)state;
    enum { EVENTS = 6 };
    RattlebackContact *c = ball_and_box();
    Scene s = at_rest();
    RattlebackContactPoses p = poses(&s);
    double f[EVENTS][6], t[6], elastic, z[EVENTS], again[6], z_again;
    for (int k = 0; k < EVENTS; k++) { // comes and goes
        s.r[2] = k % 2 ? 0.06 : 0.0499;
        ENSURE(library.meet(c, k, &p) == NULL);
        s.r[2] = 0.0498;
        ENSURE(library.forces(c, k + 1, &p, f[k], t, &elastic) == NULL);
        ENSURE(library.indicator(c, k + 1, &p, &z[k]) == NULL);
        ENSURE((z[k] > 0) == (k % 2 == 0));
    }
    for (int k = EVENTS - 1; k >= 0; k--) {
        s.r[2] = 0.0498;
        ENSURE(library.forces(c, k + 1, &p, again, t, &elastic) == NULL);
        ENSURE(library.indicator(c, k + 1, &p, &z_again) == NULL);
        ENSURE(memcmp(again, f[k], sizeof again) == 0 && z_again == z[k]);
    }
    expect(library.forces(c, 99, &p, again, t, &elastic),
           "the contacts after 99 events are not known");
    library.close(c);
}

// A part of another body: one body, whose parts do not touch each other.
static void parts_of_a_body(void **state) {
    (void)state;
    RattlebackContact *c = library.open(3);
    RattlebackContactBody left = body(1, RATTLEBACK_CONTACT_SPHERE, 0.1), right = left;
    RattlebackContactBody floor = body(3, RATTLEBACK_CONTACT_HALFSPACE, 0);
    Scene s = at_rest();
    RattlebackContactPoses p = poses(&s);
    double f[9], t[9], elastic;
    right.id = 2;
    right.part_of = 1;
    right.r_shape[0] = 0.05; // in each other
    floor.fixed = 1;
    ENSURE(!library.body(c, &right) && !library.body(c, &floor) && !library.body(c, &left));
    s.r[2] = s.r[5] = 0.0499;
    ENSURE(library.meet(c, 0, &p) == NULL);
    ENSURE(library.forces(c, 1, &p, f, t, &elastic) == NULL);
    ENSURE(f[2] > 0);
    ENSURE_NEAR(f[5], f[2], 1e-9 * f[2]);
    ENSURE_NEAR(f[8], -2 * f[2], 1e-9 * f[2]);
    s.r[3] = 0.01;
    expect(library.forces(c, 1, &p, f, t, &elastic),
           "'body 2' moves against the one that it is declared a part of");
    library.close(c);
}

static void mistakes(void **state) {
    (void)state;
    Scene s = at_rest();
    RattlebackContactPoses p = poses(&s);
    double f[9], t[9], elastic, law[RATTLEBACK_LAW_SIZE] = {7};
    RattlebackContact *c = library.open(2);
    RattlebackContactBody ball = body(3, RATTLEBACK_CONTACT_SPHERE, 0.1);
    ball.name = "rig.ball";
    expect(library.body(c, &ball),
           "'rig.ball' has the id 3; this collision world has bodies 1 to 2");
    ball.id = 1;
    ENSURE(library.body(c, &ball) == NULL);
    ENSURE(library.body(c, &ball) == NULL); // the same again
    expect(library.meet(c, 0, &p), "number 2 is missing");
    ball.name = "rig.other";
    expect(library.body(c, &ball), "'rig.ball' and 'rig.other' have the same id 1");
    expect(library.law(c, law), "for body 7");
    ball.id = 2;
    ball.material = "Cheddar";
    ENSURE(library.body(c, &ball) == NULL);
    expect(library.meet(c, 0, &p), "Cheddar");
    ball.material = "Steel";
    ball.size[0] = -1;
    ENSURE(library.body(c, &ball) == NULL);
    expect(library.meet(c, 0, &p), "rig.other");
    ball.size[0] = 0.1;
    ball.fixed = 1;
    ENSURE(library.body(c, &ball) == NULL);
    s.r[0] = 1;
    ENSURE(library.meet(c, 0, &p) == NULL);
    s.r[3] = 1e-3;
    expect(library.forces(c, 1, &p, f, t, &elastic), "'rig.other' is declared fixed, and moves");
    s.r[3] = 0;
    s.r[0] = NAN;
    expect(library.forces(c, 1, &p, f, t, &elastic), "nan");
    s.r[0] = 0.01;
    expect(library.meet(c, 1, &p), "rig.ball");
    s.r[0] = 1; // goes on after it
    ENSURE(library.forces(c, 1, &p, f, t, &elastic) == NULL);
    library.close(c);
    library.close(NULL);
}

static void many_events_take_no_memory(void **state) {
    (void)state;
    RattlebackContact *c = ball_and_box();
    Scene s = at_rest();
    RattlebackContactPoses p = poses(&s);
    double f[6], t[6], elastic;
    size_t before = 0;
    for (int k = 0; k < REPEATS(10000, 500); k++) {
        if (k == 100) before = mallinfo2().uordblks;
        s.r[2] = k % 2 ? 0.06 : 0.0499;
        ENSURE(library.meet(c, k, &p) == NULL);
        s.r[2] -= 1e-5;
        ENSURE(library.forces(c, k + 1, &p, f, t, &elastic) == NULL);
    }
#ifndef __SANITIZE_ADDRESS__
    ENSURE(mallinfo2().uordblks <= before + 4096);
#else
    (void)before;
#endif
    library.close(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_of_hertz), cmocka_unit_test(frames_elsewhere),
        cmocka_unit_test(looks_back),     cmocka_unit_test(parts_of_a_body),
        cmocka_unit_test(mistakes),       cmocka_unit_test(many_events_take_no_memory),
    };
    return cmocka_run_group_tests(tests, load, NULL);
}
