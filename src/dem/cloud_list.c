// SPDX-License-Identifier: MIT
// Which grains may touch. Space is divided into cubic cells, on up to eight levels: on level l they are
// 2^l times smaller than those of the largest grains, and a grain is in the smallest that is larger than
// its diameter and the skin. Grains are kept in the order of the Morton codes of their cells, so that
// neighbours in space are neighbours in memory. A grain looks for others of its level in the 27 cells
// around it (each pair belongs to the one that comes first), and of larger ones wherever these reach. Along a periodic border a whole
// number of cells is as long as the period, so the first one follows the last.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/sort_keys.h"
#include "collide/morton.h"
#include "dem/cloud.h"
#include "dem/cloud_faces.h"
#include "dem/cloud_parts.h"

enum { LEVELS = 8, CELL_BITS = 19, NOTHING = -1 };

// A grid of cells of one size.
typedef struct Level {
    double size;       // [m] 0: no grain is on this level
    double along[3];   // [m] of a cell: the same, or somewhat more so that they fill a period
    int64_t period[3]; // cells; 0: not periodic
} Level;

typedef struct Cell {
    uint64_t key;
    int start, end; // grains
} Cell;

typedef struct At {
    uint32_t c[3];
} At;

// What making lists needs; kept from one to the next.
struct RbCloudSorting {
    RbKeyed *keys, *keys_spare;
    int *int_spare;
    int capacity;
    Vec3 low, high; // [m] all centres are between; low is the corner of all grids
    Level levels[LEVELS];
    RB_ARRAY(Cell) cells;
    int *cell_of; // per grain
    int *table;   // cells by the hash of their keys
    int table_size;
    RB_ARRAY(RbReaction) reactions;
    RB_ARRAY(int) receivers; // grains, per reaction
};

static struct RbCloudSorting *sorting_of(RbCloud *cloud) {
    if (!cloud->sorting) cloud->sorting = rb_new(cloud->arena, struct RbCloudSorting);
    struct RbCloudSorting *s = cloud->sorting;
    if (s->capacity >= cloud->count) return s;
    s->capacity = cloud->capacity;
    s->keys = rb_new_array(cloud->arena, RbKeyed, s->capacity);
    s->keys_spare = rb_new_array(cloud->arena, RbKeyed, s->capacity);
    s->int_spare = rb_new_array(cloud->arena, int, s->capacity);
    s->cell_of = rb_new_array(cloud->arena, int, s->capacity);
    for (s->table_size = 16; s->table_size < 2 * s->capacity;) s->table_size *= 2;
    s->table = rb_new_array(cloud->arena, int, s->table_size);
    return s;
}

// ------------------------------------------------------------------------------------------------
// order

// A grain far outside is in the last cell: cells are clamped, and stay in order.
static uint32_t cell_along(double x, double low, const Level *level, int d) {
    double c = floor((x - low) / level->along[d]);
    double most = level->period[d] > 0 ? (double)(level->period[d] - 1) : (1 << CELL_BITS) - 1;
    if (!(c > 0)) return 0;
    return (uint32_t)(c < most ? c : most);
}

static At cell_at(Vec3 r, Vec3 low, const Level *level) {
    return (At){{cell_along(r.x, low.x, level, 0), cell_along(r.y, low.y, level, 1),
                 cell_along(r.z, low.z, level, 2)}};
}

static uint64_t cell_key(int level, At at) {
    return (uint64_t)level << 3 * CELL_BITS | rb_morton_code(at.c[0], at.c[1], at.c[2]);
}

static Vec3 place(const RbCloud *cloud, int i) {
    return v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z);
}

static int level_of(const struct RbCloudSorting *s, double radius, double skin) {
    int level = 0;
    while (level + 1 < LEVELS && s->levels[level + 1].size >= 2 * radius + skin) level++;
    return level;
}

static Vec3 along_borders(const RbBorders *b, Vec3 at, Vec3 otherwise) {
    return v3(b->periodic[0] ? at.x : otherwise.x, b->periodic[1] ? at.y : otherwise.y,
              b->periodic[2] ? at.z : otherwise.z);
}

static void divide_period(Level *level, const RbBorders *b, double size) {
    double cell[3];
    v3_store(cell, v3_sub(b->high, b->low));
    for (int d = 0; d < 3; d++) {
        double most = 1 << CELL_BITS, count = floor(cell[d] / size);
        level->period[d] = b->periodic[d] ? (int64_t)fmin(fmax(count, 1), most) : 0;
        level->along[d] = b->periodic[d] ? cell[d] / (double)level->period[d] : size;
    }
}

static void measure(RbCloud *cloud, struct RbCloudSorting *s) {
    const RbBorders *borders = &cloud->options.borders;
    double largest = 0, smallest = INFINITY, thinnest = INFINITY;
    s->low = v3(INFINITY, INFINITY, INFINITY);
    s->high = v3_neg(s->low);
    cloud->grain_material = (int)cloud->w[0].w;
    for (int i = 0; i < cloud->count; i++) {
        double radius = cloud->r[i].w;
        if ((int)cloud->w[i].w != cloud->grain_material) cloud->grain_material = -1;
        s->low = v3_min(s->low, place(cloud, i));
        s->high = v3_max(s->high, place(cloud, i));
        largest = radius > largest ? radius : largest;
        smallest = radius < smallest ? radius : smallest;
        if (cloud->has_faces) thinnest = fmin(thinnest, rb_cloud_inner_radius(cloud, i));
    }
    cloud->smallest = fmin(smallest, thinnest);
    s->low = along_borders(borders, borders->low, s->low);
    s->high = along_borders(borders, borders->high, s->high);
    double size = 2 * largest + cloud->options.skin;
    for (int k = 0; k < LEVELS; k++, size /= 2) {
        s->levels[k].size = size >= 2 * smallest + cloud->options.skin ? size : 0;
        divide_period(&s->levels[k], borders, size);
    }
}

// What has left the cell comes in on the other side, lower or higher than it went.
static void wrap_grains(RbCloud *cloud) {
    const RbBorders *borders = &cloud->options.borders;
    for (int i = 0; rb_borders_any(borders) && i < cloud->count; i++) {
        double times[3], mass = cloud->v[i].w;
        Vec3 was = place(cloud, i), is = rb_borders_wrap(borders, was, times);
        cloud->r[i].x = is.x, cloud->r[i].y = is.y, cloud->r[i].z = is.z;
        if (cloud->body[i] != RB_GRAIN_FREE) continue; // the clump itself goes on
        cloud->added -= mass * v3_dot(cloud->options.gravity, v3_sub(is, was));
        for (int d = 0; d < 3; d++) {
            cloud->crossed[d] += times[d];
            cloud->crossed_mass[d] += times[d] * mass;
        }
    }
}

static void permute_quads(RbCloud *cloud, RbQuad **quads, const RbKeyed *keys) {
    RbQuad *from = *quads, *to = cloud->spare;
    for (int i = 0; i < cloud->count; i++) to[i] = from[keys[i].item];
    *quads = to;
    cloud->spare = from;
}

static void permute_ints(const RbCloud *cloud, int *ints, const RbKeyed *keys, int *spare) {
    for (int i = 0; i < cloud->count; i++) spare[i] = ints[keys[i].item];
    memcpy(ints, spare, (size_t)cloud->count * sizeof *ints);
}

static void order_grains(RbCloud *cloud, struct RbCloudSorting *s) {
    for (int i = 0; i < cloud->count; i++) {
        int level = level_of(s, cloud->r[i].w, cloud->options.skin);
        At at = cell_at(place(cloud, i), s->low, &s->levels[level]);
        s->keys[i] = (RbKeyed){cell_key(level, at), cloud->id[i], i};
    }
    rb_sort_keys(s->keys, s->keys_spare, cloud->count);
    permute_quads(cloud, &cloud->r, s->keys);
    permute_quads(cloud, &cloud->v, s->keys);
    permute_quads(cloud, &cloud->w, s->keys);
    permute_quads(cloud, &cloud->f, s->keys);
    permute_quads(cloud, &cloud->t, s->keys);
    permute_ints(cloud, cloud->id, s->keys, s->int_spare);
    if (rb_cloud_has_others(cloud)) permute_ints(cloud, cloud->body, s->keys, s->int_spare);
    if (rb_cloud_has_others(cloud)) permute_ints(cloud, cloud->member, s->keys, s->int_spare);
    permute_ints(cloud, cloud->memory_start, s->keys, s->int_spare);
    permute_ints(cloud, cloud->memory_count, s->keys, s->int_spare);
    memcpy(cloud->listed, cloud->r, (size_t)cloud->count * sizeof *cloud->r);
}

static void enter_cells(RbCloud *cloud, struct RbCloudSorting *s) {
    s->cells.count = 0;
    rb_array_reserve(&s->cells, cloud->arena, cloud->count);
    memset(s->table, 0xff, (size_t)s->table_size * sizeof *s->table);
    for (int i = 0; i < cloud->count; i++) {
        uint64_t key = s->keys[i].key;
        if (i == 0 || key != s->keys[i - 1].key) {
            uint64_t h = rb_hash_mix(key);
            while (s->table[h & (uint64_t)(s->table_size - 1)] != NOTHING) h++;
            s->table[h & (uint64_t)(s->table_size - 1)] = s->cells.count;
            s->cells.data[s->cells.count++] = (Cell){key, i, i};
        }
        s->cells.data[s->cells.count - 1].end = i + 1;
        s->cell_of[i] = s->cells.count - 1;
    }
}

static const Cell *find_cell(const struct RbCloudSorting *s, uint64_t key) {
    for (uint64_t h = rb_hash_mix(key);; h++) {
        int cell = s->table[h & (uint64_t)(s->table_size - 1)];
        if (cell == NOTHING) return NULL;
        if (s->cells.data[cell].key == key) return &s->cells.data[cell];
    }
}

// -----------------------------------------------------------------------------------------------
// pairs

typedef struct Listing {
    RbCloud *cloud;
    const struct RbCloudSorting *sorting;
} Listing;

// What the pair remembers from the last list: kept by the one of the two that had it then.
static RbGrip recall(const RbCloud *cloud, int i, int with, bool turned, Vec3 *slide, Vec3 *turn) {
    for (int k = 0; k < cloud->memory_count[i]; k++) {
        const RbGrainMemory *m = &cloud->memories.data[cloud->memory_start[i] + k];
        if (m->with != with) continue;
        double sign = turned ? -1 : 1;
        *slide = v3_scale(sign, m->slide);
        *turn = v3_scale(sign, m->turn);
        return m->touches;
    }
    return 0;
}

static void list_pair(const RbCloud *cloud, RbGrainList *list, int i, int j, int image) {
    int k = list->count++;
    if (k >= list->capacity) return; // once more, with more room
    Vec3 slide = V3_ZERO, turn = V3_ZERO;
    list->own[k] = i, list->other[k] = j;
    if (list->image) list->image[k] = (unsigned char)image;
    RbGrip touches = recall(cloud, i, cloud->id[j], false, &slide, &turn);
    list->touches[k] = touches ? touches : recall(cloud, j, cloud->id[i], true, &slide, &turn);
    list->slide[k] = slide;
    if (list->turn) list->turn[k] = turn;
}

// With springs as the one with the lower identity sees them, whoever it was that kept them.
static void list_face(const RbCloud *cloud, RbGrainChunk *chunk, RbFacePair pair, int with) {
    int place = chunk->faces_wanted++;
    Vec3 turn;
    if (place >= chunk->faces.capacity) return; // once more, with more room
    pair.touches = recall(cloud, pair.grain, with, false, &pair.slide, &turn);
    if (!pair.touches && pair.other >= 0)
        pair.touches = recall(cloud, pair.other, cloud->id[pair.grain], false, &pair.slide, &turn);
    chunk->faces.data[place] = pair;
}

// Those from .. to - 1, where they are seen in a neighbour of the cell.
static void look_at(const RbCloud *cloud, RbGrainChunk *chunk, int i, int from, int to, int image) {
    const RbQuad *r = cloud->r;
    Vec3 by = cloud->images[image];
    RbQuad a = {r[i].x - by.x, r[i].y - by.y, r[i].z - by.z, r[i].w};
    double reach = a.w + cloud->options.skin;
    int clump = rb_cloud_has_others(cloud) ? cloud->body[i] : RB_GRAIN_FREE;
    for (int j = from; j < to; j++) {
        double x = a.x - r[j].x, y = a.y - r[j].y, z = a.z - r[j].z, near = reach + r[j].w;
        if (!(x * x + y * y + z * z < near * near)) continue;
        if (clump != RB_GRAIN_FREE && cloud->body[j] == clump) continue;
        if (cloud->has_faces && (rb_cloud_is_face(cloud, i) || rb_cloud_is_face(cloud, j))) {
            RbFacePair pair = {.grain = i, .other = j, .image = image};
            list_face(cloud, chunk, pair, cloud->id[j]);
            continue;
        }
        bool inside = j >= chunk->first && j < chunk->end && image == RB_NO_IMAGE;
        list_pair(cloud, inside ? &chunk->inside : &chunk->outside, i, j, image);
    }
}

enum { AROUND = 27 };

typedef struct Neighbour {
    const Cell *cell;
    int image;
} Neighbour;

// A number of cells along one axis, which may be beyond a periodic border: its part of the key, and of the image.
typedef struct Along {
    uint64_t code;
    int image;
    bool exists;
} Along;

static Along along(const Level *level, int d, int64_t c) {
    const int steps[3] = {1, 3, 9}; // rb_borders_image
    int64_t n = level->period[d];
    int beyond = n == 0 ? 0 : c < 0 ? -1 : c >= n ? 1 : 0;
    c -= beyond * n;
    if (c < 0 || c >= (n > 0 ? n : 1 << CELL_BITS)) return (Along){0};
    uint32_t number = (uint32_t)c;
    uint64_t code = rb_morton_code(d == 0 ? number : 0, d == 1 ? number : 0, d == 2 ? number : 0);
    return (Along){code, beyond * steps[d], true};
}

// The cell with these numbers; NULL: nobody is there.
static const Cell *cell_numbered(const struct RbCloudSorting *s, int level, const int64_t at[3],
                                 int *image) {
    uint64_t key = (uint64_t)level << 3 * CELL_BITS;
    *image = RB_NO_IMAGE;
    for (int d = 0; d < 3; d++) {
        Along a = along(&s->levels[level], d, at[d]);
        if (!a.exists) return NULL;
        *image += a.image;
        key |= a.code;
    }
    return find_cell(s, key);
}

// Cells of the same level around one, in a fixed order, without those that come before it, which have lower keys. (Where a period has one or two cells, a
// cell is found several times, by different images.)
static int cells_around(const struct RbCloudSorting *s, const Cell *cell, int level, At at,
                        Neighbour around[AROUND]) {
    Along by[3][3];
    int count = 0;
    for (int k = 0; k < 9; k++)
        by[k / 3][k % 3] = along(&s->levels[level], k / 3, (int64_t)at.c[k / 3] + k % 3 - 1);
    for (int k = 0; k < AROUND; k++) {
        const Along *x = &by[0][k % 3], *y = &by[1][k / 3 % 3], *z = &by[2][k / 9];
        uint64_t key = (uint64_t)level << 3 * CELL_BITS | x->code | y->code | z->code;
        if (!(x->exists && y->exists && z->exists) || key < cell->key) continue;
        const Cell *found = find_cell(s, key);
        int image = RB_NO_IMAGE + x->image + y->image + z->image;
        if (found) around[count++] = (Neighbour){found, image};
    }
    return count;
}

// Numbers of the cells that hold what is between x - reach and x + reach.
static void range_along(const Level *level, int d, double x, double low, double reach,
                        int64_t *from, int64_t *to) {
    if (level->period[d] == 0) {
        *from = cell_along(x - reach, low, level, d), *to = cell_along(x + reach, low, level, d);
        return;
    }
    *from = (int64_t)floor((x - reach - low) / level->along[d]);
    *to = (int64_t)floor((x + reach - low) / level->along[d]);
}

// Grains of a level of larger cells around grain i.
static void look_at_level(const Listing *l, RbGrainChunk *chunk, int i, int level) {
    const struct RbCloudSorting *s = l->sorting;
    const RbCloud *cloud = l->cloud;
    const Level *grid = &s->levels[level];
    double reach = cloud->r[i].w + 0.5 * grid->size + 0.5 * cloud->options.skin;
    Vec3 r = place(cloud, i);
    int64_t low[3], high[3], at[3];
    range_along(grid, 0, r.x, s->low.x, reach, &low[0], &high[0]);
    range_along(grid, 1, r.y, s->low.y, reach, &low[1], &high[1]);
    range_along(grid, 2, r.z, s->low.z, reach, &low[2], &high[2]);
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++) {
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++) {
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
                int image;
                const Cell *cell = cell_numbered(s, level, at, &image);
                if (cell) look_at(cloud, chunk, i, cell->start, cell->end, image);
            }
        }
    }
}

typedef struct WallListing {
    const RbCloud *cloud;
    RbGrainChunk *chunk;
    int grain, wall;
    int first; // of this grain and wall
} WallListing;

// Several triangles may have the same feature. (If there is no room, it is counted more than once.)
static void list_part(void *user, int part) {
    const WallListing *l = user;
    RbGrainChunk *chunk = l->chunk;
    int room = chunk->walls.capacity, place = chunk->walls_wanted;
    for (int k = l->first; k < place && k < room; k++) {
        if (chunk->walls.data[k].face == part) return;
    }
    chunk->walls_wanted++;
    if (place >= room) return;
    RbWallPair pair = {.grain = l->grain, .wall = l->wall, .face = part};
    int code = rb_grain_wall_code(l->wall, part);
    pair.touches = recall(l->cloud, l->grain, code, false, &pair.slide, &pair.turn);
    chunk->walls.data[place] = pair;
}

// Polyhedra know the convex parts of walls, and the patches of surfaces; several triangles may have the same.
static void list_face_part(void *user, int part) {
    const WallListing *l = user;
    const RbGrainMesh *mesh = l->cloud->walls.data[l->wall].mesh;
    if (mesh && part >= mesh->patch_count) return;
    for (int k = l->first; k < l->chunk->faces_wanted && k < l->chunk->faces.capacity; k++) {
        if (l->chunk->faces.data[k].part == part) return;
    }
    RbFacePair pair = {.grain = l->grain, .other = -1, .wall = l->wall, .part = part};
    list_face(l->cloud, l->chunk, pair, rb_grain_wall_code(l->wall, part));
}

static void list_face_walls(const RbCloud *cloud, RbGrainChunk *chunk, int i) {
    double reach = cloud->r[i].w + cloud->options.skin;
    for (int k = 0; k < cloud->walls.count; k++) {
        WallListing l = {cloud, chunk, i, k, chunk->faces_wanted};
        rb_grain_wall_near(&cloud->walls.data[k], place(cloud, i), reach, list_face_part, &l);
    }
}

static void list_walls(const RbCloud *cloud, RbGrainChunk *chunk, int i) {
    double reach = cloud->r[i].w + cloud->options.skin;
    if (cloud->has_faces && rb_cloud_is_face(cloud, i)) {
        list_face_walls(cloud, chunk, i);
        return;
    }
    for (int k = 0; k < cloud->walls.count; k++) {
        WallListing l = {cloud, chunk, i, k, chunk->walls_wanted};
        rb_grain_wall_near(&cloud->walls.data[k], place(cloud, i), reach, list_part, &l);
    }
    int room = chunk->walls.capacity;
    chunk->walls.count = chunk->walls_wanted < room ? chunk->walls_wanted : room;
}

static void list_chunk(void *user, int number) {
    const Listing *l = user;
    const struct RbCloudSorting *s = l->sorting;
    RbCloud *cloud = l->cloud;
    RbGrainChunk *chunk = &cloud->chunks[number];
    const Cell *last = NULL;
    Neighbour around[AROUND];
    int around_count = 0, level = 0;
    chunk->inside.count = chunk->outside.count = chunk->walls_wanted = chunk->faces_wanted = 0;
    chunk->walls.count = 0;
    for (int i = chunk->first; i < chunk->end; i++) {
        chunk->inside.start[i - chunk->first] = chunk->inside.count;
        chunk->outside.start[i - chunk->first] = chunk->outside.count;
        const Cell *cell = &s->cells.data[s->cell_of[i]];
        if (cell != last) {
            last = cell;
            level = (int)(cell->key >> 3 * CELL_BITS);
            At at = cell_at(place(cloud, i), s->low, &s->levels[level]);
            around_count = cells_around(s, cell, level, at, around);
        }
        bool alone = cloud->options.walls_alone;
        for (int k = 0; !alone && k < around_count; k++) {
            const Cell *other = around[k].cell;
            int from = other == cell ? i + 1 : other->start;
            look_at(cloud, chunk, i, from, other->end, around[k].image);
        }
        for (int k = 0; !alone && k < level; k++) {
            if (s->levels[k].size > 0) look_at_level(l, chunk, i, k);
        }
        if (cloud->body[i] != RB_GRAIN_PUPPET) list_walls(cloud, chunk, i);
    }
    chunk->inside.start[chunk->end - chunk->first] = chunk->inside.count;
    chunk->outside.start[chunk->end - chunk->first] = chunk->outside.count;
    int room = chunk->faces.capacity;
    chunk->faces.count = chunk->faces_wanted < room ? chunk->faces_wanted : room;
}

// ---------------------------------------------------------------------------------------------------
// room

static void list_room(RbCloud *cloud, RbGrainList *list, bool images) {
    RbArena *arena = cloud->arena;
    if (!list->start) list->start = rb_new_array(arena, int, RB_GRAIN_CHUNK + 1);
    if (list->count <= list->capacity && list->capacity > 0) return;
    list->capacity = list->count + list->count / 4 + 64;
    list->own = rb_new_array(arena, int, list->capacity);
    list->other = rb_new_array(arena, int, list->capacity + RB_GRAIN_AHEAD);
    list->touches = rb_new_array(arena, RbGrip, list->capacity);
    list->slide = rb_new_array(arena, Vec3, list->capacity);
    if (cloud->turning) list->turn = rb_new_array(arena, Vec3, list->capacity);
    if (images) list->image = rb_new_array(arena, unsigned char, list->capacity);
}

static bool fits(const RbGrainChunk *c) {
    return c->inside.count <= c->inside.capacity && c->outside.count <= c->outside.capacity &&
           c->walls_wanted <= c->walls.capacity && c->faces_wanted <= c->faces.capacity;
}

static void chunk_room(RbCloud *cloud, RbGrainChunk *c) {
    int before = c->outside.capacity;
    if (c->inside.capacity == 0) c->inside.count = 6 * (c->end - c->first);
    list_room(cloud, &c->inside, false);
    list_room(cloud, &c->outside, rb_borders_any(&cloud->options.borders));
    if (c->outside.capacity != before)
        c->slots = rb_new_array(cloud->arena, int, c->outside.capacity);
    rb_array_reserve(&c->walls, cloud->arena, c->walls_wanted + c->walls_wanted / 4);
    rb_array_reserve(&c->faces, cloud->arena, c->faces_wanted + c->faces_wanted / 4);
}

static void make_chunks(RbCloud *cloud) {
    int count = (cloud->count + RB_GRAIN_CHUNK - 1) / RB_GRAIN_CHUNK;
    if (count > cloud->chunk_capacity) {
        int capacity = count + count / 4 + 1;
        RbGrainChunk *chunks = rb_new_array(cloud->arena, RbGrainChunk, capacity);
        if (cloud->chunk_capacity > 0)
            memcpy(chunks, cloud->chunks, (size_t)cloud->chunk_capacity * sizeof *chunks);
        cloud->chunks = chunks;
        cloud->chunk_capacity = capacity;
    }
    cloud->chunk_count = count;
    for (int c = 0; c < count; c++) {
        RbGrainChunk *chunk = &cloud->chunks[c];
        chunk->first = c * RB_GRAIN_CHUNK;
        chunk->end = c + 1 < count ? chunk->first + RB_GRAIN_CHUNK : cloud->count;
        chunk->inside.count = chunk->outside.count = chunk->walls_wanted = chunk->faces_wanted = 0;
        chunk->moved = INFINITY;
        chunk_room(cloud, chunk);
        if (chunk->loads) continue;
        chunk->loads = rb_new_array(cloud->arena, Wrench, cloud->walls.count);
        chunk->wall_powers = rb_new_array(cloud->arena, RbWallPowers, cloud->walls.count);
    }
}

// Where what acts on grains of other chunks is left: what is for one chunk is together, in the order of chunks and pairs.
static void place_reactions(RbCloud *cloud, struct RbCloudSorting *s) {
    int total = 0;
    for (int c = 0; c < cloud->chunk_count; c++) cloud->chunks[c].left_count = 0;
    for (int c = 0; c < cloud->chunk_count; c++) {
        const RbGrainList *list = &cloud->chunks[c].outside;
        for (int k = 0; k < list->count; k++)
            cloud->chunks[list->other[k] / RB_GRAIN_CHUNK].left_count++;
        total += list->count;
    }
    rb_array_reserve(&s->reactions, cloud->arena, total + total / 8);
    rb_array_reserve(&s->receivers, cloud->arena, total + total / 8);
    cloud->reactions = s->reactions.data;
    for (int k = 0; k < total; k++) cloud->reactions[k].f.w = 0;
    int next = 0;
    for (int c = 0; c < cloud->chunk_count; c++) {
        RbGrainChunk *chunk = &cloud->chunks[c];
        chunk->left = cloud->reactions + next;
        chunk->receivers = s->receivers.data + next;
        next += chunk->left_count;
        chunk->left_count = 0;
    }
    for (int c = 0; c < cloud->chunk_count; c++) {
        const RbGrainList *list = &cloud->chunks[c].outside;
        for (int k = 0; k < list->count; k++) {
            RbGrainChunk *to = &cloud->chunks[list->other[k] / RB_GRAIN_CHUNK];
            int slot = (int)(to->left - cloud->reactions) + to->left_count++;
            cloud->chunks[c].slots[k] = slot;
            s->receivers.data[slot] = list->other[k];
        }
    }
}

// -------------------------------------------------------------------------------------------------
// memory of contacts

static void remember_list(RbCloud *cloud, const RbGrainChunk *chunk, const RbGrainList *list,
                          int i) {
    for (int k = list->start[i - chunk->first]; k < list->start[i - chunk->first + 1]; k++) {
        if (!list->touches[k]) continue;
        Vec3 turn = list->turn ? list->turn[k] : V3_ZERO;
        rb_array_push(
            &cloud->memories, cloud->arena,
            (RbGrainMemory){cloud->id[list->other[k]], list->touches[k], list->slide[k], turn});
    }
}

static void remember_face(RbCloud *cloud, const RbFacePair *p) {
    int with = p->other >= 0 ? cloud->id[p->other] : rb_grain_wall_code(p->wall, p->part);
    if (p->touches)
        rb_array_push(&cloud->memories, cloud->arena,
                      (RbGrainMemory){with, p->touches, p->slide, V3_ZERO});
}

void rb_cloud_collect_memories(RbCloud *cloud) {
    if (!cloud->list_valid) return;
    cloud->memories.count = 0;
    for (int c = 0; c < cloud->chunk_count; c++) {
        const RbGrainChunk *chunk = &cloud->chunks[c];
        int wall = 0, face = 0;
        for (int i = chunk->first; i < chunk->end; i++) {
            cloud->memory_start[i] = cloud->memories.count;
            for (; face < chunk->faces.count && chunk->faces.data[face].grain == i; face++)
                remember_face(cloud, &chunk->faces.data[face]);
            remember_list(cloud, chunk, &chunk->inside, i);
            remember_list(cloud, chunk, &chunk->outside, i);
            for (; wall < chunk->walls.count && chunk->walls.data[wall].grain == i; wall++) {
                const RbWallPair *p = &chunk->walls.data[wall];
                if (!p->touches) continue;
                int code = rb_grain_wall_code(p->wall, p->face);
                rb_array_push(&cloud->memories, cloud->arena,
                              (RbGrainMemory){code, p->touches, p->slide, p->turn});
            }
            cloud->memory_count[i] = cloud->memories.count - cloud->memory_start[i];
        }
    }
}

// Where grains may touch a wall is where grains are.
static void mark_wall(const RbCloud *cloud, const struct RbCloudSorting *s, RbGrainWall *wall) {
    wall->listed = wall->X;
    if (cloud->count == 0) return;
    double size = s->levels[0].size;
    Vec3 by = v3(size, size, size);
    wall->low = v3_sub(s->low, by), wall->high = v3_add(s->high, by);
}

void rb_cloud_remember(RbCloud *cloud) {
    rb_cloud_collect_memories(cloud);
    cloud->list_valid = false;
}

// The largest reach of any pair: R* is at most the largest radius, at a wall.
static double largest_reach(const RbCloudOptions *options, double radius) {
    double reach = 0;
    for (int k = 0; radius > 0 && k < options->materials * options->materials; k++) {
        const RbGrainLaw *law = &options->laws[k];
        if (law->adhesion > 0)
            reach = fmax(reach, rb_grain_adhesive_reach(0.75 * law->normal, law->adhesion, radius));
    }
    return reach;
}

static void find_reach(RbCloud *cloud) {
    double largest = 0;
    for (int i = 0; cloud->sticky && i < cloud->count; i++) largest = fmax(largest, cloud->r[i].w);
    cloud->reach = largest_reach(&cloud->options, largest);
}

static const double SKIN = 0.2; // of the mean radius

double rb_cloud_widest_skin(const RbCloudOptions *options, double radius) {
    double skin = options->skin > 0 ? options->skin : SKIN * radius;
    return fmax(skin, 2 * largest_reach(options, radius));
}

void rb_cloud_make_list(RbCloud *cloud) {
    rb_cloud_remember(cloud);
    rb_cloud_reserve_work(cloud);
    find_reach(cloud);
    if (!(cloud->options.skin > 0) && cloud->count > 0)
        cloud->options.skin = SKIN * cloud->radius_sum / (cloud->count - cloud->puppet_count);
    if (cloud->reach > 0) // who still touches must be listed, with as much room as others
        cloud->options.skin = fmax(cloud->options.skin, 2 * cloud->reach);
    struct RbCloudSorting *s = sorting_of(cloud);
    cloud->smallest = INFINITY;
    wrap_grains(cloud);
    if (cloud->count > 0) {
        measure(cloud, s);
        order_grains(cloud, s);
        rb_cloud_index_bodies(cloud);
        enter_cells(cloud, s);
    }
    make_chunks(cloud);
    Listing listing = {cloud, s};
    rb_team_run(cloud->team, cloud->chunk_count, list_chunk, &listing);
    for (int c = 0; c < cloud->chunk_count; c++) {
        while (!fits(&cloud->chunks[c])) {
            chunk_room(cloud, &cloud->chunks[c]);
            list_chunk(&listing, c);
        }
    }
    place_reactions(cloud, s);
    for (int k = 0; k < cloud->walls.count; k++) mark_wall(cloud, s, &cloud->walls.data[k]);
    cloud->list_valid = true;
    cloud->rebuilds++;
}
