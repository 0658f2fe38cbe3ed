// SPDX-License-Identifier: MIT
// label: normal
// A cloud that is divided into parts, as an engine divides it among processes, against the cloud as a whole: grains of several
// materials, walls with a belt and a mesh, a plate on which they fall, adhesion, a medium, steps that are halved. The parts are in
// this process; each sees all grains of the others, and lists all pairs.
#include "../../../mpi/part.c"

#include "geom/mesh_make.h"
#include "grains.h"

enum { GRAINS = 90, PARTS_MOST = 3, MATERIALS = 2 };

typedef struct Scene {
    double adhesion, rolling, twisting, viscosity, resolution;
} Scene;

static const RbElastic ELASTIC[MATERIALS] = {{2e6, 0.3}, {5e6, 0.2}};
static const double RADIUS = 0.01;

static void laws_of(const Scene *s, RbGrainLaw *laws) {
    for (int k = 0; k < MATERIALS * MATERIALS; k++) {
        RbGrainPair pair = {.restitution = 0.4 + 0.1 * (k % 3 == 0),
                            .sliding = 0.4,
                            .rolling = s->rolling,
                            .twisting = s->twisting,
                            .adhesion = s->adhesion};
        laws[k] = rb_grain_law(&pair, ELASTIC[k / MATERIALS], ELASTIC[k % MATERIALS]);
    }
}

// A box with a belt for its floor, a bump of triangles, and a plate on a spring that is in the middle of it.
static RbCloud *make(Fixture *f, const Scene *s) {
    RbGrainLaw laws[MATERIALS * MATERIALS];
    laws_of(s, laws);
    RbCloudOptions options = {.materials = MATERIALS,
                              .laws = laws,
                              .step = 4e-5,
                              .resolution = s->resolution,
                              .gravity = {0, 0, -9.81},
                              .medium = {.density = 1.2, .viscosity = s->viscosity},
                              .ledger = true};
    RbCloud *cloud = rb_cloud(&f->arena, &options);
    RbRng rng = rb_rng(7);
    add_box(cloud, &f->arena, 0.1);
    cloud->walls.data[0].belt = v3(0.3, 0, 0);
    cloud->walls.data[0].belt_ramp = 0.01;
    RbMesh bump = rb_mesh_box(v3(0.03, 0.03, 0.02), &f->arena);
    RbGrainMesh *surface = rb_new(&f->arena, RbGrainMesh);
    ENSURE(rb_grain_mesh(&bump, "bump", RB_NOWHERE, &f->arena, f->scratch, &f->diag, surface) ==
           RB_OK);
    rb_cloud_add_wall(cloud, (RbGrainWall){.mesh = surface, .material = 1, .X = POSE_IDENTITY});
    RbShape plate = rb_shape_box(v3(0.06, 0.06, 0.01));
    int count;
    const RbCore *parts = rb_shape_cores(&plate, &f->arena, &count);
    rb_cloud_add_wall(cloud, (RbGrainWall){.parts = parts, .part_count = count, .material = 1});
    for (int k = 0; k < GRAINS; k++) {
        Vec3 at = v3_scale(2.1 * RADIUS, v3(k % 4 + 0.6, k / 4 % 4 + 0.6, 3.25 + k / 16));
        Stuff stuff = {2e6, 0.3, 2500, {0}};
        RbGrain g = grain(stuff, RADIUS * rb_rng_range(&rng, 0.8, 1), at, v3(0, 0, -1));
        g.w = v3_scale(5, rb_rng_direction(&rng)), g.material = k % 2;
        rb_cloud_add(cloud, g);
    }
    return cloud;
}

// Where the plate begins, and how it yields.
static RbCarriedBody plate_at_start(void) {
    RbCarriedBody b = {.body = 1, .X = POSE_IDENTITY, .smooth = {{0, 0, 0}, {0, 0, 1}}};
    b.X.r = v3(0.05, 0.05, 0.05);
    for (int k = 0; k < 3; k++) b.mobility[k].w = v3_scale(2e3, v3_axis(k));
    for (int k = 0; k < 3; k++) b.mobility[3 + k].v = v3_scale(2, v3_axis(k));
    b.A = b.smooth;
    return b;
}

enum { WALLS = 7 };
static const int OF_WALL[WALLS] = {-1, -1, -1, -1, -1, -1, 0};

static void places(const RbCloud *cloud, Pose *in_body) {
    for (int k = 0; k < WALLS; k++)
        in_body[k] = OF_WALL[k] < 0 ? cloud->walls.data[k].X : POSE_IDENTITY;
}

static void move(void *user, RbCloud *cloud) {
    rb_carried_move(user, cloud);
}
static void loaded(void *user, RbCloud *cloud) {
    rb_carried_load(user, cloud);
}

// ---------------------------------------------------------------------------------------------------
// parts

typedef struct Piece {
    Part *part;
    PartAtoms atoms;
    PartPairs pairs;
    int id[GRAINS];
    double x[3 * GRAINS], v[3 * GRAINS], w[3 * GRAINS], f[3 * GRAINS], t[3 * GRAINS];
    double radius[GRAINS], mass[GRAINS], old[6 * GRAINS];
    int type[GRAINS], own[GRAINS], count[GRAINS];
    int *neighbour[GRAINS], *touches[GRAINS];
    double *memory[GRAINS];
} Piece;

static void list_pairs(Piece *p, RbArena *arena) {
    for (int i = 0; i < p->atoms.own; i++) {
        int n = GRAINS - 1 - i;
        p->own[i] = i, p->count[i] = n;
        p->neighbour[i] = rb_new_array(arena, int, n + 1);
        p->touches[i] = rb_new_array(arena, int, n + 1);
        p->memory[i] = rb_new_array(arena, double, PART_MEMORY *(n + 1));
        for (int k = 0; k < n; k++) p->neighbour[i][k] = i + 1 + k;
    }
    p->pairs = (PartPairs){p->atoms.own, p->own, p->count, p->neighbour, p->touches, p->memory};
}

static void cut(const RbCloud *cloud, Piece *p, int number, int parts, RbArena *arena) {
    int at = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int id = 0; id < GRAINS; id++) {
            if ((id % parts == number) != (turn == 0)) continue;
            int i = index_of(cloud, id);
            v3_store(p->x + 3 * at, vector(cloud->r[i])),
                v3_store(p->v + 3 * at, vector(cloud->v[i]));
            v3_store(p->w + 3 * at, vector(cloud->w[i]));
            p->radius[at] = cloud->r[i].w, p->mass[at] = cloud->v[i].w;
            p->type[at] = (int)cloud->w[i].w + 1;
            p->id[at++] = id;
        }
        if (turn == 0) p->atoms.own = at;
    }
    p->atoms = (PartAtoms){p->atoms.own, GRAINS,    p->x,    p->v,    p->w,  p->f,
                           p->t,         p->radius, p->mass, p->type, p->old};
    list_pairs(p, arena);
}

// The others' grains to where they are.
static void meet(Piece *pieces, int parts) {
    int at[GRAINS], with[GRAINS];
    for (int n = 0; n < parts; n++) {
        for (int i = 0; i < pieces[n].atoms.own; i++)
            at[pieces[n].id[i]] = i, with[pieces[n].id[i]] = n;
    }
    for (int n = 0; n < parts; n++) {
        Piece *p = &pieces[n];
        for (int i = p->atoms.own; i < GRAINS; i++) {
            const Piece *q = &pieces[with[p->id[i]]];
            int j = at[p->id[i]];
            memcpy(p->x + 3 * i, q->x + 3 * j, 3 * sizeof(double));
            memcpy(p->v + 3 * i, q->v + 3 * j, 3 * sizeof(double));
            memcpy(p->w + 3 * i, q->w + 3 * j, 3 * sizeof(double));
        }
    }
}

static void evaluate(Piece *pieces, int parts, bool start) {
    for (int n = 0; n < parts; n++) {
        memset(pieces[n].f, 0, sizeof pieces[n].f), memset(pieces[n].t, 0, sizeof pieces[n].t);
        part_pairs(pieces[n].part, &pieces[n].atoms, &pieces[n].pairs, start);
        part_walls(pieces[n].part, &pieces[n].atoms, start);
    }
}

static void share(Piece *pieces, int parts) {
    double shares[PARTS_MOST * 16];
    int size = part_share_size(pieces[0].part);
    for (int n = 0; n < parts; n++) part_get_share(pieces[n].part, shares + n * size);
    for (int n = 0; n < parts; n++) part_loaded(pieces[n].part, shares, parts);
}

// Springs to another step; forces stay.
static void halve(Piece *pieces, int parts, int halved) {
    static double f[PARTS_MOST][3 * GRAINS], t[PARTS_MOST][3 * GRAINS];
    for (int n = 0; n < parts; n++) {
        memcpy(f[n], pieces[n].f, sizeof f[n]), memcpy(t[n], pieces[n].t, sizeof t[n]);
        ENSURE(part_halve(pieces[n].part, halved));
    }
    meet(pieces, parts);
    evaluate(pieces, parts, true);
    for (int n = 0; n < parts; n++) part_shifted(pieces[n].part);
    for (int n = 0; n < parts; n++)
        memcpy(pieces[n].f, f[n], sizeof f[n]), memcpy(pieces[n].t, t[n], sizeof t[n]);
}

static void step(Piece *pieces, int parts) {
    int halved = part_halvings(pieces[0].part);
    if (halved != part_halved(pieces[0].part)) halve(pieces, parts, halved);
    for (int n = 0; n < parts; n++) {
        part_predict(pieces[n].part, &pieces[n].atoms);
        part_move(pieces[n].part);
    }
    meet(pieces, parts);
    evaluate(pieces, parts, false);
    for (int n = 0; n < parts; n++) part_correct(pieces[n].part, &pieces[n].atoms);
    share(pieces, parts);
}

// Memories of walls are given to grains and back now and then, as when they move to another process.
static void refill_walls(Piece *p) {
    PartContact all[8 * GRAINS];
    int counts[GRAINS], sum = 0;
    part_collect(p->part);
    for (int i = 0; i < p->atoms.own; i++) {
        counts[i] = part_memories(p->part, i, all + sum, 8);
        sum += counts[i];
    }
    part_refill(p->part, &p->atoms, counts, all);
}

static double largest(const RbCloud *cloud) {
    double most = 0;
    for (int i = 0; i < cloud->count; i++) most = fmax(most, cloud->r[i].w);
    return most;
}

static void begin(Piece *pieces, int parts, const RbCloud *cloud, RbArena *arena) {
    RbPacker setup = rb_packer(arena), order = rb_packer(arena);
    Pose in_body[WALLS];
    RbCarriedBody body = plate_at_start();
    int none[GRAINS] = {0};
    places(cloud, in_body);
    RbRemoteOrder o = {1 << 30, INFINITY, 0, 1, WALLS};
    rb_remote_pack_setup(cloud, largest(cloud), &setup);
    rb_pack_bytes(&order, &o, sizeof o);
    rb_pack_bytes(&order, &body, sizeof body);
    rb_pack_bytes(&order, OF_WALL, sizeof OF_WALL);
    rb_pack_bytes(&order, in_body, sizeof in_body);
    for (int k = 0; k < WALLS; k++) rb_pack_u64(&order, 0);
    for (int n = 0; n < parts; n++) {
        Piece *p = &pieces[n];
        p->part = part_open(setup.bytes.data, (size_t)setup.bytes.count, n == 0);
        ENSURE(p->part != NULL);
        cut(cloud, p, n, parts, arena);
        part_refill(p->part, &p->atoms, none, NULL);
        ENSURE(part_begin(p->part, order.bytes.data, (size_t)order.bytes.count));
    }
    evaluate(pieces, parts, true);
    share(pieces, parts);
}

static RbRemoteState state_of(Piece *pieces, int parts, RbArena *arena) {
    int size = part_sum_size(pieces[0].part);
    double *all = rb_new_array(arena, double, size), *own = rb_new_array(arena, double, size);
    double most[PART_MOST] = {0}, one[PART_MOST], height[GRAINS];
    for (int n = 0; n < parts; n++) {
        for (int i = 0; i < GRAINS; i++) height[i] = 9.81 * pieces[n].x[3 * i + 2];
        part_sums(pieces[n].part, &pieces[n].atoms, height, own, one);
        for (int k = 0; k < size; k++) all[k] += own[k];
        for (int k = 0; k < PART_MOST; k++) most[k] = n ? fmax(most[k], one[k]) : one[k];
    }
    const unsigned char *bytes;
    RbRemoteState state;
    part_answer(pieces[0].part, all, most, &bytes);
    memcpy(&state, bytes, sizeof state);
    return state;
}

// ---------------------------------------------------------------------------------------------------
// tests

static void compare(const RbCloud *cloud, Piece *pieces, int parts, double near) {
    for (int n = 0; n < parts; n++) {
        for (int i = 0; i < pieces[n].atoms.own; i++) {
            int k = index_of(cloud, pieces[n].id[i]);
            ENSURE_NEAR(v3_distance(v3_load(pieces[n].x + 3 * i), vector(cloud->r[k])), 0,
                        near * RADIUS);
            ENSURE_NEAR(v3_distance(v3_load(pieces[n].v + 3 * i), vector(cloud->v[k])), 0, near);
            ENSURE_NEAR(v3_distance(v3_load(pieces[n].w + 3 * i), vector(cloud->w[k])), 0,
                        near / RADIUS);
        }
    }
}

static void check_sums(const RbCloud *cloud, const RbRemoteState *s, double near) {
    RbGrainLedger l = rb_cloud_ledger(cloud);
    const RbGrainPowers *p = &s->powers;
    ENSURE(s->count == cloud->count && s->steps == cloud->steps && s->halved == cloud->halved);
    ENSURE(s->contacts == cloud->contacts && s->wall_contacts == cloud->wall_contacts);
    ENSURE_NEAR(s->kinetic, l.kinetic, near);
    ENSURE_NEAR(s->turning, l.turning, near);
    ENSURE_NEAR(s->height, l.height, near);
    ENSURE_NEAR(p->normal + p->tangential + p->turning, l.stored, near);
    ENSURE_NEAR(s->damped, l.damped, near);
    ENSURE_NEAR(s->slid - p->tangential, l.rubbed, near);
    ENSURE_NEAR(s->resisted - p->turning, l.resisted, near);
    ENSURE_NEAR(s->driven, l.driven, near);
    ENSURE_NEAR(s->dragged, l.dragged, near);
    ENSURE_NEAR(s->stiffest, cloud->stiffest, 1e-6 * cloud->stiffest);
}

// Chaos doubles roundings in every collision: after 800 steps, of which most have contacts, they are below 1e-9.
static void same(const Scene *s, int parts) {
    enum { STEPS = 800 };
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = make(&f, s);
    Piece *pieces = rb_new_array(&f.arena, Piece, PARTS_MOST);
    RbCarriedBody body = plate_at_start();
    Pose in_body[WALLS];
    places(cloud, in_body);
    RbCarried carried = {&body, 1, OF_WALL, in_body, 0};
    RbGrainCarrier carrier = {move, loaded, &carried};
    rb_carried_place_walls(&carried, cloud);
    begin(pieces, parts, cloud, &f.arena);
    rb_cloud_start(cloud);
    long contacts = 0;
    for (int k = 0; k < STEPS; k++) {
        rb_cloud_step(cloud, &carrier);
        step(pieces, parts);
        if (k % 50 == 20)
            for (int n = 0; n < parts; n++) refill_walls(&pieces[n]);
        contacts += cloud->contacts + cloud->wall_contacts;
    }
    ENSURE(contacts > 10 * STEPS && (s->resolution == 0 || cloud->halved > 0));
    compare(cloud, pieces, parts, 1e-9);
    RbRemoteState state = state_of(pieces, parts, &f.arena);
    check_sums(cloud, &state, 1e-9);
    const RbCarriedBody *there = &pieces[parts - 1].part->bodies[0];
    ENSURE(v3_norm(body.sum.f) > 1e-3);
    ENSURE_NEAR(v3_distance(there->X.r, body.X.r), 0, 1e-11);
    ENSURE_NEAR(v3_distance(there->sum.f, body.sum.f), 0, 1e-9);
    ENSURE_NEAR(v3_distance(there->moment.t, body.moment.t), 0, 1e-9);
    for (int n = 0; n < parts; n++) part_close(pieces[n].part);
    fixture_close(&f);
}

static void test_same(void **state) {
    (void)state;
    const Scene scenes[] = {{0},
                            {.rolling = 0.1, .twisting = 0.05},
                            {.adhesion = 0.05, .rolling = 0.1},
                            {.viscosity = 0.1},
                            {.resolution = 60}};
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        for (int parts = 1; parts <= PARTS_MOST; parts++) same(&scenes[k], parts);
    }
}

// Bytes that are cut off anywhere are no setup, and nothing is read beyond their end.
static void test_cut_setup(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbCloud *cloud = make(&f, &(Scene){0});
    RbPacker setup = rb_packer(&f.arena);
    rb_remote_pack_setup(cloud, RADIUS, &setup);
    for (int size = 0; size < setup.bytes.count; size += 97) {
        unsigned char *bytes = malloc((size_t)size + 1);
        memcpy(bytes, setup.bytes.data, (size_t)size);
        ENSURE(part_open(bytes, (size_t)size, true) == NULL);
        free(bytes);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same),
                                       cmocka_unit_test(test_cut_setup)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
