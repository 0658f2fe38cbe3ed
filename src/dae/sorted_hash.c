// SPDX-License-Identifier: MIT
// sorted_hash.c: a number for sorted equations. What is shared is looked at once: as text, a call with
// a thousand arguments and results would be there a thousand times.
#include <string.h>

#include "base/hash.h"
#include "dae/dae.h"

typedef struct Hasher {
    const RbSortedDae *d;
    RbArena *arena;
    RB_ARRAY(const RbExpr *) roots; // in the first pass they are listed
    uint64_t *of_node;              // in the second they have their numbers; NULL: first pass
    uint64_t hash;
} Hasher;

static uint64_t with_number(uint64_t hash, uint64_t number) {
    return rb_hash_bytes(hash, &number, sizeof number);
}

static uint64_t with_text(uint64_t hash, const char *text) {
    return text ? rb_hash_bytes(hash, text, strlen(text) + 1) : with_number(hash, 0);
}

static void number(Hasher *h, int n) {
    h->hash = with_number(h->hash, (uint64_t)n);
}

static void variable(Hasher *h, int v) {
    h->hash = v < 0 ? with_number(h->hash, 1) : with_text(h->hash, h->d->model->vars.data[v].name);
}

static void expression(Hasher *h, const RbExpr *e) {
    if (h->of_node)
        h->hash = with_number(h->hash, e ? h->of_node[e->id] : 0);
    else if (e)
        rb_array_push(&h->roots, h->arena, e);
}

static uint64_t hash_node(const Hasher *h, const RbExpr *e) {
    uint64_t hash =
        with_number(RB_HASH_START, (uint64_t)e->op << 16 | (uint64_t)e->type << 8 | e->rank);
    switch ((RbOp)e->op) {
        case RB_OP_VAR: return with_text(hash, h->d->model->vars.data[e->index].name);
        case RB_OP_STRING: return with_text(hash, e->text);
        case RB_OP_REAL: return rb_hash_bytes(hash, &e->real, sizeof e->real);
        case RB_OP_CALL: hash = with_text(hash, h->d->model->functions.data[e->index]->name); break;
        default:
            hash = with_number(hash, (uint64_t)e->index);
            if (e->arg_count == 0) hash = with_number(hash, (uint64_t)e->integer);
            break;
    }
    for (int i = 0; i < e->arg_count; i++) hash = with_number(hash, h->of_node[e->args[i]->id]);
    return hash;
}

static void blocks(Hasher *h, const RbBlocks *list) {
    number(h, list->count);
    for (int k = 0; k < list->count; k++) {
        const RbBlock *b = &list->data[k];
        number(h, (int)b->kind * 2 + b->discrete);
        number(h, b->size);
        for (int i = 0; i < b->assign_count; i++) {
            variable(h, b->assigns[i].var);
            expression(h, b->assigns[i].value);
        }
        for (int i = 0; i < b->size; i++) {
            variable(h, b->unknowns[i]);
            expression(h, b->residuals[i]);
        }
    }
}

static void events(Hasher *h) {
    const RbSortedDae *d = h->d;
    for (int i = 0; i < d->relations.count; i++) {
        variable(h, d->relations.data[i].var);
        number(h, (int)d->relations.data[i].op);
        expression(h, d->relations.data[i].left);
        expression(h, d->relations.data[i].right);
    }
    for (int i = 0; i < d->samples.count; i++) {
        expression(h, d->samples.data[i].start);
        expression(h, d->samples.data[i].interval);
        if (d->samples.data[i].resolution) expression(h, d->samples.data[i].resolution);
    }
    for (int i = 0; i < d->actions.count; i++) {
        number(h, (int)d->actions.data[i].kind);
        variable(h, d->actions.data[i].state);
        expression(h, d->actions.data[i].condition);
        expression(h, d->actions.data[i].value);
    }
}

static void all(Hasher *h) {
    const RbSortedDae *d = h->d;
    h->hash = with_text(RB_HASH_START, d->model->name);
    for (int i = 0; i < d->parameters.count; i++) {
        variable(h, d->parameters.data[i].var);
        expression(h, d->parameters.data[i].value);
    }
    for (int v = 0; v < d->model->vars.count; v++) {
        if (d->model->vars.data[v].type != RB_STRING) continue;
        variable(h, v);
        expression(h, d->model->vars.data[v].binding);
    }
    for (int i = 0; i < d->arrays.count; i++) variable(h, d->arrays.data[i]);
    for (int i = 0; i < d->states.count; i++) {
        variable(h, d->states.data[i]);
        variable(h, d->vars.data[d->states.data[i]].derivative);
    }
    events(h);
    blocks(h, &d->initial_blocks);
    blocks(h, &d->blocks);
}

uint64_t rb_sorted_hash(const RbSortedDae *d, RbArena scratch) {
    Hasher h = {.d = d, .arena = &scratch};
    all(&h);
    RbExprOrder order = rb_expr_order(d->exprs, h.roots.data, h.roots.count, &scratch);
    h.of_node = rb_new_array(&scratch, uint64_t, d->exprs->count + 1);
    for (int i = 0; i < order.count; i++)
        h.of_node[order.nodes[i]->id] = hash_node(&h, order.nodes[i]);
    all(&h);
    return h.hash;
}
