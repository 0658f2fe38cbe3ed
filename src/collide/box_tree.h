// SPDX-License-Identifier: MIT
// box_tree.h: a dynamic tree of axis-aligned boxes, for up to some 10^5 of them that come, go and
// move.
//
// A binary tree: each leaf carries one item (a small number >= 0 chosen by the caller), each inner
// node the union of its two children. Where a box is inserted, and which rotations follow on the
// way up, is decided by the surface area of the nodes, since that is proportional to the chance
// that a query enters them. Boxes may be points, equal, or infinite. The same calls give the same
// tree, hence the same order of visits.
//
// Changing a tree never allocates within the capacity that rb_box_tree_reserve made.
#pragma once

#include "base/arena.h"
#include "geom/aabb.h"

typedef struct RbBoxTreeNode {
    RbAabb box;
    int parent;   // -1: root; next free node of a free one
    int child[2]; // a leaf has {item, -1}
    int height;   // 0: leaf, otherwise 1 + the larger one of its children
} RbBoxTreeNode;

typedef struct RbBoxTreeEntry {
    RbAabb box;
    int item;
} RbBoxTreeEntry;

typedef struct RbBoxTree {
    RbArena *arena;
    RbBoxTreeNode *nodes;    // 2 capacity
    int *leaves;             // node of each item, -1: not in the tree
    RbBoxTreeEntry *entries; // work space of rb_box_tree_build
    int capacity;            // items 0 .. capacity - 1
    int count;               // leaves
    int root;                // -1: empty
    int free;                // first free node, -1: none
} RbBoxTree;

// Beyond this height the tree is built anew, so that traversals need a small fixed stack.
enum { RB_BOX_TREE_MAX_HEIGHT = 96 };

RbBoxTree rb_box_tree(RbArena *arena);

// Make room for items below `capacity`.
void rb_box_tree_reserve(RbBoxTree *tree, int capacity);

void rb_box_tree_insert(RbBoxTree *tree, int item, RbAabb box);
void rb_box_tree_remove(RbBoxTree *tree, int item);
void rb_box_tree_move(RbBoxTree *tree, int item, RbAabb box);
static inline bool rb_box_tree_has(const RbBoxTree *tree, int item) {
    return tree->leaves[item] >= 0;
}

// Forget everything, then build from `count` items at once: better and several times faster than
// one insertion after the other. boxes is indexed by item.
void rb_box_tree_build(RbBoxTree *tree, const int *items, int count, const RbAabb *boxes);

// Visitors answer whether to go on (overlap, pairs), or the bound for the rest of the search.
typedef bool RbVisitItem(void *user, int item);
typedef bool RbVisitPair(void *user, int a, int b);
typedef double RbVisitNear(void *user, int item, double distance);
typedef double RbVisitNearPair(void *user, int a, int b, double distance);

// All items whose box overlaps (or touches) `box`.
void rb_box_tree_overlap(const RbBoxTree *tree, const RbAabb *box, RbVisitItem *visit, void *user);

// All unordered pairs of items whose boxes overlap.
void rb_box_tree_pairs(const RbBoxTree *tree, RbVisitPair *visit, void *user);

// All items whose box the ray origin + t direction, 0 <= t <= limit, meets, nearer ones rather
// earlier. The visitor gets the t where the ray enters and answers the new limit.
void rb_box_tree_ray(const RbBoxTree *tree, Vec3 origin, Vec3 direction, double limit,
                     RbVisitNear *visit, void *user);

// All items that overlap `box` or are nearer to it than `bound`, nearer ones rather earlier. The
// visitor answers the new bound, so that a search for the nearest visits few of them.
void rb_box_tree_near(const RbBoxTree *tree, const RbAabb *box, double bound, RbVisitNear *visit,
                      void *user);

// All unordered pairs that overlap or are nearer to each other than `bound`; the visitor answers
// the new bound.
void rb_box_tree_near_pairs(const RbBoxTree *tree, double bound, RbVisitNearPair *visit,
                            void *user);

// Where the ray enters the box, INFINITY if it misses it or only meets it beyond limit. The segment
// may start inside (0).
double rb_aabb_ray(const RbAabb *box, Vec3 origin, Vec3 direction, double limit);

// For tests and statistics: is every link, box and height right? Sum of the areas of all inner
// nodes over that of the root.
bool rb_box_tree_valid(const RbBoxTree *tree);
double rb_box_tree_cost(const RbBoxTree *tree);
