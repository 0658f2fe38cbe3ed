// SPDX-License-Identifier: MIT
#include "math/block_cholesky.h"

#include <cblas.h>
#include <complex.h>
#include <string.h>

#define lapack_complex_double double complex
#include <lapacke.h>

#include "base/array.h"
#include "base/sort.h"

enum { LEAF = 24 }; // points that are not cut further

typedef struct Front {
    int first, own; // rows order[first] .. are eliminated here
    int rest;       // rows that they touch further on
    int *row;       // own, then rest, by place in the order
    int child[2];   // fronts, -1: none
    double *L;      // 3 (own + rest) x 3 own by columns
    double *update; // while factors are made: 3 rest square
} Front;

struct RbBlockCholesky {
    int n;
    int *order, *place;     // row at a place, place of a row
    RB_ARRAY(Front) fronts; // children before parents
    size_t stack;           // [doubles] of updates at the same time
    size_t largest;         // front
    size_t factor;
};

double *rb_block_at(const RbBlockMatrix *a, int row, int column) {
    int low = a->start[row], high = a->start[row + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (a->column[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return a->value + 9 * (size_t)low;
}

// ---- order

typedef struct Point {
    double key;
    int row;
} Point;

typedef struct Cut {
    const RbBlockMatrix *a;
    const Vec3 *places;
    RbBlockCholesky *c;
    RbArena *keep;
    Point *point; // of one set, sorted along an axis
    int *side;    // of each row: which set it is in
    int sets, placed;
} Cut;

static int by_key(const void *a, const void *b) {
    const Point *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key ? 1 : p->row - q->row;
}

static int longest_axis(const Cut *cut, const int *row, int count) {
    Vec3 low = cut->places[row[0]], high = low;
    for (int i = 1; i < count; i++) {
        low = v3_min(low, cut->places[row[i]]);
        high = v3_max(high, cut->places[row[i]]);
    }
    Vec3 d = v3_sub(high, low);
    return d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2;
}

static void sort_rows(Cut *cut, int *row, int count) {
    int axis = longest_axis(cut, row, count);
    for (int i = 0; i < count; i++)
        cut->point[i] = (Point){v3_get(cut->places[row[i]], axis), row[i]};
    rb_sort_items(cut->point, count, sizeof *cut->point, by_key);
    for (int i = 0; i < count; i++) row[i] = cut->point[i].row;
}

static bool touches(const Cut *cut, int row, int side) {
    for (int k = cut->a->start[row]; k < cut->a->start[row + 1]; k++)
        if (cut->side[cut->a->column[k]] == side) return true;
    return false;
}

// Put rows of the upper half that touch the lower one last; returns how many do not.
static int separate(Cut *cut, int *row, int lower, int count) {
    int side = ++cut->sets, kept = lower, apart = 0;
    for (int i = 0; i < lower; i++) cut->side[row[i]] = side;
    for (int i = lower; i < count; i++) {
        if (touches(cut, row[i], side))
            cut->point[apart++].row = row[i];
        else
            row[kept++] = row[i];
    }
    for (int i = 0; i < apart; i++) row[kept + i] = cut->point[i].row;
    return kept - lower;
}

static int add_front(Cut *cut, const int *row, int count, int left, int right) {
    RbBlockCholesky *c = cut->c;
    Front f = {.first = cut->placed, .own = count, .child = {left, right}};
    for (int i = 0; i < count; i++) {
        c->place[row[i]] = cut->placed;
        c->order[cut->placed++] = row[i];
    }
    rb_array_push(&c->fronts, cut->keep, f);
    return c->fronts.count - 1;
}

static int dissect(Cut *cut, int *row, int count) {
    if (count <= LEAF) return add_front(cut, row, count, -1, -1);
    sort_rows(cut, row, count);
    int lower = count / 2, upper = separate(cut, row, lower, count);
    int left = dissect(cut, row, lower);
    int right = upper > 0 ? dissect(cut, row + lower, upper) : -1;
    return add_front(cut, row + lower + upper, count - lower - upper, left, right);
}

// ---- pattern

typedef struct Gather {
    int *list, count, *mark, stamp;
    int first; // places below are eliminated
} Gather;

static void gather(Gather *g, int place) {
    if (place < g->first || g->mark[place] == g->stamp) return;
    g->mark[place] = g->stamp;
    g->list[g->count++] = place;
}

static int ascending(const void *a, const void *b) {
    const int *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static void find_rows(RbBlockCholesky *c, const RbBlockMatrix *a, Front *f, Gather *g,
                      RbArena *keep) {
    g->count = 0, g->first = f->first + f->own, g->stamp++;
    for (int i = f->first; i < f->first + f->own; i++)
        for (int k = a->start[c->order[i]]; k < a->start[c->order[i] + 1]; k++)
            gather(g, c->place[a->column[k]]);
    for (int s = 0; s < 2; s++) {
        const Front *child = f->child[s] < 0 ? NULL : &c->fronts.data[f->child[s]];
        for (int i = 0; child && i < child->rest; i++) gather(g, child->row[child->own + i]);
    }
    rb_sort_items(g->list, g->count, sizeof *g->list, ascending);
    f->rest = g->count;
    f->row = rb_new_array(keep, int, f->own + f->rest);
    for (int i = 0; i < f->own; i++) f->row[i] = f->first + i;
    if (f->rest > 0) memcpy(f->row + f->own, g->list, sizeof(int) * (size_t)f->rest);
}

static size_t square(int blocks) {
    return 9 * (size_t)blocks * (size_t)blocks;
}

static void measure(RbBlockCholesky *c) {
    size_t now = 0;
    for (int i = 0; i < c->fronts.count; i++) {
        Front *f = &c->fronts.data[i];
        size_t whole = square(f->own + f->rest);
        c->largest = whole > c->largest ? whole : c->largest;
        c->factor += 9 * (size_t)f->own * (size_t)(f->own + f->rest);
        for (int s = 0; s < 2; s++)
            if (f->child[s] >= 0) now -= square(c->fronts.data[f->child[s]].rest);
        now += square(f->rest);
        c->stack = now > c->stack ? now : c->stack;
    }
}

RbBlockCholesky *rb_block_cholesky(const RbBlockMatrix *a, const Vec3 *places, RbArena *keep,
                                   RbArena scratch) {
    RbBlockCholesky *c = rb_new(keep, RbBlockCholesky);
    *c = (RbBlockCholesky){
        .n = a->n, .order = rb_new_array(keep, int, a->n), .place = rb_new_array(keep, int, a->n)};
    Cut cut = {.a = a, .places = places, .c = c, .keep = keep};
    cut.point = rb_new_array(&scratch, Point, a->n);
    cut.side = rb_new_array(&scratch, int, a->n);
    int *row = rb_new_array(&scratch, int, a->n);
    for (int i = 0; i < a->n; i++) row[i] = i;
    dissect(&cut, row, a->n);
    Gather g = {.list = row, .mark = rb_new_array(&scratch, int, a->n)};
    for (int i = 0; i < c->fronts.count; i++) find_rows(c, a, &c->fronts.data[i], &g, keep);
    measure(c);
    return c;
}

double rb_block_cholesky_bytes(const RbBlockCholesky *c) {
    return (double)sizeof(double) * (double)(c->factor + c->largest + c->stack);
}

// ---- factors

static void add_block(double *front, size_t size, int i, int j, const double *block) {
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            front[3 * (size_t)i + (size_t)r + size * (3 * (size_t)j + (size_t)s)] +=
                block[3 * r + s];
}

static void assemble(const RbBlockCholesky *c, const RbBlockMatrix *a, const Front *f,
                     const int *local, double *front) {
    size_t size = 3 * (size_t)(f->own + f->rest);
    for (int j = 0; j < f->own; j++) {
        int row = c->order[f->first + j];
        for (int k = a->start[row]; k < a->start[row + 1]; k++) {
            int place = c->place[a->column[k]];
            if (place < f->first + j) continue;
            double turned[9]; // of the transposed place
            for (int r = 0; r < 9; r++)
                turned[3 * (r % 3) + r / 3] = a->value[9 * (size_t)k + (size_t)r];
            add_block(front, size, local[place], j, turned);
        }
    }
}

static void add_child(const Front *child, const int *local, double *front, size_t size) {
    size_t n = 3 * (size_t)child->rest;
    for (size_t j = 0; j < n; j++) {
        double *to =
            front + size * (3 * (size_t)local[child->row[child->own + (int)(j / 3)]] + j % 3);
        const double *from = child->update + n * j;
        for (size_t i = j; i < n; i++)
            to[3 * (size_t)local[child->row[child->own + (int)(i / 3)]] + i % 3] += from[i];
    }
}

// L11 by Cholesky, L21 = F21 L11^-T, what is left F22 - L21 L21ᵀ. Returns 0, or the number of the bad pivot.
static int eliminate(const Front *f, double *front) {
    int own = 3 * f->own, rest = 3 * f->rest, size = own + rest;
    if (own == 0) return 0;
    int bad = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', own, front, size);
    if (bad != 0 || rest == 0) return bad;
    double *below = front + own, *left = front + (size_t)own * (size_t)size + own;
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, rest, own, 1,
                front, size, below, size);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, rest, own, -1, below, size, 1, left, size);
    return 0;
}

// Keep the columns of L; the update goes where those of the children were.
static void store(Front *f, const double *front, double *update) {
    size_t own = 3 * (size_t)f->own, rest = 3 * (size_t)f->rest, size = own + rest;
    memcpy(f->L, front, own * size * sizeof *front);
    f->update = update;
    for (size_t j = 0; j < rest; j++)
        memcpy(update + rest * j, front + size * (own + j) + own, rest * sizeof *front);
}

int rb_block_cholesky_factor(RbBlockCholesky *c, const RbBlockMatrix *a, RbArena *keep,
                             RbArena scratch) {
    double *stack = rb_new_array(&scratch, double, c->stack + 1), *top = stack;
    double *front = rb_new_array(&scratch, double, c->largest + 1);
    int *local = rb_new_array(&scratch, int, c->n);
    for (int i = 0; i < c->fronts.count; i++) {
        Front *f = &c->fronts.data[i];
        size_t size = 3 * (size_t)(f->own + f->rest);
        memset(front, 0, size * size * sizeof *front);
        for (int k = 0; k < f->own + f->rest; k++) local[f->row[k]] = k;
        assemble(c, a, f, local, front);
        for (int s = 1; s >= 0; s--) {
            const Front *child = f->child[s] < 0 ? NULL : &c->fronts.data[f->child[s]];
            if (!child) continue;
            add_child(child, local, front, size);
            top = child->update;
        }
        int bad = eliminate(f, front);
        if (bad != 0) return bad > 0 ? c->order[f->first + (bad - 1) / 3] : 0;
        if (!f->L) f->L = rb_new_array(keep, double, 3 * (size_t)f->own * size + 1);
        store(f, front, top);
        top += square(f->rest);
    }
    return -1;
}

// ---- solution

static void load(const RbBlockCholesky *c, const Front *f, const double *x, int columns,
                 double *y) {
    for (int k = 0; k < columns; k++)
        for (int i = 0; i < f->own + f->rest; i++, y += 3)
            memcpy(y, x + 3 * ((size_t)k * (size_t)c->n + (size_t)c->order[f->row[i]]),
                   3 * sizeof *y);
}

static void unload(const RbBlockCholesky *c, const Front *f, const double *y, int columns,
                   double *x) {
    for (int k = 0; k < columns; k++)
        for (int i = 0; i < f->own + f->rest; i++, y += 3)
            memcpy(x + 3 * ((size_t)k * (size_t)c->n + (size_t)c->order[f->row[i]]), y,
                   3 * sizeof *y);
}

static void solve_front(const RbBlockCholesky *c, const Front *f, bool down, double *x, int columns,
                        double *y) {
    int own = 3 * f->own, rest = 3 * f->rest, size = own + rest;
    if (own == 0) return;
    load(c, f, x, columns, y);
    if (!down && rest > 0)
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, own, columns, rest, -1, f->L + own,
                    size, y + own, size, 1, y, size);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, down ? CblasNoTrans : CblasTrans,
                CblasNonUnit, own, columns, 1, f->L, size, y, size);
    if (down && rest > 0)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, rest, columns, own, -1, f->L + own,
                    size, y, size, 1, y + own, size);
    unload(c, f, y, columns, x);
}

void rb_block_cholesky_solve(const RbBlockCholesky *c, double *x, int columns, RbArena scratch) {
    size_t widest = 0;
    for (int i = 0; i < c->fronts.count; i++) {
        size_t size = 3 * (size_t)(c->fronts.data[i].own + c->fronts.data[i].rest);
        widest = size > widest ? size : widest;
    }
    double *y = rb_new_array(&scratch, double, widest *(size_t)columns + 1);
    for (int i = 0; i < c->fronts.count; i++)
        solve_front(c, &c->fronts.data[i], true, x, columns, y);
    for (int i = c->fronts.count - 1; i >= 0; i--)
        solve_front(c, &c->fronts.data[i], false, x, columns, y);
}
