// SPDX-License-Identifier: MIT
// A scene of free bodies whose run the caller integrates (rattleback/run.h, solver "caller"): here the caller is
// another simulator, and of the equations only the forces of contacts are wanted. Nothing depends on time.
#include "world.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *contact_fail(RattlebackContact *c, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(c->message, sizeof c->message, format, list);
    va_end(list);
    return c->message;
}

// What the library has said last.
const char *contact_fail_status(RattlebackContact *c, RbStatus status) {
    RbMessage message;
    for (int i = rb_context_message_count(c->context) - 1; i >= 0; i--) {
        if (rb_context_message_data(c->context, i, &message) == RB_OK &&
            message.severity == RB_ERROR)
            return contact_fail(c, "%s", message.text);
    }
    return contact_fail(c, "collision world: %s", rb_status_name(status));
}

// ---------------------------------------------------------------------------------------------------
// opening

static void forget_scene(RattlebackContact *c) {
    rb_context_free(c->context); // and its run
    free(c->owner);
    free(c->x);
    for (int i = 0; i < KEPT; i++) {
        free(c->kept[i].above);
        c->kept[i] = (Kept){.events = -1};
    }
    c->context = NULL;
    c->run = NULL;
    c->owner = NULL;
    c->x = NULL;
    c->now = NULL;
}

RattlebackContact *rattleback_contact_open(int bodies) {
    RattlebackContact *c = bodies >= 0 ? calloc(1, sizeof *c) : NULL;
    if (!c) return NULL;
    c->body_count = bodies;
    c->bodies = calloc((size_t)bodies + 1, sizeof *c->bodies);
    if (!c->bodies) {
        free(c);
        return NULL;
    }
    forget_scene(c);
    return c;
}

void rattleback_contact_close(RattlebackContact *c) {
    if (!c) return;
    forget_scene(c);
    free(c->bodies);
    free(c->laws);
    free(c);
}

static bool same_text(const char *a, const char *b) {
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_body(const RattlebackContactBody *a, const RattlebackContactBody *b) {
    bool same = a->shape == b->shape && a->axis == b->axis && a->smoothing == b->smoothing &&
                a->scale == b->scale && a->mass == b->mass && !a->fixed == !b->fixed &&
                a->part_of == b->part_of && same_text(a->name, b->name) &&
                same_text(a->file, b->file) && same_text(a->material, b->material);
    for (int k = 0; k < 3; k++)
        same = same && a->size[k] == b->size[k] && a->r_shape[k] == b->r_shape[k] &&
               a->angles[k] == b->angles[k];
    return same;
}

static bool keep_text(char *to, size_t room, const char *text) {
    return (size_t)snprintf(to, room, "%s", text ? text : "") < room;
}

const char *rattleback_contact_body(RattlebackContact *c, const RattlebackContactBody *body) {
    if (body->id < 1 || body->id > c->body_count)
        return contact_fail(
            c, "collision body '%s' has the id %d; this collision world has bodies 1 to %d",
            body->name ? body->name : "", body->id, c->body_count);
    Body *b = &c->bodies[body->id - 1];
    if (b->there && same_body(&b->is, body)) return NULL;
    if (b->there && !same_text(b->name, body->name))
        return contact_fail(c,
                            "collision bodies '%s' and '%s' have the same id %d; give each its own",
                            b->name, body->name ? body->name : "", body->id);
    if (!(body->mass >= 0) || !isfinite(body->mass))
        return contact_fail(
            c,
            "collision body '%s': its mass is %g kg; it must be positive, or 0 for that of "
            "the shape",
            body->name ? body->name : "", body->mass);
    b->is = *body;
    if (!keep_text(b->name, NAME, body->name) || !keep_text(b->material, NAME, body->material) ||
        !keep_text(b->file, FILE_NAME, body->file))
        return contact_fail(c, "collision body %d: a name is too long", body->id);
    if (!b->name[0]) snprintf(b->name, NAME, "body %d", body->id);
    b->is.name = b->name, b->is.file = b->file, b->is.material = b->material;
    memcpy(b->shape.r, body->r_shape, sizeof b->shape.r);
    contact_turn(body->angles, b->shape.R);
    b->there = true;
    forget_scene(c);
    return NULL;
}

const char *rattleback_contact_law(RattlebackContact *c, const double law[RATTLEBACK_LAW_SIZE]) {
    for (int i = RATTLEBACK_LAW_A; i <= RATTLEBACK_LAW_B; i++) {
        if (!(law[i] >= 0 && law[i] <= c->body_count))
            return contact_fail(
                c, "a contact law is for body %g; this collision world has bodies 1 to %d", law[i],
                c->body_count);
    }
    size_t size = ((size_t)c->law_count + 1) * sizeof *c->laws;
    void *laws = realloc(c->laws, size);
    if (!laws) return contact_fail(c, "no memory for contact laws");
    c->laws = laws;
    memcpy(c->laws[c->law_count++], law, sizeof *c->laws);
    forget_scene(c);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// the scene

static const char *number_states(RattlebackContact *c) {
    RbRunSizes sizes = rb_run_sizes(c->run);
    c->state_count = sizes.states;
    c->indicator_count = sizes.indicators;
    c->x = calloc(2 * (size_t)sizes.states + (size_t)sizes.indicators + 1, sizeof *c->x);
    if (!c->x) return contact_fail(c, "no memory for the states of the collision world");
    c->new_x = c->x + sizes.states;
    c->z = c->new_x + sizes.states;
    for (int i = 0; i < c->body_count; i++) {
        Body *b = &c->bodies[i];
        for (int k = 0; b->root == i && !b->is.fixed && k < 13; k++) {
            static const int first[] = {0, 3, 7, 10, 13};
            int kind = k < 3 ? 0 : k < 7 ? 1 : k < 10 ? 2 : 3, wanted;
            char name[NAME + 8];
            snprintf(name, sizeof name, "%s.%c[%d]", b->name, "rQvw"[kind], k - first[kind] + 1);
            wanted = rb_run_find(c->run, name);
            b->state[k] = -1;
            for (int s = 0; s < sizes.states; s++) {
                if (rb_run_state(c->run, s) == wanted) b->state[k] = s;
            }
            if (b->state[k] < 0)
                return contact_fail(c, "collision body '%s' does not move freely", b->name);
        }
    }
    TRY_STATUS(c, rb_run_states(c->run, c->x));
    return NULL;
}

static const char *note_owners(RattlebackContact *c) {
    for (int i = 0; i < c->body_count; i++)
        c->object_count =
            c->bodies[i].object >= c->object_count ? c->bodies[i].object + 1 : c->object_count;
    c->owner = calloc((size_t)c->object_count + 1, sizeof *c->owner);
    if (!c->owner) return contact_fail(c, "no memory for the collision world");
    for (int i = 0; i < c->body_count; i++) c->owner[c->bodies[i].object] = i;
    return NULL;
}

// The run stands where a number of events has been dealt with.
static const char *keep(RattlebackContact *c, int events) {
    Kept *k = &c->kept[events == 0 ? 0 : 1 + (events - 1) % (KEPT - 1)];
    if (!k->above) k->above = calloc((size_t)c->indicator_count + 1, sizeof *k->above);
    if (!k->above) return contact_fail(c, "no memory for the contacts");
    k->events = -1;
    if (c->indicator_count > 0) TRY_STATUS(c, rb_run_indicators(c->run, NULL, c->z));
    for (int i = 0; i < c->indicator_count; i++) k->above[i] = c->z[i] > 0;
    TRY_STATUS(c, rb_run_save(c->run, &k->saved));
    k->events = events;
    c->now = k;
    c->placed = false;
    return NULL;
}

static const char *go_back(RattlebackContact *c, int events) {
    if (c->now && c->now->events == events) return NULL;
    for (int i = 0; i < KEPT; i++) {
        if (c->kept[i].events != events) continue;
        TRY_STATUS(c, rb_run_restore(c->run, c->kept[i].saved));
        c->now = &c->kept[i];
        c->placed = false;
        return NULL;
    }
    return contact_fail(
        c, "the contacts after %d events are not known: only the first and the last ones are kept",
        events);
}

static const char *open_run(RattlebackContact *c, RbSceneBuilder *scene) {
    RbModel *model;
    TRY_STATUS(c, rb_builder_finish(scene, &model));
    RbSimOptions options = rb_model_options(model);
    options.solver = "caller";
    options.stop_time = 1;
    TRY_STATUS(c, rb_run_open(c->context, model, &options, &c->run));
    TRY(note_owners(c));
    TRY(number_states(c));
    return keep(c, 0);
}

static const char *build(RattlebackContact *c, const RattlebackContactPoses *poses) {
    for (int i = 0; i < c->body_count; i++) {
        if (!c->bodies[i].there)
            return contact_fail(
                c,
                "the collision world has %d bodies, and number %d is missing: count them "
                "anew, or give "
                "the ids 1 to %d",
                c->body_count, i + 1, c->body_count);
        TRY(contact_find_root(c, i));
    }
    forget_scene(c);
    c->context = rb_context_create(NULL);
    if (!c->context) return contact_fail(c, "no memory for the collision world");
    RbSceneBuilder *scene;
    const char *error = NULL;
    if (rb_builder_create(c->context, "collision world", &scene) != RB_OK)
        error = contact_fail_status(c, RB_ERROR_MEMORY);
    if (!error) error = contact_fill_scene(c, scene, poses);
    if (!error) error = open_run(c, scene);
    if (error) forget_scene(c);
    return error;
}

// A fixed body, or a part of another, that is elsewhere than when the scene was built; -1: none.
static int displaced(const RattlebackContact *c, const RattlebackContactPoses *poses) {
    const double tolerance = 1e-9;
    for (int i = 0; i < c->body_count; i++) {
        const Body *b = &c->bodies[i], *root = &c->bodies[b->root];
        if (b == root && !b->is.fixed) continue;
        Place now = contact_place_built(c, i, poses);
        if (contact_difference(&now, &b->built) > tolerance) return i;
    }
    return -1;
}

static void put_states(RattlebackContact *c, const RattlebackContactPoses *poses) {
    for (int i = 0; i < c->body_count; i++) {
        const Body *b = &c->bodies[i];
        if (b->root != i || b->is.fixed) continue;
        Place p = contact_place_of(c, i, poses);
        double all[13], arm[3];
        for (int k = 0; k < 3; k++) arm[k] = p.r[k] - poses->r[3 * i + k];
        memcpy(all, p.r, sizeof p.r);
        contact_quaternion(p.R, all + 3);
        contact_cross(poses->w + 3 * i, arm, all + 7);
        for (int k = 0; k < 3; k++) {
            all[7 + k] += poses->v[3 * i + k];
            all[10 + k] = poses->w[3 * i + k];
        }
        for (int k = 0; k < 13; k++) c->new_x[b->state[k]] = all[k];
    }
}

// The run stands at these poses, with the contacts after a number of events.
static const char *place(RattlebackContact *c, int events, const RattlebackContactPoses *poses) {
    int moved = c->context ? displaced(c, poses) : -1;
    if (moved >= 0 && events > 0)
        return contact_fail(
            c,
            c->bodies[moved].root == moved
                ? "collision body '%s' is declared fixed, and moves"
                : "collision body '%s' moves against the one that it is declared a part of",
            c->bodies[moved].name);
    if (!c->context || moved >= 0) TRY(build(c, poses));
    TRY(go_back(c, events));
    put_states(c, poses);
    size_t size = (size_t)c->state_count * sizeof *c->x;
    if (c->placed && memcmp(c->x, c->new_x, size) == 0) return NULL;
    c->placed = false;
    TRY_STATUS(c, rb_run_move(c->run, 0, c->new_x, NULL));
    memcpy(c->x, c->new_x, size);
    c->placed = true;
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// questions

static void add_wrench(const RattlebackContact *c, int object, double sign,
                       const RbRunContact *contact, const RattlebackContactPoses *poses, double *f,
                       double *t) {
    int i = object < c->object_count ? c->owner[object] : 0;
    double arm[3], moment[3];
    for (int k = 0; k < 3; k++) arm[k] = contact->point[k] - poses->r[3 * i + k];
    contact_cross(arm, contact->force, moment);
    for (int k = 0; k < 3; k++) {
        f[3 * i + k] += sign * contact->force[k];
        t[3 * i + k] += sign * (contact->torque[k] + moment[k]);
    }
}

const char *rattleback_contact_forces(RattlebackContact *c, int events,
                                      const RattlebackContactPoses *poses, double *f, double *t,
                                      double *elastic) {
    size_t size = 3 * (size_t)c->body_count * sizeof *f;
    const RbRunContact *contacts;
    int count;
    RbRunEnergy energy;
    TRY(place(c, events, poses));
    TRY_STATUS(c, rb_run_contacts(c->run, &contacts, &count));
    memset(f, 0, size);
    memset(t, 0, size);
    for (int i = 0; i < count; i++) {
        add_wrench(c, contacts[i].a, -1, &contacts[i], poses, f, t);
        add_wrench(c, contacts[i].b, 1, &contacts[i], poses, f, t);
    }
    TRY_STATUS(c, rb_run_energy(c->run, &energy));
    *elastic = energy.elastic;
    return NULL;
}

const char *rattleback_contact_indicator(RattlebackContact *c, int events,
                                         const RattlebackContactPoses *poses, double *z) {
    *z = 1;
    TRY(place(c, events, poses));
    if (c->indicator_count == 0) return NULL;
    TRY_STATUS(c, rb_run_indicators(c->run, NULL, c->z));
    for (int i = 0; i < c->indicator_count; i++)
        *z = fmin(*z, c->now->above[i] ? c->z[i] : -c->z[i]);
    return NULL;
}

const char *rattleback_contact_meet(RattlebackContact *c, int events,
                                    const RattlebackContactPoses *poses) {
    TRY(place(c, events, poses));
    c->now = NULL; // a run that has failed is restored
    TRY_STATUS(c, rb_run_meet_event(c->run, NULL));
    return keep(c, events + 1);
}
