// SPDX-License-Identifier: MIT
#include "collide/box_tree.h"

#include <string.h>

#include "base/assert.h"

enum {
    BIN_COUNT = 16, // candidates for the splitting plane of a build
    MEDIAN_DEPTH =
        32 // from here on a build halves the number, so that its height is at most 32 + log2 n
};

static bool is_leaf(const RbBoxTreeNode *node) {
    return node->child[1] < 0;
}

// Edges enter the cost cut off here, so that products and differences of costs stay finite numbers.
static const double LONGEST_EDGE = 1e75; // [m]

typedef struct Cost {
    double area;  // half the surface
    double edges; // decides where boxes without area (points on a line) are equal
} Cost;

static Cost cost_of(const RbAabb *b) {
    double x = rb_aabb_less(b->high.x - b->low.x, LONGEST_EDGE);
    double y = rb_aabb_less(b->high.y - b->low.y, LONGEST_EDGE);
    double z = rb_aabb_less(b->high.z - b->low.z, LONGEST_EDGE);
    return (Cost){x * y + y * z + z * x, x + y + z};
}

static Cost cost_of_union(const RbAabb *a, const RbAabb *b) {
    RbAabb both = rb_aabb_union(*a, *b);
    return cost_of(&both);
}

static Cost cost_add(Cost a, Cost b) {
    return (Cost){a.area + b.area, a.edges + b.edges};
}
static Cost cost_sub(Cost a, Cost b) {
    return (Cost){a.area - b.area, a.edges - b.edges};
}
static bool cost_less(Cost a, Cost b) {
    return a.area < b.area || (a.area == b.area && a.edges < b.edges);
}

// Nodes.

RbBoxTree rb_box_tree(RbArena *arena) {
    return (RbBoxTree){.arena = arena, .root = -1, .free = -1};
}

static void free_node(RbBoxTree *tree, int n) {
    tree->nodes[n].parent = tree->free;
    tree->free = n;
}

void rb_box_tree_reserve(RbBoxTree *tree, int capacity) {
    if (capacity <= tree->capacity) return;
    RbBoxTreeNode *nodes = rb_new_array(tree->arena, RbBoxTreeNode, 2 * (size_t)capacity);
    int *leaves = rb_new_array(tree->arena, int, capacity);
    tree->entries = rb_new_array(tree->arena, RbBoxTreeEntry, capacity);
    if (tree->capacity > 0) {
        memcpy(nodes, tree->nodes, 2 * (size_t)tree->capacity * sizeof *nodes);
        memcpy(leaves, tree->leaves, (size_t)tree->capacity * sizeof *leaves);
    }
    int old = tree->capacity;
    tree->nodes = nodes;
    tree->leaves = leaves;
    tree->capacity = capacity;
    for (int i = old; i < capacity; i++) leaves[i] = -1;
    for (int n = 2 * capacity - 1; n >= 2 * old; n--) free_node(tree, n); // lowest number first
}

static int new_node(RbBoxTree *tree) {
    int n = tree->free;
    RB_ASSERT(n >= 0);
    tree->free = tree->nodes[n].parent;
    return n;
}

static int new_leaf(RbBoxTree *tree, int item, RbAabb box) {
    int n = new_node(tree);
    tree->nodes[n] = (RbBoxTreeNode){.box = box, .parent = -1, .child = {item, -1}};
    tree->leaves[item] = n;
    return n;
}

// Box and height from the children.
static void refit(RbBoxTree *tree, int n) {
    RbBoxTreeNode *node = &tree->nodes[n];
    const RbBoxTreeNode *a = &tree->nodes[node->child[0]], *b = &tree->nodes[node->child[1]];
    node->box = rb_aabb_union(a->box, b->box);
    node->height = 1 + (a->height > b->height ? a->height : b->height);
}

static void replace_child(RbBoxTree *tree, int parent, int old, int new) {
    if (parent < 0) {
        tree->root = new;
    } else {
        int *child = tree->nodes[parent].child;
        child[child[1] == old] = new;
    }
    tree->nodes[new].parent = parent;
}

// Rotations: exchange a child of n with a child of its sibling where that makes the sibling
// smaller.
static void rotate(RbBoxTree *tree, int n) {
    RbBoxTreeNode *nodes = tree->nodes;
    Cost best = {0, 0};
    int best_side = -1, best_grandchild = 0;
    for (int side = 0; side < 2; side++) {
        const RbBoxTreeNode *lone = &nodes[nodes[n].child[side]];
        const RbBoxTreeNode *sibling = &nodes[nodes[n].child[1 - side]];
        if (is_leaf(sibling)) continue;
        Cost now = cost_of(&sibling->box);
        for (int k = 0; k < 2; k++) { // grandchild k goes up, its sister stays beside lone
            const RbBoxTreeNode *sister = &nodes[sibling->child[1 - k]];
            Cost change = cost_sub(cost_of_union(&lone->box, &sister->box), now);
            if (cost_less(change, best)) {
                best = change;
                best_side = side;
                best_grandchild = k;
            }
        }
    }
    if (best_side < 0) return;
    int lone = nodes[n].child[best_side], sibling = nodes[n].child[1 - best_side];
    int up = nodes[sibling].child[best_grandchild];
    nodes[n].child[best_side] = up;
    nodes[up].parent = n;
    nodes[sibling].child[best_grandchild] = lone;
    nodes[lone].parent = sibling;
    refit(tree, sibling);
    refit(tree, n);
}

static void refit_upwards(RbBoxTree *tree, int n) {
    for (; n >= 0; n = tree->nodes[n].parent) {
        refit(tree, n);
        rotate(tree, n);
    }
}

// Where to insert. Putting the leaf beside node n costs the area of the new parent, plus what all
// ancestors of n grow by
// (`inherited`). Going on into a child can at best cost what that child grows by, plus the same for
// n.
static int find_sibling(const RbBoxTree *tree, const RbAabb *box) {
    const RbBoxTreeNode *nodes = tree->nodes;
    int n = tree->root;
    Cost inherited = {0, 0};
    while (!is_leaf(&nodes[n])) {
        Cost merged = cost_of_union(&nodes[n].box, box);
        Cost here = cost_add(inherited, merged);
        inherited = cost_add(inherited, cost_sub(merged, cost_of(&nodes[n].box)));
        Cost below[2];
        for (int k = 0; k < 2; k++) {
            const RbBoxTreeNode *child = &nodes[nodes[n].child[k]];
            below[k] = cost_add(inherited, cost_of_union(&child->box, box));
            if (!is_leaf(child)) below[k] = cost_sub(below[k], cost_of(&child->box));
        }
        int k = cost_less(below[1], below[0]);
        if (!k && !cost_less(below[0], below[1])) { // equal: keep the tree low
            k = nodes[nodes[n].child[1]].height < nodes[nodes[n].child[0]].height;
        }
        if (cost_less(here, below[k])) break;
        n = nodes[n].child[k];
    }
    return n;
}

static void insert_leaf(RbBoxTree *tree, int leaf) {
    if (tree->root < 0) {
        tree->root = leaf;
        return;
    }
    int sibling = find_sibling(tree, &tree->nodes[leaf].box);
    int parent = new_node(tree);
    replace_child(tree, tree->nodes[sibling].parent, sibling, parent);
    tree->nodes[parent].child[0] = sibling;
    tree->nodes[parent].child[1] = leaf;
    tree->nodes[sibling].parent = parent;
    tree->nodes[leaf].parent = parent;
    refit_upwards(tree, parent);
}

static void unlink_leaf(RbBoxTree *tree, int leaf) {
    int parent = tree->nodes[leaf].parent;
    if (parent < 0) {
        tree->root = -1;
        return;
    }
    const int *child = tree->nodes[parent].child;
    int grandparent = tree->nodes[parent].parent;
    replace_child(tree, grandparent, parent, child[child[0] == leaf]);
    free_node(tree, parent);
    refit_upwards(tree, grandparent);
}

static void build_if_too_high(RbBoxTree *tree);

void rb_box_tree_insert(RbBoxTree *tree, int item, RbAabb box) {
    RB_ASSERT(item >= 0 && item < tree->capacity && tree->leaves[item] < 0);
    RB_ASSERT(rb_aabb_valid(box));
    insert_leaf(tree, new_leaf(tree, item, box));
    tree->count++;
    build_if_too_high(tree);
}

void rb_box_tree_remove(RbBoxTree *tree, int item) {
    int leaf = tree->leaves[item];
    RB_ASSERT(leaf >= 0);
    unlink_leaf(tree, leaf);
    free_node(tree, leaf);
    tree->leaves[item] = -1;
    tree->count--;
}

void rb_box_tree_move(RbBoxTree *tree, int item, RbAabb box) {
    int leaf = tree->leaves[item];
    RB_ASSERT(leaf >= 0 && rb_aabb_valid(box));
    unlink_leaf(tree, leaf);
    tree->nodes[leaf].box = box;
    tree->nodes[leaf].parent = -1;
    insert_leaf(tree, leaf);
    build_if_too_high(tree);
}

// Building at once: split where the sum over both sides of (area x number) is smallest, over
// BIN_COUNT - 1 planes across the longest extent of the centres.

typedef struct Bin {
    RbAabb box;
    int count;
} Bin;

// Twice the centre. Far ends are cut off, so that it is finite; an all-infinite box stands in the
// middle.
static Vec3 centre2(const RbAabb *b) {
    double far = 0.25 * LONGEST_EDGE;
    return v3(rb_aabb_more(b->low.x, -far) + rb_aabb_less(b->high.x, far),
              rb_aabb_more(b->low.y, -far) + rb_aabb_less(b->high.y, far),
              rb_aabb_more(b->low.z, -far) + rb_aabb_less(b->high.z, far));
}

typedef struct Bins {
    int axis;
    double start, scale; // bin = (centre - start) * scale
} Bins;

static int bin_of(const Bins *bins, const RbBoxTreeEntry *entry) {
    int bin = (int)((v3_get(centre2(&entry->box), bins->axis) - bins->start) * bins->scale);
    return bin < BIN_COUNT ? bin : BIN_COUNT - 1;
}

static Bins choose_bins(const RbBoxTreeEntry *entries, int count) {
    RbAabb centres = RB_AABB_EMPTY;
    for (int i = 0; i < count; i++) {
        centres = rb_aabb_add_point(centres, centre2(&entries[i].box));
    }
    Vec3 d = v3_sub(centres.high, centres.low);
    int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
    double extent = v3_get(d, axis);
    double scale = BIN_COUNT / extent;
    return (Bins){axis, v3_get(centres.low, axis), extent > 0 && isfinite(scale) ? scale : 0};
}

// The first bin of the right side, 0 if there is no plane with something on both sides.
static int best_plane(const Bins *bins, const RbBoxTreeEntry *entries, int count) {
    Bin bin[BIN_COUNT];
    for (int k = 0; k < BIN_COUNT; k++) bin[k] = (Bin){RB_AABB_EMPTY, 0};
    for (int i = 0; i < count; i++) {
        Bin *b = &bin[bin_of(bins, &entries[i])];
        b->box = rb_aabb_union(b->box, entries[i].box);
        b->count++;
    }
    double right_cost[BIN_COUNT];
    Bin side = {RB_AABB_EMPTY, 0};
    for (int k = BIN_COUNT - 1; k > 0; k--) {
        side = (Bin){rb_aabb_union(side.box, bin[k].box), side.count + bin[k].count};
        right_cost[k] = side.count > 0 ? side.count * cost_of(&side.box).area : INFINITY;
    }
    int best = 0;
    double best_cost = INFINITY;
    side = (Bin){RB_AABB_EMPTY, 0};
    for (int k = 1; k < BIN_COUNT; k++) {
        side = (Bin){rb_aabb_union(side.box, bin[k - 1].box), side.count + bin[k - 1].count};
        if (side.count == 0) continue;
        double cost = side.count * cost_of(&side.box).area + right_cost[k];
        if (cost < best_cost) {
            best = k;
            best_cost = cost;
        }
    }
    return best;
}

// Order the entries by their side of a good plane; answers how many are on the left.
static int partition(RbBoxTreeEntry *entries, int count, int depth) {
    Bins bins = choose_bins(entries, count);
    int plane = bins.scale > 0 && depth < MEDIAN_DEPTH ? best_plane(&bins, entries, count) : 0;
    if (plane == 0) return count / 2;
    int left = 0, right = count;
    while (left < right) {
        if (bin_of(&bins, &entries[left]) < plane) {
            left++;
        } else {
            RbBoxTreeEntry e = entries[left];
            entries[left] = entries[--right];
            entries[right] = e;
        }
    }
    return left;
}

// The subtree over these entries. Nodes are taken in the order of a depth-first walk, so that
// neighbours in space are neighbours in memory.
static int build_node(RbBoxTree *tree, RbBoxTreeEntry *entries, int count, int depth) {
    if (count == 1) return new_leaf(tree, entries[0].item, entries[0].box);
    int n = new_node(tree);
    int left = partition(entries, count, depth);
    int a = build_node(tree, entries, left, depth + 1);
    int b = build_node(tree, entries + left, count - left, depth + 1);
    tree->nodes[n] = (RbBoxTreeNode){.parent = -1, .child = {a, b}};
    tree->nodes[a].parent = tree->nodes[b].parent = n;
    refit(tree, n);
    return n;
}

// From tree->entries.
static void build(RbBoxTree *tree, int count) {
    tree->free = -1;
    for (int n = 2 * tree->capacity - 1; n >= 0; n--) free_node(tree, n);
    tree->count = count;
    tree->root = count > 0 ? build_node(tree, tree->entries, count, 0) : -1;
}

void rb_box_tree_build(RbBoxTree *tree, const int *items, int count, const RbAabb *boxes) {
    for (int i = 0; i < tree->capacity; i++) tree->leaves[i] = -1;
    for (int i = 0; i < count; i++) {
        RB_ASSERT(items[i] >= 0 && items[i] < tree->capacity && rb_aabb_valid(boxes[items[i]]));
        tree->entries[i] = (RbBoxTreeEntry){boxes[items[i]], items[i]};
    }
    build(tree, count);
}

static void build_if_too_high(RbBoxTree *tree) {
    if (tree->nodes[tree->root].height <= RB_BOX_TREE_MAX_HEIGHT) return;
    int count = 0;
    for (int i = 0; i < tree->capacity; i++) {
        if (tree->leaves[i] < 0) continue;
        tree->entries[count++] = (RbBoxTreeEntry){tree->nodes[tree->leaves[i]].box, i};
    }
    build(tree, count);
}

// Checks.

bool rb_box_tree_valid(const RbBoxTree *tree) {
    int leaves = 0, nodes = 0;
    for (int i = 0; i < tree->capacity; i++) {
        int n = tree->leaves[i];
        if (n < 0) continue;
        if (!is_leaf(&tree->nodes[n]) || tree->nodes[n].child[0] != i) return false;
        leaves++;
        for (int p = tree->nodes[n].parent; p >= 0; n = p, p = tree->nodes[p].parent) {
            const RbBoxTreeNode *parent = &tree->nodes[p];
            if (parent->child[0] != n && parent->child[1] != n) return false;
            if (!rb_aabb_contains(parent->box, tree->nodes[n].box)) return false;
            if (parent->height <= tree->nodes[n].height) return false;
        }
        if (n != tree->root) return false;
    }
    for (int n = tree->free; n >= 0; n = tree->nodes[n].parent) nodes++;
    return leaves == tree->count && nodes == 2 * tree->capacity - (leaves > 0 ? 2 * leaves - 1 : 0);
}

static double inner_area(const RbBoxTree *tree, int n) {
    const RbBoxTreeNode *node = &tree->nodes[n];
    if (is_leaf(node)) return 0;
    return cost_of(&node->box).area + inner_area(tree, node->child[0]) +
           inner_area(tree, node->child[1]);
}

double rb_box_tree_cost(const RbBoxTree *tree) {
    double root = tree->root < 0 ? 0 : cost_of(&tree->nodes[tree->root].box).area;
    return root > 0 ? inner_area(tree, tree->root) / root : 0;
}
