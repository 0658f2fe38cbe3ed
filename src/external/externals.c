// SPDX-License-Identifier: MIT
#include "external/externals.h"

#include "base/file.h"

#include <string.h>

#include "base/map.h"
#include "external/marshal.h"
#include "external/native.h"

enum { MESSAGES_MAX = 100 }; // of external code in a run

// How a function of the model is called.
typedef struct Callee {
    const RbNative *native;    // NULL: code that is not ours
    RbForeignWrapper *wrapper; // found at the first call
} Callee;

typedef struct Object {
    const RbFunction *constructor; // NULL: the place is free
    RbArena *arena;                // its memory and that of the arguments
    RbExprValue *args;
    void *object;
    bool claimed;
} Object;

// A call of an impure function in this round of the event iteration.
typedef struct Memory {
    const RbFunction *function;
    RbExprValue *args, *results;
} Memory;

struct RbExternals {
    const RbFlatModel *model;
    RbArena *arena;
    RbDiag *diag;  // may be NULL
    RbMap callees; // function -> index
    RB_ARRAY(Callee) list;
    RB_ARRAY(Object) objects;
    RbForeign *foreign;
    int messages_left;
    const long *event_number;
    long remembered; // the event number of what is in `memory`
    RbArena *memory;
    RB_ARRAY(Memory) memories;
};

// --- objects -------------------------------------------------------------------------------------

static void end_object(RbExternals *x, Object *o);

static void destroy(RbExternals *x, int k) {
    Object *o = &x->objects.data[k];
    if (!o->constructor) return;
    end_object(x, o);
    rb_arena_free(o->arena);
    *o = (Object){0};
}

static void destroy_all(void *externals) {
    RbExternals *x = externals;
    x->diag = NULL; // it may be gone
    for (int k = x->objects.count - 1; k >= 0; k--) destroy(x, k);
}

RbExternals *rb_externals(const RbFlatModel *model, const long *event_number, RbArena *arena) {
    RbExternals *x = rb_new(arena, RbExternals);
    x->model = model;
    x->event_number = event_number;
    x->memory = rb_arena_child(arena);
    x->arena = rb_arena_child(arena);
    x->foreign = rb_foreign(model, x->arena);
    x->messages_left = MESSAGES_MAX;
    rb_arena_defer(arena, destroy_all, x); // runs before that arena goes
    return x;
}

void rb_externals_listen(RbExternals *x, RbDiag *diag) {
    x->diag = diag;
}

void rb_externals_begin(RbExternals *x) {
    for (int k = 0; k < x->objects.count; k++) x->objects.data[k].claimed = false;
}

void rb_externals_end(RbExternals *x) {
    for (int k = x->objects.count - 1; k >= 0; k--) {
        if (!x->objects.data[k].claimed) destroy(x, k);
    }
}

static bool same_value(const RbExprValue *a, const RbExprValue *b) {
    if (a->type != b->type || a->rank != b->rank || a->count != b->count) return false;
    if (memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(int)) != 0) return false;
    if (!a->text) return memcmp(a->data, b->data, (size_t)a->count * sizeof *a->data) == 0;
    for (int i = 0; i < a->count; i++) {
        if (strcmp(a->text[i], b->text[i]) != 0) return false;
    }
    return true;
}

static RbExprValue copy_value(const RbExprValue *v, RbArena *arena) {
    RbExprValue c = rb_value_array(arena, v->type, v->rank, v->dims);
    for (int i = 0; i < v->count; i++) {
        if (v->text)
            c.text[i] = rb_arena_text(arena, v->text[i]);
        else
            c.data[i] = v->data[i];
    }
    return c;
}

// An object that nobody has asked for yet in this round and that was made by the same call.
static int find_again(const RbExternals *x, const RbFunction *f, const RbExprValue *args) {
    for (int k = 0; k < x->objects.count; k++) {
        const Object *o = &x->objects.data[k];
        bool same = o->constructor == f && !o->claimed;
        for (int i = 0; same && i < f->input_count; i++) same = same_value(&o->args[i], &args[i]);
        if (same) return k;
    }
    return -1;
}

static int free_place(RbExternals *x) {
    for (int k = 0; k < x->objects.count; k++) {
        if (!x->objects.data[k].constructor) return k;
    }
    rb_array_push(&x->objects, x->arena, (Object){0});
    return x->objects.count - 1;
}

static int keep_object(RbExternals *x, const RbFunction *f, const RbExprValue *args, RbArena *arena,
                       void *object) {
    int k = free_place(x);
    RbExprValue *copies = rb_new_array(arena, RbExprValue, f->input_count + 1);
    for (int i = 0; i < f->input_count; i++) copies[i] = copy_value(&args[i], arena);
    x->objects.data[k] = (Object){f, arena, copies, object, true};
    return k;
}

// --- calls ---------------------------------------------------------------------------------------

static Callee *callee_of(RbExternals *x, const RbFunction *f) {
    uint64_t *known = rb_map_find(&x->callees, (uint64_t)(uintptr_t)f);
    if (known) return &x->list.data[*known];
    rb_map_set(&x->callees, x->arena, (uint64_t)(uintptr_t)f, (uint64_t)x->list.count);
    rb_array_push(&x->list, x->arena, (Callee){.native = rb_native_find(f->external.name)});
    return &x->list.data[x->list.count - 1];
}

static void *object_of(const void *externals, double number) {
    const RbExternals *x = externals;
    int k = (int)number - 1;
    return k >= 0 && k < x->objects.count ? x->objects.data[k].object : NULL;
}

static bool refuse(RbEnv *env, const char *why) {
    if (!env->error) env->error = why;
    return false;
}

static bool call_native(RbExternals *x, const RbNative *native, RbEnv *env,
                        const RbExternalCall *external, RbArena *keep, void **made) {
    RbNativeCall call = {.env = env, .external = external, .keep = keep};
    if (!rb_native_fits(native, external))
        return refuse(env, rb_arena_printf(env->arena,
                                           "the external clause of '%s' does not fit the function "
                                           "'%s' that is built in",
                                           external->function->name, native->name));
    if (native->signature[0] == 'o') {
        call.object = object_of(x, external->args[0].data[0]);
        if (!call.object) return refuse(env, "an external object is used that does not exist");
    }
    bool done = native->function(&call);
    *made = call.made;
    return done;
}

static bool find_wrapper(RbExternals *x, RbEnv *env, const RbFunction *f, Callee *callee) {
    if (callee->wrapper) return true;
    RbDiag diag = rb_diag(x->arena);
    if (rb_foreign_find(x->foreign, f, &diag, &callee->wrapper) == RB_OK) return true;
    return refuse(env, diag.messages.data[0].text);
}

static bool call_foreign(RbExternals *x, Callee *callee, RbEnv *env, const RbExternalCall *external,
                         void **made) {
    const RbFunction *f = external->function;
    if (!find_wrapper(x, env, f, callee)) return false;
    RbServiceCall service = {.arena = env->arena,
                             .diag = x->diag,
                             .at = f->at,
                             .function = f->name,
                             .messages_left = &x->messages_left};
    if (rb_marshal_call(external, callee->wrapper, &service, env, object_of, x, made)) return true;
    return refuse(env, rb_arena_printf(env->arena, "%s: %s", f->name,
                                       service.error ? service.error : "the call failed"));
}

static bool call_any(RbExternals *x, RbEnv *env, const RbExternalCall *external, RbArena *keep,
                     void **made) {
    Callee *callee = callee_of(x, external->function);
    *made = NULL;
    return callee->native ? call_native(x, callee->native, env, external, keep, made)
                          : call_foreign(x, callee, env, external, made);
}

static bool construct(RbExternals *x, RbEnv *env, const RbExternalCall *external,
                      const RbExprValue *args) {
    const RbFunction *f = external->function;
    int k = find_again(x, f, args);
    if (k < 0) {
        RbArena *arena = rb_arena_child(x->arena);
        void *made;
        bool done = call_any(x, env, external, arena, &made);
        if (done && !made)
            done = refuse(env, rb_arena_printf(env->arena, "%s made no object", f->name));
        if (!done) {
            rb_arena_free(arena);
            return false;
        }
        k = keep_object(x, f, args, arena, made);
    }
    x->objects.data[k].claimed = true;
    external->result->data[0] = k + 1;
    return true;
}

// Errors have nowhere to go by then, but for the diagnostics.
static void end_object(RbExternals *x, Object *o) {
    if (o->constructor->external.destructor <= 0) return;
    const RbFunction *f = x->model->functions.data[o->constructor->external.destructor - 1];
    RbEnv env = {.model = x->model, .arena = o->arena};
    RbExprValue number = rb_value_number(o->arena, RB_EXTERNAL, (double)(o - x->objects.data) + 1);
    RbExternalCall external;
    void *made;
    if (f->kind != RB_FUNCTION_EXTERNAL || f->input_count != 1) return;
    bool done = rb_external_open(&env, f, &number, &external) &&
                call_any(x, &env, &external, o->arena, &made);
    if (!done && x->diag)
        rb_warn(x->diag, f->at, "%s", env.error ? env.error : "an external object cannot be ended");
}

// --- impure functions ----------------------------------------------------------------------------

static const Memory *remember(RbExternals *x, const RbFunction *f, const RbExprValue *args) {
    if (x->remembered != *x->event_number) {
        x->memories = (typeof(x->memories)){0};
        rb_arena_reset(x->memory);
        x->remembered = *x->event_number;
    }
    for (int k = 0; k < x->memories.count; k++) {
        const Memory *m = &x->memories.data[k];
        bool same = m->function == f;
        for (int i = 0; same && i < f->input_count; i++) same = same_value(&m->args[i], &args[i]);
        if (same) return m;
    }
    return NULL;
}

static void memorize(RbExternals *x, const RbFunction *f, const RbExprValue *args,
                     const RbExprValue *results) {
    Memory m = {f, rb_new_array(x->memory, RbExprValue, f->input_count + 1),
                rb_new_array(x->memory, RbExprValue, f->output_count + 1)};
    for (int i = 0; i < f->input_count; i++) m.args[i] = copy_value(&args[i], x->memory);
    for (int i = 0; i < f->output_count; i++) m.results[i] = copy_value(&results[i], x->memory);
    rb_array_push(&x->memories, x->memory, m);
}

static bool call_once(RbExternals *x, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                      RbExprValue *results);

bool rb_externals_call(RbExternals *x, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                       RbExprValue *results) {
    if (!f->is_impure) return call_once(x, env, f, args, results);
    const Memory *m = remember(x, f, args);
    for (int i = 0; m && i < f->output_count; i++)
        results[i] = copy_value(&m->results[i], env->arena);
    if (m) return true;
    if (!call_once(x, env, f, args, results)) return false;
    memorize(x, f, args, results);
    return true;
}

static bool call_once(RbExternals *x, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                      RbExprValue *results) {
    RbExternalCall external;
    void *made;
    if (!rb_external_open(env, f, args, &external)) return false;
    bool constructs = external.result && external.result->type == RB_EXTERNAL;
    bool done =
        constructs ? construct(x, env, &external, args) : call_any(x, env, &external, NULL, &made);
    if (done)
        rb_external_close(&external, results);
    else
        env->error_at = f->at;
    return done;
}

// --- checkpoints ---------------------------------------------------------------------------------

void rb_externals_save(const RbExternals *x, RbPacker *packer) {
    int count;
    const RbForeignLibrary *libraries = rb_foreign_libraries(x->foreign, &count);
    rb_pack_u64(packer, (uint64_t)count);
    for (int i = 0; i < count; i++) {
        rb_pack_text(packer, libraries[i].path);
        rb_pack_u64(packer, libraries[i].hash);
    }
}

bool rb_externals_same(RbUnpacker *unpacker, RbArena scratch, RbPos at, RbDiag *diag) {
    uint64_t count = rb_unpack_u64(unpacker);
    for (uint64_t i = 0; i < count && unpacker->ok; i++) {
        const char *path = rb_unpack_text(unpacker, &scratch);
        uint64_t hash = rb_unpack_u64(unpacker), now;
        if (!unpacker->ok || (rb_file_hash(path, &now) && now == hash)) continue;
        rb_fail(diag, RB_ERROR_USAGE, at,
                "the library '%s' with external functions is not the one that the checkpoint was "
                "written with: its file has changed since then; resume with the old one, or start "
                "the run anew",
                path);
        return false;
    }
    return unpacker->ok;
}
