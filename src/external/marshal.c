// SPDX-License-Identifier: MIT
#include "external/marshal.h"

#include <string.h>

typedef struct Marshal {
    const RbExternalCall *call;
    RbEnv *env;
    RbObjectOf *object;
    const void *user;
} Marshal;

static bool is_output(const RbExternalCall *c, const RbExpr *e) {
    while (e->op == RB_OP_SUBSCRIPT) e = e->args[0];
    return e->op == RB_OP_LOCAL && e->index >= c->function->input_count;
}

static bool is_int(RbType type) {
    return type == RB_INTEGER || type == RB_BOOLEAN || type == RB_ENUM;
}

// --- structs -------------------------------------------------------------------------------------

static size_t round_up(size_t n, size_t to) {
    return (n + to - 1) / to * to;
}

static size_t letter_size(char letter) {
    return letter == 'd' ? sizeof(double) : letter == 'i' ? sizeof(int) : sizeof(void *);
}

// Alignment of the group that begins at an opening brace: that of its largest member.
static size_t group_alignment(const char *p) {
    size_t most = 1;
    int depth = 0;
    do {
        depth += (*p == '{') - (*p == '}');
        if (*p != '{' && *p != '}' && letter_size(*p) > most) most = letter_size(*p);
        p++;
    } while (depth > 0);
    return most;
}

typedef struct Walk {
    const char *at; // in the layout
    RbExprValue *part;
    unsigned char *base; // NULL: only sizes
    size_t offset;
    bool back; // from the struct to the values
} Walk;

static void move_member(Walk *w, const Marshal *m) {
    void *place = w->base + w->offset;
    RbExprValue *v = w->part;
    int number = v->data ? (int)v->data[0] : 0;
    void *object = *w->at == 'o' && !w->back ? m->object(m->user, v->data[0]) : NULL;
    switch (*w->at) {
        case 'd':
            w->back ? memcpy(v->data, place, sizeof(double))
                    : memcpy(place, v->data, sizeof(double));
            break;
        case 'i':
            if (w->back) {
                memcpy(&number, place, sizeof number);
                v->data[0] = number;
            } else {
                memcpy(place, &number, sizeof number);
            }
            break;
        case 's':
            w->back ? memcpy(v->text, place, sizeof(char *))
                    : memcpy(place, v->text, sizeof(char *));
            break;
        default:
            if (!w->back) memcpy(place, &object, sizeof object);
    }
}

static void walk_group(Walk *w, const Marshal *m) {
    size_t alignment = group_alignment(w->at);
    w->offset = round_up(w->offset, alignment);
    for (w->at++; *w->at != '}'; w->at++) {
        if (*w->at == '{') {
            walk_group(w, m);
            continue;
        }
        size_t size = letter_size(*w->at);
        w->offset = round_up(w->offset, size);
        if (w->base) {
            move_member(w, m);
            w->part++;
        }
        w->offset += size;
    }
    w->offset = round_up(w->offset, alignment);
}

static void *struct_in(const Marshal *m, const char *layout, RbExprValue *parts) {
    Walk size = {.at = layout};
    walk_group(&size, m);
    Walk w = {.at = layout, .part = parts};
    w.base = rb_arena_push(m->env->arena, size.offset + 1, sizeof(void *));
    walk_group(&w, m);
    return w.base;
}

static void struct_out(const Marshal *m, const char *layout, RbExprValue *parts, void *base) {
    Walk w = {.at = layout, .part = parts, .base = base, .back = true};
    walk_group(&w, m);
}

// --- scalars and arrays --------------------------------------------------------------------------

// Memory that C reads or writes for the elements of a value.
static void *elements_in(const Marshal *m, const RbExprValue *v) {
    if (v->type == RB_STRING) return v->text;
    if (v->type == RB_REAL) return v->data;
    if (v->type == RB_EXTERNAL) {
        void **object = rb_new(m->env->arena, void *);
        *object = m->object(m->user, v->data[0]);
        return object;
    }
    int *numbers = rb_new_array(m->env->arena, int, v->count + 1);
    for (int i = 0; i < v->count; i++) numbers[i] = (int)v->data[i];
    return numbers;
}

static void elements_out(const Marshal *m, RbExprValue *v, const void *memory) {
    for (int i = 0; i < v->count && is_int(v->type); i++) v->data[i] = ((const int *)memory)[i];
    for (int i = 0; i < v->count && v->type == RB_STRING; i++) // C may use its memory again
        v->text[i] = rb_arena_text(m->env->arena, v->text[i] ? v->text[i] : "");
}

static void *argument_in(const Marshal *m, int k, int first) {
    const RbFunction *f = m->call->function;
    RbExprValue *v = &m->call->args[first];
    RbArgumentPassing passing = rb_foreign_passing(f, k, first);
    if (passing == RB_PASS_STRUCT) return struct_in(m, f->external.layouts.data[k], v);
    if (passing != RB_PASS_SIZE) return elements_in(m, v);
    size_t *size = rb_new(m->env->arena, size_t);
    *size = (size_t)v->data[0];
    return size;
}

static void argument_out(const Marshal *m, int k, int first, void *memory) {
    const RbFunction *f = m->call->function;
    RbExprValue *v = &m->call->args[first];
    if (!is_output(m->call, f->external.args.data[first])) return;
    if (rb_foreign_passing(f, k, first) == RB_PASS_STRUCT) {
        struct_out(m, f->external.layouts.data[k], v, memory);
        for (int i = 0; i < rb_foreign_parts(f, k); i++)
            if (v[i].type == RB_STRING) elements_out(m, &v[i], NULL);
        return;
    }
    elements_out(m, v, memory);
}

static bool has_open_fields(const RbFunction *f) {
    for (int k = 0; k < f->external.layouts.count; k++) {
        if (strchr(f->external.layouts.data[k], '?')) return true;
    }
    return false;
}

bool rb_marshal_call(const RbExternalCall *call, RbForeignWrapper *wrapper, RbServiceCall *service,
                     RbEnv *env, RbObjectOf *object, const void *user, void **made) {
    Marshal m = {call, env, object, user};
    const RbFunction *f = call->function;
    int count = f->external.layouts.count;
    if (has_open_fields(f)) {
        env->error = rb_arena_printf(
            env->arena, "'%s' passes a record with an array in it to C, which is not supported",
            f->name);
        return false;
    }
    void **a = rb_new_array(env->arena, void *, count + 2);
    for (int k = 0, first = 0; k < count; first += rb_foreign_parts(f, k), k++)
        a[k + 1] = argument_in(&m, k, first);
    bool constructs = call->result && call->result->type == RB_EXTERNAL;
    if (constructs)
        a[0] = made;
    else if (call->result)
        a[0] = elements_in(&m, call->result);
    if (!rb_service_run(service, wrapper, a)) return false;
    for (int k = 0, first = 0; k < count; first += rb_foreign_parts(f, k), k++)
        argument_out(&m, k, first, a[k + 1]);
    if (call->result && !constructs) elements_out(&m, call->result, a[0]);
    return true;
}
