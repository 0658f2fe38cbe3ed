// SPDX-License-Identifier: MIT
#include "external/externals.h"

#include <string.h>

#include "base/map.h"
#include "external/native.h"

// How a function of the model is called.
typedef struct Callee {
    const RbNative *native;
} Callee;

typedef struct Object {
    const RbFunction *constructor; // NULL: the place is free
    RbArena *arena;                // its memory and that of the arguments
    RbExprValue *args;
    void *object;
    bool claimed;
} Object;

struct RbExternals {
    const RbFlatModel *model;
    RbArena *arena;
    RbDiag *diag;  // may be NULL
    RbMap callees; // function -> index
    RB_ARRAY(Callee) list;
    RB_ARRAY(Object) objects;
};

// --- objects -------------------------------------------------------------------------------------

static void destroy(RbExternals *x, int k) {
    Object *o = &x->objects.data[k];
    if (!o->constructor) return;
    rb_arena_free(o->arena);
    *o = (Object){0};
}

static void destroy_all(void *externals) {
    RbExternals *x = externals;
    for (int k = x->objects.count - 1; k >= 0; k--) destroy(x, k);
}

RbExternals *rb_externals(const RbFlatModel *model, RbArena *arena) {
    RbExternals *x = rb_new(arena, RbExternals);
    x->model = model;
    x->arena = rb_arena_child(arena);
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

static void *object_of(const RbExternals *x, const RbExprValue *v) {
    int k = (int)v->data[0] - 1;
    return k >= 0 && k < x->objects.count ? x->objects.data[k].object : NULL;
}

static bool refuse(RbEnv *env, const char *why) {
    if (!env->error) env->error = why;
    return false;
}

static bool call_native(RbExternals *x, const RbNative *native, RbEnv *env,
                        const RbExternalCall *external, const RbExprValue *args) {
    const RbFunction *f = external->function;
    RbNativeCall call = {.env = env, .external = external};
    if (!rb_native_fits(native, external))
        return refuse(env, rb_arena_printf(env->arena,
                                           "the external clause of '%s' does not fit the function "
                                           "'%s' that is built in",
                                           f->name, native->name));
    if (native->signature[0] == 'o') {
        call.object = object_of(x, &external->args[0]);
        if (!call.object) return refuse(env, "an external object is used that does not exist");
    }
    bool constructs = external->result && external->result->type == RB_EXTERNAL;
    if (!constructs) return native->function(&call);
    int known = find_again(x, f, args);
    if (known < 0) {
        RbArena *arena = rb_arena_child(x->arena);
        call.keep = arena;
        if (!native->function(&call)) {
            rb_arena_free(arena);
            return false;
        }
        known = keep_object(x, f, args, arena, call.made);
    }
    x->objects.data[known].claimed = true;
    external->result->data[0] = known + 1;
    return true;
}

bool rb_externals_call(RbExternals *x, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                       RbExprValue *results) {
    const Callee *callee = callee_of(x, f);
    RbExternalCall external;
    if (!rb_external_open(env, f, args, &external)) return false;
    if (!callee->native)
        return refuse(env, rb_arena_printf(env->arena,
                                           "it calls the external function '%s', which cannot be "
                                           "run yet",
                                           f->name));
    if (!call_native(x, callee->native, env, &external, args)) return false;
    rb_external_close(&external, results);
    return true;
}
