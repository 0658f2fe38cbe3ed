// SPDX-License-Identifier: MIT
// expr.c: the pool of nodes, leaves and the plain (not simplifying) constructors. Rules of algebra
// are in simplify.c, walks over whole expressions in walk.c.
#include "expr/expr.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "expr/node.h"

enum { FIRST_SLOTS = 1024, FIRST_NODES = 512 };

RbExprs *rb_exprs(RbArena *arena) {
    RbExprs *x = rb_new(arena, RbExprs);
    x->arena = arena;
    x->slot_count = FIRST_SLOTS;
    x->slots = rb_new_array(arena, RbExprSlot, x->slot_count);
    x->node_capacity = FIRST_NODES;
    x->nodes = rb_new_array(arena, const RbExpr *, x->node_capacity);
    x->marks = rb_new_array(arena, RbExprMark, x->node_capacity);
    return x;
}

// --- hash consing --------------------------------------------------------------------------------

// One multiplication per word; the high half, which depends on all bits, is folded down.
static inline uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint32_t hash_node(const RbExpr *e) {
    uint64_t hash =
        mix((uint64_t)e->op << 16 | (uint64_t)e->type << 8 | e->rank, (uint64_t)e->index);
    if (e->op == RB_OP_STRING) {
        hash = rb_hash_bytes(hash, e->text, strlen(e->text));
    } else {
        hash = mix(hash, (uint64_t)e->integer);
    }
    for (int i = 0; i < e->arg_count; i++) hash = mix(hash, (uint64_t)e->args[i]->id);
    return (uint32_t)hash;
}

static bool same_node(const RbExpr *a, const RbExpr *b) {
    if (a->op != b->op || a->type != b->type || a->rank != b->rank || a->index != b->index ||
        a->arg_count != b->arg_count) {
        return false;
    }
    if (a->op == RB_OP_STRING) return strcmp(a->text, b->text) == 0;
    if (a->integer != b->integer) return false; // the bits of a Real: 0 and -0 differ
    for (int i = 0; i < a->arg_count; i++) {
        if (a->args[i] != b->args[i]) return false;
    }
    return true;
}

// The slots remember the hashes, so that moving them touches no node.
static void grow_slots(RbExprs *x) {
    uint32_t count = 2 * (uint32_t)x->slot_count, mask = count - 1;
    RbExprSlot *slots = rb_new_array(x->arena, RbExprSlot, count);
    for (int i = 0; i < x->slot_count; i++) {
        if (x->slots[i].id == 0) continue;
        uint32_t at = x->slots[i].hash & mask;
        while (slots[at].id != 0) at = (at + 1) & mask;
        slots[at] = x->slots[i];
    }
    x->slots = slots;
    x->slot_count = (int)count;
}

static void grow_nodes(RbExprs *x) {
    int old = x->node_capacity, capacity = 2 * old;
    const RbExpr **nodes = rb_new_array(x->arena, const RbExpr *, capacity);
    RbExprMark *marks = rb_new_array(x->arena, RbExprMark, capacity);
    memcpy(nodes, x->nodes, (size_t)old * sizeof *nodes);
    memcpy(marks, x->marks, (size_t)old * sizeof *marks);
    x->nodes = nodes;
    x->marks = marks;
    x->node_capacity = capacity;
}

static const RbExpr *insert(RbExprs *x, const RbExpr *key, size_t size, RbExprSlot *slot,
                            uint32_t hash) {
    RbExpr *e = rb_arena_push(x->arena, size, alignof(RbExpr));
    memcpy(e, key, size);
    if (e->op == RB_OP_STRING) e->text = rb_arena_text(x->arena, key->text);
    if (x->count + 1 == x->node_capacity) grow_nodes(x);
    e->id = ++x->count;
    x->nodes[e->id] = e;
    *slot = (RbExprSlot){hash, e->id};
    return e;
}

// The one node with these contents; *key is only looked at.
static const RbExpr *unique(RbExprs *x, const RbExpr *key, size_t size) {
    if (4 * (int64_t)x->count >= 3 * (int64_t)x->slot_count) grow_slots(x);
    uint32_t mask = (uint32_t)x->slot_count - 1, hash = hash_node(key);
    for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
        RbExprSlot *slot = &x->slots[at];
        if (slot->id == 0) return insert(x, key, size, slot, hash);
        if (slot->hash == hash && same_node(x->nodes[slot->id], key)) return x->nodes[slot->id];
    }
}

const RbExpr *rb_node(RbExprs *x, RbOp op, RbType type, int rank, int index,
                      const RbExpr *const *args, int count) {
    enum { SMALL = 8 };
    RB_ASSERT(rank >= 0 && rank <= RB_RANK_MAX && count >= 0);
    union {
        RbExpr head;
        unsigned char
            bytes[sizeof(RbExpr) + SMALL * sizeof(const RbExpr *)]; // room for its arguments
    } small;
    size_t size = sizeof(RbExpr) + (size_t)count * sizeof *args;
    RbExpr *key = &small.head;
    if (count > SMALL)
        key = rb_arena_push(x->arena, size, alignof(RbExpr)); // rare: long array constructors
    *key = (RbExpr){.op = (unsigned char)op,
                    .type = (unsigned char)type,
                    .rank = (unsigned char)rank,
                    .index = index,
                    .arg_count = count};
    if (count > 0) memcpy(key->args, args, (size_t)count * sizeof *args);
    return unique(x, key, size);
}

// --- leaves --------------------------------------------------------------------------------------

const RbExpr *rb_real(RbExprs *x, double value) {
    return unique(x, &(RbExpr){.op = RB_OP_REAL, .type = RB_REAL, .real = value}, sizeof(RbExpr));
}

const RbExpr *rb_integer(RbExprs *x, int64_t value) {
    return unique(x, &(RbExpr){.op = RB_OP_INTEGER, .type = RB_INTEGER, .integer = value},
                  sizeof(RbExpr));
}

const RbExpr *rb_boolean(RbExprs *x, bool value) {
    return unique(x, &(RbExpr){.op = RB_OP_BOOLEAN, .type = RB_BOOLEAN, .integer = value},
                  sizeof(RbExpr));
}

const RbExpr *rb_enum(RbExprs *x, int64_t ordinal) {
    return unique(x, &(RbExpr){.op = RB_OP_INTEGER, .type = RB_ENUM, .integer = ordinal},
                  sizeof(RbExpr));
}

const RbExpr *rb_string(RbExprs *x, const char *text) {
    return unique(x, &(RbExpr){.op = RB_OP_STRING, .type = RB_STRING, .text = text},
                  sizeof(RbExpr));
}

// Variables are asked for more often than anything else, so they have a table of their own.
const RbExpr *rb_var(RbExprs *x, int index, RbType type, int rank) {
    const RbExpr *known = index < x->vars.count ? x->vars.data[index] : NULL;
    if (known && known->type == type && known->rank == rank) return known;
    const RbExpr *e = rb_node(x, RB_OP_VAR, type, rank, index, NULL, 0);
    while (x->vars.count <= index) rb_array_push(&x->vars, x->arena, NULL);
    x->vars.data[index] = e;
    return e;
}

const RbExpr *rb_local(RbExprs *x, int index, RbType type, int rank) {
    return rb_node(x, RB_OP_LOCAL, type, rank, index, NULL, 0);
}

const RbExpr *rb_time(RbExprs *x) {
    return rb_node(x, RB_OP_TIME, RB_REAL, 0, 0, NULL, 0);
}
const RbExpr *rb_all(RbExprs *x) {
    return rb_node(x, RB_OP_ALL, RB_INTEGER, 1, 0, NULL, 0);
}

// --- calls and arrays: nothing to simplify -------------------------------------------------------

const RbExpr *rb_call_function(RbExprs *x, int function, RbType type, int rank,
                               const RbExpr *const *args, int count) {
    return rb_node(x, RB_OP_CALL, type, rank, function, args, count);
}

const RbExpr *rb_result(RbExprs *x, const RbExpr *call, int k, RbType type, int rank) {
    RB_ASSERT(call->op == RB_OP_CALL);
    return k == 0 ? call : rb_node(x, RB_OP_RESULT, type, rank, k, &call, 1);
}

const RbExpr *rb_array(RbExprs *x, const RbExpr *const *elements, int count) {
    RbType type = count > 0 ? (RbType)elements[0]->type : RB_REAL;
    for (int i = 0; i < count; i++) {
        if (type == RB_INTEGER && elements[i]->type == RB_REAL) type = RB_REAL;
    }
    return rb_node(x, RB_OP_ARRAY, type, count > 0 ? elements[0]->rank + 1 : 1, 0, elements, count);
}

const RbExpr *rb_range(RbExprs *x, const RbExpr *first, const RbExpr *step, const RbExpr *last) {
    const RbExpr *args[] = {first, step, last};
    bool real = first->type == RB_REAL || step->type == RB_REAL || last->type == RB_REAL;
    return rb_node(x, RB_OP_RANGE, real ? RB_REAL : (RbType)first->type, 1, 0, args, 3);
}

const RbExpr *rb_reduce(RbExprs *x, RbReduction kind, const RbExpr *body,
                        const RbExpr *const *iterators, const RbExpr *const *ranges, int count) {
    RB_ASSERT(count <= RB_RANK_MAX);
    const RbExpr *args[1 + 2 * RB_RANK_MAX] = {body};
    for (int i = 0; i < count; i++) {
        args[1 + 2 * i] = iterators[i];
        args[2 + 2 * i] = ranges[i];
    }
    int rank = kind == RB_REDUCE_ARRAY ? body->rank + count : body->rank;
    return rb_node(x, RB_OP_REDUCE, body->type, rank, (int)kind, args, 1 + 2 * count);
}

// --- questions -----------------------------------------------------------------------------------

bool rb_constant_value(const RbExpr *e, double *value) {
    if (e->op == RB_OP_REAL) {
        *value = e->real;
    } else if (e->op == RB_OP_INTEGER || e->op == RB_OP_BOOLEAN) {
        *value = (double)e->integer;
    } else {
        return false;
    }
    return true;
}

bool rb_is_elementwise(const RbExpr *e) {
    switch ((RbOp)e->op) {
        case RB_OP_NEG:
        case RB_OP_ADD:
        case RB_OP_SUB:
        case RB_OP_DIV:
        case RB_OP_EMUL:
        case RB_OP_EDIV:
        case RB_OP_EPOW: return true;
        case RB_OP_MUL: return e->args[0]->rank == 0 || e->args[1]->rank == 0;
        default: return false;
    }
}

bool rb_is_number(const RbExpr *e, double value) {
    double own;
    return e->op != RB_OP_BOOLEAN && rb_constant_value(e, &own) && own == value;
}
