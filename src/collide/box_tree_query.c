// SPDX-License-Identifier: MIT
// Walks through a tree of boxes (box_tree.h). Stacks are of fixed size, since the height of a tree
// is bounded.
#include "collide/box_tree.h"

#include "base/assert.h"

// A walk pops a node and pushes its two children, so it holds at most one node per level and one
// more. A walk over pairs of nodes goes down at most two heights and leaves at most two pairs
// behind at each step.
enum { STACK = RB_BOX_TREE_MAX_HEIGHT + 8, PAIR_STACK = 4 * RB_BOX_TREE_MAX_HEIGHT + 8 };

static bool is_leaf(const RbBoxTreeNode *node) {
    return node->child[1] < 0;
}
static int item_of(const RbBoxTreeNode *leaf) {
    return leaf->child[0];
}

void rb_box_tree_overlap(const RbBoxTree *tree, const RbAabb *box, RbVisitItem *visit, void *user) {
    int stack[STACK], top = 0;
    if (tree->root >= 0) stack[top++] = tree->root;
    while (top > 0) {
        const RbBoxTreeNode *node = &tree->nodes[stack[--top]];
        if (!rb_aabb_overlap(node->box, *box)) continue;
        if (is_leaf(node)) {
            if (!visit(user, item_of(node))) return;
        } else {
            RB_ASSERT(top + 2 <= STACK);
            stack[top++] = node->child[1];
            stack[top++] = node->child[0];
        }
    }
}

// Of a pair of nodes the larger one is opened, a leaf never.
static bool opens_first(const RbBoxTreeNode *a, const RbBoxTreeNode *b) {
    if (is_leaf(a)) return false;
    if (is_leaf(b)) return true;
    Vec3 da = v3_sub(a->box.high, a->box.low), db = v3_sub(b->box.high, b->box.low);
    return da.x + da.y + da.z >= db.x + db.y + db.z;
}

typedef struct NodePair {
    int a, b; // equal: all pairs within this node
} NodePair;

void rb_box_tree_pairs(const RbBoxTree *tree, RbVisitPair *visit, void *user) {
    const RbBoxTreeNode *nodes = tree->nodes;
    NodePair stack[PAIR_STACK];
    int top = 0;
    if (tree->root >= 0) stack[top++] = (NodePair){tree->root, tree->root};
    while (top > 0) {
        NodePair p = stack[--top];
        const RbBoxTreeNode *a = &nodes[p.a], *b = &nodes[p.b];
        RB_ASSERT(top + 3 <= PAIR_STACK);
        if (p.a == p.b) {
            if (is_leaf(a)) continue;
            stack[top++] = (NodePair){a->child[0], a->child[1]};
            stack[top++] = (NodePair){a->child[1], a->child[1]};
            stack[top++] = (NodePair){a->child[0], a->child[0]};
        } else if (!rb_aabb_overlap(a->box, b->box)) {
            continue;
        } else if (is_leaf(a) && is_leaf(b)) {
            if (!visit(user, item_of(a), item_of(b))) return;
        } else if (opens_first(a, b)) {
            stack[top++] = (NodePair){a->child[1], p.b};
            stack[top++] = (NodePair){a->child[0], p.b};
        } else {
            stack[top++] = (NodePair){p.a, b->child[1]};
            stack[top++] = (NodePair){p.a, b->child[0]};
        }
    }
}

// The part of [*enter, *leave] where lo <= o + t d <= hi. False: none.
static bool clip(double lo, double hi, double o, double d, double *enter, double *leave) {
    if (d == 0) return lo <= o && o <= hi;
    double t1 = (lo - o) / d, t2 = (hi - o) / d;
    *enter = rb_aabb_more(*enter, rb_aabb_less(t1, t2));
    *leave = rb_aabb_less(*leave, rb_aabb_more(t1, t2));
    return *enter <= *leave;
}

double rb_aabb_ray(const RbAabb *b, Vec3 o, Vec3 d, double limit) {
    double enter = 0, leave = limit;
    bool meets = clip(b->low.x, b->high.x, o.x, d.x, &enter, &leave) &&
                 clip(b->low.y, b->high.y, o.y, d.y, &enter, &leave) &&
                 clip(b->low.z, b->high.z, o.z, d.z, &enter, &leave) && enter <= limit;
    return meets ? enter : INFINITY;
}

typedef struct Near {
    int node;
    double distance; // lower bound for all below
} Near;

void rb_box_tree_ray(const RbBoxTree *tree, Vec3 origin, Vec3 direction, double limit,
                     RbVisitNear *visit, void *user) {
    Near stack[STACK];
    int top = 0;
    if (tree->root >= 0) {
        double t = rb_aabb_ray(&tree->nodes[tree->root].box, origin, direction, limit);
        stack[top++] = (Near){tree->root, t};
    }
    while (top > 0) {
        Near near = stack[--top];
        if (!(near.distance <= limit) || near.distance == INFINITY) continue;
        const RbBoxTreeNode *node = &tree->nodes[near.node];
        if (is_leaf(node)) {
            limit = visit(user, item_of(node), near.distance);
            continue;
        }
        Near child[2];
        for (int k = 0; k < 2; k++) {
            const RbAabb *box = &tree->nodes[node->child[k]].box;
            child[k] = (Near){node->child[k], rb_aabb_ray(box, origin, direction, limit)};
        }
        int first = child[1].distance < child[0].distance;
        RB_ASSERT(top + 2 <= STACK);
        stack[top++] = child[1 - first];
        stack[top++] = child[first];
    }
}

// Boxes at distance 0 are always visited: how deep shapes penetrate cannot be told from their
// boxes.
static bool worth(double distance, double bound) {
    return distance < bound || distance == 0;
}

void rb_box_tree_near(const RbBoxTree *tree, const RbAabb *box, double bound, RbVisitNear *visit,
                      void *user) {
    Near stack[STACK];
    int top = 0;
    if (tree->root >= 0) {
        stack[top++] = (Near){tree->root, rb_aabb_distance(tree->nodes[tree->root].box, *box)};
    }
    while (top > 0) {
        Near near = stack[--top];
        if (!worth(near.distance, bound)) continue;
        const RbBoxTreeNode *node = &tree->nodes[near.node];
        if (is_leaf(node)) {
            bound = visit(user, item_of(node), near.distance);
            continue;
        }
        Near child[2];
        for (int k = 0; k < 2; k++) {
            int c = node->child[k];
            child[k] = (Near){c, rb_aabb_distance(tree->nodes[c].box, *box)};
        }
        int first = child[1].distance < child[0].distance;
        RB_ASSERT(top + 2 <= STACK);
        stack[top++] = child[1 - first];
        stack[top++] = child[first];
    }
}

typedef struct NearPair {
    int a, b;
    double distance;
} NearPair;

static NearPair near_pair(const RbBoxTreeNode *nodes, int a, int b) {
    return (NearPair){a, b, a == b ? 0 : rb_aabb_distance(nodes[a].box, nodes[b].box)};
}

void rb_box_tree_near_pairs(const RbBoxTree *tree, double bound, RbVisitNearPair *visit,
                            void *user) {
    const RbBoxTreeNode *nodes = tree->nodes;
    NearPair stack[PAIR_STACK];
    int top = 0;
    if (tree->root >= 0) stack[top++] = (NearPair){tree->root, tree->root, 0};
    while (top > 0) {
        NearPair p = stack[--top];
        if (!worth(p.distance, bound)) continue;
        const RbBoxTreeNode *a = &nodes[p.a], *b = &nodes[p.b];
        RB_ASSERT(top + 3 <= PAIR_STACK);
        if (p.a == p.b) {
            if (is_leaf(a)) continue;
            stack[top++] = near_pair(nodes, a->child[0], a->child[1]);
            stack[top++] = near_pair(nodes, a->child[1], a->child[1]);
            stack[top++] = near_pair(nodes, a->child[0], a->child[0]);
        } else if (is_leaf(a) && is_leaf(b)) {
            bound = visit(user, item_of(a), item_of(b), p.distance);
        } else {
            bool open_a = opens_first(a, b);
            const int *child = open_a ? a->child : b->child;
            NearPair q[2];
            for (int k = 0; k < 2; k++) {
                q[k] = open_a ? near_pair(nodes, child[k], p.b) : near_pair(nodes, p.a, child[k]);
            }
            int first = q[1].distance < q[0].distance;
            stack[top++] = q[1 - first];
            stack[top++] = q[first];
        }
    }
}
