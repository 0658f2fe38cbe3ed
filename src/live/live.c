// SPDX-License-Identifier: MIT
#include "live/live.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "export/page.h"
#include "live/server.h"
#include "rattleback/scene.h"
#include "rattleback/soft.h"
#include "model/model.h"
#include "model/overview.h"

enum {
    WATCHED = 64,   // variables whose values a page may ask for
    LISTED = 20000, // variables that a page is told of
    NOTES = 8,      // the last messages
    NOTE_LONGEST = 500,
    TEXT_LONGEST = 1 << 20, // of a model that is edited in a page
};

static const double frame_seconds = 1.0 / 60;

typedef enum LiveState { WAITING, RUNNING, PAUSED, FINISHED, FAILED, STOPPED } LiveState;

static const char *const state_names[] = {"waiting",  "running", "paused",
                                          "finished", "failed",  "stopped"}; // ORDER LiveState

typedef struct Setting {
    const char *name;
    double value;
} Setting;

typedef struct Live {
    RbContext *context;
    RbModel *model;
    RbLiveOptions options;
    RbArena *arena;
    RbDiag *diag;
    RbLiveServer *server;
    RbRun *run;
    LiveState state;
    RbStatus status; // of the run
    double speed;
    double anchor_wall, anchor_time; // the run keeps pace from here
    double framed;                   // wall time of the last frame
    RB_ARRAY(Setting) settings;      // that somebody has made
    int watched[WATCHED], watched_count;
    uint32_t watch;      // number of the list of watched variables
    uint32_t generation; // of the drawing
    bool scene_known;    // the pages have this drawing
    RbText drawing;      // that the pages have
    RbText message;      // being made
    RbText text;         // of the model, as it was translated last
    RbText edited;       // as far as a page has sent it
    bool can_edit;
    bool pulled;      // somebody pulls at a body
    bool edit_failed; // the messages are those of a translation
    char notes[NOTES][NOTE_LONGEST];
    int note_count, messages_seen;
    bool due[RB_LIVE_KINDS]; // to be published
} Live;

static double wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// -------------------------------------------------------------------------------------------------
// messages to the pages

static void add_u32(RbText *t, uint32_t value) {
    unsigned char bytes[4];
    rb_put_u32(bytes, value);
    rb_text_add_bytes(t, (const char *)bytes, sizeof bytes);
}

static void add_f64(RbText *t, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    add_u32(t, (uint32_t)bits);
    add_u32(t, (uint32_t)(bits >> 32));
}

static void add_string(RbText *t, const char *text) {
    rb_text_add(t, "\"");
    rb_text_add_json(t, text);
    rb_text_add(t, "\"");
}

static void add_number(RbText *t, double value) {
    if (isfinite(value))
        rb_text_add_double(t, value);
    else
        rb_text_add(t, "null");
}

static RbText *begin_message(Live *l, RbLiveKind kind) {
    l->message.count = 0;
    add_u32(&l->message, kind);
    return &l->message;
}

// What the text of the model says about its parameters and inputs, by their names without sizes.
typedef struct Limits {
    RbModelVariables list;
    RbNames names;
    RbMap numbers;
} Limits;

static Limits find_limits(const RbModel *model, RbArena *arena) {
    Limits f = {.list = rb_model_list_variables(model, arena), .names = rb_names(arena)};
    for (int i = 0; i < f.list.count; i++) {
        const char *name = f.list.data[i].name, *size = strchr(name, '[');
        const char *last = strrchr(name, '['); // "a[1].b[2, 2]" is an array, "a[1].b" is not
        bool array = last && name[strlen(name) - 1] == ']';
        size_t length = array && size ? (size_t)(last - name) : strlen(name);
        RbName key = rb_intern_bytes(&f.names, name, length);
        rb_map_set(&f.numbers, arena, rb_map_key(key), (uint64_t)i);
    }
    return f;
}

static const RbModelVariable *limits_of(Limits *f, const char *name) {
    const uint64_t *found = rb_map_find(&f->numbers, rb_map_key(rb_intern(&f->names, name)));
    const char *last = strrchr(name, '[');
    if (!found && last && name[strlen(name) - 1] == ']')
        found = rb_map_find(&f->numbers,
                            rb_map_key(rb_intern_bytes(&f->names, name, (size_t)(last - name))));
    return found ? &f->list.data[*found] : NULL;
}

static void add_limits(RbText *t, const RbModelVariable *v) {
    static const char *const types[] = {"real", "integer", "boolean", "enumeration", "string"};
    // ORDER RbModelType
    rb_text_printf(t, ",\"type\":\"%s\",\"structural\":%s,\"min\":", types[v->type],
                   v->structural ? "true" : "false");
    add_number(t, v->min);
    rb_text_add(t, ",\"max\":");
    add_number(t, v->max);
    if (v->choice_count == 0) return;
    rb_text_add(t, ",\"choices\":[");
    for (int i = 0; i < v->choice_count; i++) {
        rb_text_add(t, i > 0 ? "," : "");
        add_string(t, v->choices[i]);
    }
    rb_text_add(t, "]");
}

// What there is: variables, with the values of those that can be set.
static void make_hello(Live *l) {
    RbArena *own = rb_arena_child(l->arena);
    Limits limits = find_limits(l->model, own);
    RbText *t = begin_message(l, RB_LIVE_HELLO);
    rb_text_add(t, "{\"start\":");
    add_number(t, l->options.sim.start_time);
    rb_text_add(t, ",\"stop\":");
    add_number(t, l->options.sim.stop_time);
    rb_text_add(t, ",\"text\":");
    if (l->can_edit)
        add_string(t, l->text.data);
    else
        rb_text_add(t, "null");
    rb_text_add(t, ",\"variables\":[");
    int count = rb_run_count(l->run);
    for (int i = 0; i < count && i < LISTED; i++) {
        RbRunVariable v;
        double value = NAN;
        if (rb_run_variable(l->run, i, &v) != RB_OK) break;
        bool knob = v.there && (v.kind == RB_RUN_PARAMETER || v.kind == RB_RUN_INPUT);
        if (knob) rb_run_get(l->run, &i, 1, &value);
        rb_text_add(t, i > 0 ? ",{\"name\":" : "{\"name\":");
        add_string(t, v.name);
        rb_text_add(t, ",\"unit\":");
        add_string(t, v.unit);
        rb_text_add(t, ",\"description\":");
        add_string(t, v.description);
        rb_text_printf(t, ",\"input\":%s,\"knob\":", v.kind == RB_RUN_INPUT ? "true" : "false");
        add_number(t, value);
        const RbModelVariable *limit = knob ? limits_of(&limits, v.name) : NULL;
        if (limit) add_limits(t, limit);
        rb_text_add(t, "}");
    }
    rb_text_add(t, "]}");
    rb_arena_free(own);
}

// Meshes and drawing; false: they are what the pages have.
static bool make_scene(Live *l) {
    const void *bytes;
    size_t size, mesh_size;
    if (rb_run_drawing(l->run, &bytes, &size) != RB_OK) size = 0;
    bool same = l->scene_known && size == (size_t)l->drawing.count &&
                (size == 0 || memcmp(bytes, l->drawing.data, size) == 0);
    if (same) return false;
    l->generation++;
    l->scene_known = true;
    l->drawing.count = 0;
    if (size > 0) rb_text_add_bytes(&l->drawing, bytes, size);
    RbText *t = begin_message(l, RB_LIVE_SCENE);
    add_u32(t, l->generation);
    uint32_t meshes = 0;
    while (rb_run_mesh(l->run, (int)meshes, &mesh_size)) meshes++;
    add_u32(t, meshes);
    for (uint32_t i = 0; i < meshes; i++) {
        const char *mesh = rb_run_mesh(l->run, (int)i, &mesh_size);
        add_u32(t, (uint32_t)mesh_size);
        rb_text_add_bytes(t, mesh, mesh_size);
    }
    add_u32(t, (uint32_t)size);
    if (size > 0) rb_text_add_bytes(t, l->drawing.data, size);
    return true;
}

static void make_status(Live *l) {
    RbText *t = begin_message(l, RB_LIVE_STATUS);
    rb_text_printf(t, "{\"state\":\"%s\",\"speed\":", state_names[l->state]);
    add_number(t, l->speed);
    rb_text_add(t, ",\"tolerance\":");
    add_number(t, l->options.sim.tolerance);
    rb_text_printf(t, ",\"refused\":%s,\"noted\":%d,\"notes\":[", l->edit_failed ? "true" : "false",
                   l->note_count);
    int first = l->note_count > NOTES ? l->note_count - NOTES : 0;
    for (int i = first; i < l->note_count; i++) {
        if (i > first) rb_text_add(t, ",");
        add_string(t, l->notes[i % NOTES]);
    }
    rb_text_add(t, "],\"settings\":[");
    for (int i = 0; i < l->settings.count; i++) {
        rb_text_add(t, i > 0 ? ",[" : "[");
        add_string(t, l->settings.data[i].name);
        rb_text_add(t, ",");
        add_number(t, l->settings.data[i].value);
        rb_text_add(t, "]");
    }
    rb_text_add(t, "]}");
}

static void make_frame(Live *l) {
    double values[WATCHED];
    const void *picture = NULL;
    size_t size = 0;
    RbText *t = begin_message(l, RB_LIVE_FRAME);
    if (rb_run_picture(l->run, &picture, &size) != RB_OK) size = 0;
    if (rb_run_get(l->run, l->watched, l->watched_count, values) != RB_OK)
        for (int i = 0; i < l->watched_count; i++) values[i] = NAN;
    add_u32(t, l->generation);
    add_f64(t, rb_run_time(l->run));
    add_u32(t, l->watch);
    add_u32(t, (uint32_t)l->watched_count);
    for (int i = 0; i < l->watched_count; i++) add_u32(t, (uint32_t)l->watched[i]);
    for (int i = 0; i < l->watched_count; i++) add_f64(t, values[i]);
    if (size > 0) rb_text_add_bytes(t, picture, size);
}

static void publish_due(Live *l) {
    static void (*const makers[])(Live *) = {make_hello, NULL, make_status, make_frame};
    if (l->run && wall() - l->framed >= frame_seconds) l->due[RB_LIVE_FRAME] |= l->state == RUNNING;
    for (int k = 0; k < RB_LIVE_KINDS; k++) {
        if (!l->due[k] || (!l->run && k != RB_LIVE_STATUS)) continue;
        l->due[k] = false;
        if (k == RB_LIVE_SCENE && !make_scene(l)) continue;
        if (k != RB_LIVE_SCENE) makers[k](l);
        RbBlob bytes = {(const unsigned char *)l->message.data, (size_t)l->message.count};
        bool published = rb_live_server_publish(l->server, (RbLiveKind)k, bytes);
        for (int i = 0; i < 100 && !published && k != RB_LIVE_FRAME; i++) // somebody reads: soon
            published = rb_live_server_publish(l->server, (RbLiveKind)k, bytes);
        l->due[k] = !published;
        if (k == RB_LIVE_SCENE) l->scene_known = published;
        if (k == RB_LIVE_FRAME) l->framed = wall();
    }
}

// -------------------------------------------------------------------------------------------------
// the run

static void note(Live *l, const char *text) {
    snprintf(l->notes[l->note_count++ % NOTES], NOTE_LONGEST, "%s", text);
    l->due[RB_LIVE_STATUS] = true;
}

static void note_messages(Live *l) {
    int count = rb_context_message_count(l->context);
    for (; l->messages_seen < count; l->messages_seen++)
        note(l, rb_context_message(l->context, l->messages_seen));
}

static void set_state(Live *l, LiveState state) {
    l->state = state;
    l->anchor_wall = wall();
    l->anchor_time = l->run ? rb_run_time(l->run) : 0;
    l->due[RB_LIVE_STATUS] = l->due[RB_LIVE_FRAME] = true;
}

static void open_run(Live *l) {
    l->status = rb_run_open(l->context, l->model, &l->options.sim, &l->run);
    note_messages(l);
    for (int k = 0; k < RB_LIVE_KINDS; k++) l->due[k] = true;
    if (l->status != RB_OK) set_state(l, FAILED);
}

// From the start, with what has been set: before the run where the model takes it, so that its
// initial equations know, otherwise as the first event.
static void restart(Live *l) {
    LiveState before = l->state;
    rb_run_close(l->run, NULL);
    l->run = NULL;
    int late = 0;
    for (int i = 0; i < l->settings.count; i++)
        late +=
            rb_model_set(l->model, l->settings.data[i].name, l->settings.data[i].value) != RB_OK;
    l->messages_seen = rb_context_message_count(l->context); // of those that come late
    open_run(l);
    for (int i = 0; i < l->settings.count && l->run && late > 0; i++) {
        const Setting *s = &l->settings.data[i];
        rb_run_set_named(l->run, s->name, s->value);
    }
    if (l->status == RB_OK) set_state(l, before == PAUSED ? PAUSED : RUNNING);
}

static RbStatus read_again(Live *l, RbModel **model) {
    if (l->options.soft_file)
        return rb_soft_open_text(l->context, l->options.soft_file, l->edited.data, model);
    RbModelica source = *l->options.source;
    source.text = l->edited.data;
    return rb_modelica_translate(l->context, &source, model);
}

// Times that were those of the old text are those of the new one; others somebody has chosen.
static void follow_times(RbSimOptions *o, const RbModel *before, const RbModel *after) {
    RbSimOptions old = rb_model_options(before), new = rb_model_options(after);
    if (o->stop_time == old.stop_time) o->stop_time = new.stop_time;
    if (o->output_interval == old.output_interval) o->output_interval = new.output_interval;
}

// Another text of the model: the run begins anew with it, or goes on with the old one if it is wrong.
static void translate(Live *l) {
    RbModel *model;
    if (!l->can_edit) return;
    note_messages(l);
    l->edit_failed = read_again(l, &model) != RB_OK;
    note_messages(l);
    l->due[RB_LIVE_STATUS] = true;
    if (l->edit_failed) return;
    rb_run_close(l->run, NULL);
    l->run = NULL;
    follow_times(&l->options.sim, l->model, model);
    l->model = model;
    l->text.count = 0;
    rb_text_add(&l->text, l->edited.data);
    l->settings.count = 0;
    l->watched_count = 0;
    l->scene_known = false;
    open_run(l);
    if (l->status == RB_OK) set_state(l, RUNNING);
}

// As many steps as fit into a frame; the rest of the frame is waited for if there is a pace to keep.
static void advance(Live *l) {
    double begin = wall(), time = rb_run_time(l->run), target = INFINITY;
    if (l->speed > 0) {
        double wanted = l->anchor_time + l->speed * (begin - l->anchor_wall);
        if (time > wanted) {
            rb_live_server_wait(l->server, fmin(frame_seconds, (time - wanted) / l->speed));
            return;
        }
        if (wanted - time > 0.25 * l->speed) l->anchor_wall = begin, l->anchor_time = time;
        target = time + l->speed * frame_seconds;
    }
    RbStopped stopped = {.time = time};
    bool new_states = false;
    do {
        l->status = rb_run_step(l->run, RB_UNTIL_STEP, target, &stopped);
        new_states |= stopped.new_states;
    } while (l->status == RB_OK && !stopped.finished && stopped.time < target &&
             wall() - begin < frame_seconds);
    if (new_states) l->due[RB_LIVE_SCENE] = true;
    note_messages(l);
    if (l->status == RB_INTERRUPTED) l->status = RB_OK;
    if (l->status != RB_OK)
        set_state(l, FAILED);
    else if (stopped.finished)
        set_state(l, FINISHED);
}

// -------------------------------------------------------------------------------------------------
// what the pages ask for

static void keep_setting(Live *l, const char *name, double value) {
    for (int i = 0; i < l->settings.count; i++) {
        if (strcmp(l->settings.data[i].name, name) != 0) continue;
        l->settings.data[i].value = value;
        return;
    }
    rb_array_push(&l->settings, l->arena, ((Setting){rb_arena_text(l->arena, name), value}));
}

static void set_knob(Live *l, const char *name, double value) {
    RbRunVariable v;
    int number = l->run ? rb_run_find(l->run, name) : -1;
    bool knob = number >= 0 && rb_run_variable(l->run, number, &v) == RB_OK &&
                (v.kind == RB_RUN_PARAMETER || v.kind == RB_RUN_INPUT);
    if (!knob) {
        note(l, "only parameters and inputs can be set from the page");
        return;
    }
    RbStatus status = rb_run_set(l->run, &number, 1, &value);
    // What was set takes effect when the run is looked at.
    if (status == RB_OK) status = rb_run_get(l->run, &number, 1, &value);
    if (status == RB_OK) keep_setting(l, name, value);
    note_messages(l);
    if (status != RB_OK && status != RB_ERROR_USAGE) {
        l->status = status;
        set_state(l, FAILED);
    }
    for (int k = RB_LIVE_SCENE; k < RB_LIVE_KINDS; k++) l->due[k] = true;
}

static void watch(Live *l, const cJSON *names) {
    const cJSON *name;
    l->watched_count = 0;
    cJSON_ArrayForEach(name, names) {
        int number = cJSON_IsString(name) && l->run ? rb_run_find(l->run, name->valuestring) : -1;
        if (number >= 0 && l->watched_count < WATCHED) l->watched[l->watched_count++] = number;
    }
    l->watch++;
    l->due[RB_LIVE_FRAME] = true;
}

// It holds from now on, and for runs that are started again.
static void set_tolerance(Live *l, double tolerance) {
    if (l->run && rb_run_set_tolerance(l->run, tolerance) == RB_OK)
        l->options.sim.tolerance = tolerance;
    note_messages(l);
    for (int k = RB_LIVE_SCENE; k < RB_LIVE_KINDS; k++) l->due[k] = true;
}

// A paused run goes on to the next point of the output.
static void step(Live *l) {
    const RbSimOptions *o = &l->options.sim;
    double interval =
        o->output_interval > 0 ? o->output_interval : (o->stop_time - o->start_time) / 500;
    RbStopped stopped = {0};
    l->status = rb_run_step(l->run, RB_UNTIL_TIME, rb_run_time(l->run) + interval, &stopped);
    note_messages(l);
    set_state(l, l->status != RB_OK ? FAILED : stopped.finished ? FINISHED : PAUSED);
    if (stopped.new_states) l->due[RB_LIVE_SCENE] = true;
}

static void set_speed(Live *l, double speed) {
    if (!(speed >= 0 && speed <= 1e6)) return;
    l->speed = speed;
    set_state(l, l->state); // the pace counts from now
}

static bool read_vector(const cJSON *array, double v[3]) {
    for (int i = 0; i < 3; i++) {
        const cJSON *item = cJSON_GetArrayItem(array, i);
        if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble)) return false;
        v[i] = item->valuedouble;
    }
    return true;
}

// A body is pulled by a spring with which it alone would swing at 1.5 Hz, well damped.
static void pull(Live *l, const char *name, const cJSON *command) {
    const double w = 2 * 3.14159265358979 * 1.5; // [rad/s]
    double point[3], target[3];
    const cJSON *mass = cJSON_GetObjectItemCaseSensitive(command, "mass");
    int object = l->run ? rb_run_object(l->run, name) : -1;
    if (object <= 0 || !cJSON_IsNumber(mass) ||
        !(mass->valuedouble > 0 && mass->valuedouble < 1e12))
        return;
    if (!read_vector(cJSON_GetObjectItemCaseSensitive(command, "point"), point) ||
        !read_vector(cJSON_GetObjectItemCaseSensitive(command, "target"), target))
        return;
    double m = mass->valuedouble;
    if (rb_run_pull(l->run, object, point, target, m * w * w, 1.4 * m * w) == RB_OK)
        l->pulled = true;
    note_messages(l);
}

static void let_go(Live *l) {
    if (l->run && l->pulled) rb_run_pull(l->run, 0, NULL, NULL, 0, 0);
    l->pulled = false;
}

// A part of the text of the model, which follows what came before; the first begins at 0.
static void edit(Live *l, const cJSON *at, const cJSON *text) {
    if (!cJSON_IsNumber(at) || !cJSON_IsString(text)) return;
    if (at->valuedouble == 0) l->edited.count = 0;
    size_t length = strlen(text->valuestring);
    if (at->valuedouble != l->edited.count || (size_t)l->edited.count + length > TEXT_LONGEST)
        return;
    rb_text_add_bytes(&l->edited, text->valuestring, length);
}

static bool is_number(const cJSON *item) {
    return cJSON_IsNumber(item) && isfinite(item->valuedouble);
}

static void obey(Live *l, const cJSON *command) {
    const cJSON *what = cJSON_GetObjectItemCaseSensitive(command, "do");
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(command, "name");
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(command, "value");
    if (!cJSON_IsString(what)) return;
    const char *verb = what->valuestring;
    if (strcmp(verb, "join") == 0 && l->state == WAITING) set_state(l, RUNNING);
    if (strcmp(verb, "pause") == 0 && l->state == RUNNING) set_state(l, PAUSED);
    if (strcmp(verb, "resume") == 0 && l->state == PAUSED) set_state(l, RUNNING);
    if (strcmp(verb, "step") == 0 && l->state == PAUSED) step(l);
    if (strcmp(verb, "stop") == 0) set_state(l, STOPPED);
    if (strcmp(verb, "restart") == 0) restart(l);
    if (strcmp(verb, "speed") == 0 && is_number(value)) set_speed(l, value->valuedouble);
    if (strcmp(verb, "tolerance") == 0 && is_number(value)) set_tolerance(l, value->valuedouble);
    if (strcmp(verb, "pull") == 0 && cJSON_IsString(name)) pull(l, name->valuestring, command);
    if (strcmp(verb, "release") == 0) let_go(l);
    if (strcmp(verb, "edit") == 0)
        edit(l, cJSON_GetObjectItemCaseSensitive(command, "at"),
             cJSON_GetObjectItemCaseSensitive(command, "text"));
    if (strcmp(verb, "translate") == 0) translate(l);
    if (strcmp(verb, "watch") == 0) watch(l, cJSON_GetObjectItemCaseSensitive(command, "names"));
    if (strcmp(verb, "set") == 0 && cJSON_IsString(name) && is_number(value))
        set_knob(l, name->valuestring, value->valuedouble);
}

// What is not JSON, or asks for nothing that we know, is passed over.
static void hear_pages(Live *l) {
    char text[RB_SOCKET_LONGEST + 1];
    while (l->state != STOPPED && rb_live_server_take(l->server, text)) {
        cJSON *command = cJSON_Parse(text);
        if (command) obey(l, command);
        cJSON_Delete(command);
    }
}

// -------------------------------------------------------------------------------------------------
// all of it

static void close_server(void *server) {
    rb_live_server_close(server);
}

static RbStatus start_server(Live *l) {
    RbText page = rb_text(l->arena);
    RB_TRY(rb_live_server_open(l->options.port, l->diag, &l->server));
    rb_arena_defer(l->arena, close_server, l->server);
    RB_TRY(rb_page_live(l->model->name, rb_live_server_port(l->server), l->diag, &page));
    RbBlob bytes = {(const unsigned char *)page.data, (size_t)page.count};
    return rb_live_server_serve(l->server, bytes, l->diag);
}

static bool is_interrupted(const Live *l) {
    return l->options.sim.interrupt && *l->options.sim.interrupt;
}

// The text that pages may change: given as text, or a single file that can be read.
static void read_text(Live *l) {
    const RbModelica *source = l->options.source;
    RbArena *own = rb_arena_child(l->arena);
    RbDiag silent = rb_diag(own); // the translator has read it before
    RbBytes bytes = {0};
    const char *text = source ? source->text : NULL, *file = l->options.soft_file;
    if (source && !text && source->file && rb_text_ends_with(source->file, ".mo"))
        file = source->file;
    if (file && rb_file_read(file, TEXT_LONGEST, own, &silent, &bytes) == RB_OK)
        text = rb_arena_bytes(own, (const char *)bytes.data, bytes.size);
    l->can_edit = text != NULL;
    rb_text_add(&l->text, text ? text : "");
    rb_arena_free(own);
}

static void run_until_stopped(Live *l) {
    while (l->state != STOPPED && !is_interrupted(l)) {
        hear_pages(l);
        if (l->state == RUNNING)
            advance(l);
        else
            rb_live_server_wait(l->server, 0.05);
        publish_due(l);
    }
    set_state(l, STOPPED);
    publish_due(l);
}

RbStatus rb_live_serve(RbContext *context, RbModel *model, const RbLiveOptions *options,
                       RbArena *arena, RbDiag *diag, RbSummary *summary) {
    RbArena *own = rb_arena_child(arena);
    Live l = {.context = context, .model = model, .options = *options, .arena = own, .diag = diag};
    l.speed = options->speed;
    l.drawing = rb_text(own);
    l.message = rb_text(own);
    l.text = rb_text(own);
    l.edited = rb_text(own);
    rb_text_add(&l.edited, "");
    read_text(&l);
    open_run(&l);
    RbStatus status = l.status;
    if (status == RB_OK) status = start_server(&l);
    if (status == RB_OK) {
        if (options->ready) options->ready(options->user, rb_live_server_address(l.server));
        run_until_stopped(&l);
    }
    RbStatus closed = rb_run_close(l.run, summary);
    if (status == RB_OK) status = l.status != RB_OK ? l.status : closed;
    rb_arena_free(own); // and the server
    return status;
}
