// SPDX-License-Identifier: MIT
// The loops that bound what is kept of each triangle. No two edges meet and no vertex lies on a
// surface, so in each triangle every node has one piece that comes and one that goes.
#include "geom/cut.h"

static void add_piece(RbMeshCut *cut, int triangle, int from, int to, bool forward) {
    RbCutPiece piece = {triangle, forward ? from : to, forward ? to : from};
    rb_array_push(&cut->pieces, cut->arena, piece);
}

// A part of an edge, for both of its triangles.
static void add_edge_part(RbMeshCut *cut, int side, int edge, int from, int to) {
    const RbSkinEdge *e = &cut->side[side].skin->edges[edge];
    for (int k = 0; k < 2; k++) add_piece(cut, e->t[k], from, to, k == 0);
}

static void add_crossed_edges(RbMeshCut *cut, int side, bool keep_inside) {
    const RbKeyed *o = cut->order.data;
    for (int i = 0, end; i < cut->order.count; i = end) {
        const RbCrossing *c = &cut->crossings.data[o[i].item];
        for (end = i + 1; end < cut->order.count && o[end].key == o[i].key;) end++;
        if (c->side != side) continue;
        const int *v = cut->side[side].skin->edges[c->edge].v;
        bool kept = c->enters != keep_inside; // the part before the first crossing
        for (int k = i; k <= end; k++, kept = !kept) {
            int from = k == i ? -1 - v[0] : o[k - 1].item, to = k == end ? -1 - v[1] : o[k].item;
            if (kept) add_edge_part(cut, side, c->edge, from, to);
        }
    }
}

// Edges that are inside as a whole: from inside vertices, each edge once.
static void add_inside_edges(RbMeshCut *cut, int side) {
    const RbCutSide *s = &cut->side[side];
    for (int i = 0; i < cut->inside[side].count; i++) {
        int v = cut->inside[side].data[i];
        for (int k = s->skin->vertex_start[v]; k < s->skin->vertex_start[v + 1]; k++) {
            int e = s->skin->vertex_edges[k];
            const int *ends = s->skin->edges[e].v;
            if (s->edge_stamp[e] == cut->stamp || ends[0] != v) continue;
            add_edge_part(cut, side, e, -1 - ends[0], -1 - ends[1]);
        }
    }
}

// Edges that are outside as a whole, of triangles that are cut.
static void add_outside_edges(RbMeshCut *cut, int side) {
    const RbCutSide *s = &cut->side[side];
    for (int e = 0; e < s->skin->edge_count; e++) {
        const RbSkinEdge *edge = &s->skin->edges[e];
        if (s->edge_stamp[e] == cut->stamp || rb_cut_inside(cut, side, edge->v[0])) continue;
        for (int k = 0; k < 2; k++) {
            if (!rb_cut_touched(cut, side, edge->t[k])) continue;
            add_piece(cut, edge->t[k], -1 - edge->v[0], -1 - edge->v[1], k == 0);
        }
    }
}

static void add_segments(RbMeshCut *cut, int side, bool keep_inside) {
    for (int i = 0; i < cut->segments[0].count; i++) {
        int triangle = cut->segments[side].data[i];
        add_piece(cut, triangle, cut->segments[2].data[i], cut->segments[3].data[i],
                  keep_inside == (side == 0));
    }
}

static uint64_t piece_key(int triangle, int node) {
    return (uint64_t)(uint32_t)triangle << 32 | (uint32_t)node;
}

static int find_piece(const RbMeshCut *cut, uint64_t key) {
    int low = 0, high = cut->pairs.count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (cut->pairs.data[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Follow the pieces of one loop; those that are used get the item -1.
static void follow(RbMeshCut *cut, int side, int start) {
    RbKeyed *keys = cut->pairs.data;
    int triangle = cut->pieces.data[keys[start].item].triangle;
    RbCutLoop loop = {side, triangle, cut->nodes.count, 0};
    for (int at = start; keys[at].item >= 0;) {
        RbCutPiece piece = cut->pieces.data[keys[at].item];
        rb_array_push(&cut->nodes, cut->arena, piece.from);
        keys[at].item = -1;
        loop.count++;
        at = find_piece(cut, piece_key(triangle, piece.to));
        if (keys[at].key != piece_key(triangle, piece.to)) cut->tangled = true;
    }
    rb_array_push(&cut->loops, cut->arena, loop);
}

void rb_cut_loops(RbMeshCut *cut, int side, bool keep_inside) {
    cut->pieces.count = cut->pairs.count = 0;
    add_crossed_edges(cut, side, keep_inside);
    if (keep_inside)
        add_inside_edges(cut, side);
    else
        add_outside_edges(cut, side);
    add_segments(cut, side, keep_inside);
    for (int i = 0; i < cut->pieces.count; i++) {
        const RbCutPiece *p = &cut->pieces.data[i];
        rb_array_push(&cut->pairs, cut->arena, (RbKeyed){piece_key(p->triangle, p->from), 0, i});
    }
    rb_array_reserve(&cut->spare, cut->arena, cut->pairs.count);
    rb_sort_keys(cut->pairs.data, cut->spare.data, cut->pairs.count);
    for (int i = 0; i < cut->pairs.count; i++) {
        if (cut->pairs.data[i].item >= 0) follow(cut, side, i);
    }
}
