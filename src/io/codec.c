// SPDX-License-Identifier: MIT
// Numbers are whole: steps of a track, or the bits of a float, whose order is that of the floats. They are taken number by number of a
// point (all x, then all y ...), in blocks of 128. A block says by what its numbers are expected: by the one before, by that of the
// picture before, or along a straight line through the two pictures before. What is left is coded by Golomb and Rice: the upper part of
// u in as many zeros and a one, its k lower bits as they are.
#include "io/codec.h"

#include "base/assert.h"

enum {
    BLOCK = 128,
    LONGEST = 24,   // zeros: what is larger stands there in 32 bits
    SHIFTS = 25,    // k is less
    NOTHING = 31,   // in place of k: all are as expected
    HEAD_BITS = 7,  // 2: how they are expected, 5: k
    HEAD_BYTES = 8, // u16 kind, u16 bytes of an item, u32 number of items
};

typedef enum Expected { BY_NEIGHBOUR, BY_LAST, BY_LINE, EXPECTATIONS } Expected;

// ---- chunks as numbers

// The numbers of a chunk: `width` for each of `count` points, behind `head` bytes.
typedef struct Numbers {
    const unsigned char *data;
    size_t head;
    uint32_t width, count;
} Numbers;

static bool is_coded(unsigned kind) {
    return kind == RB_CHUNK_POINTS || kind == RB_CHUNK_DIAMETERS || kind == RB_CHUNK_TRACK;
}

// False: it is none of those that are coded.
static bool numbers_of(const RbChunkView *c, Numbers *n) {
    RbTrackView track;
    *n = (Numbers){.data = c->data, .width = c->kind == RB_CHUNK_POINTS ? 3 : 1, .count = c->count};
    if (c->kind == RB_CHUNK_TRACK) {
        if (!rb_track_view(c, &track)) return false;
        *n = (Numbers){track.data, RB_DRAW_TRACK, (uint32_t)track.width, (uint32_t)track.count};
        return true;
    }
    return is_coded(c->kind) && c->item == 4 * (size_t)n->width;
}

static uint32_t number(const Numbers *n, uint32_t point, uint32_t k) {
    return rb_get_u32(n->data + 4 * ((size_t)point * n->width + k));
}

// The chunk of the same kind, object and quantity in a picture before; none: it has no points.
static Numbers counterpart(const struct RbCoded *picture, const RbChunkView *c, Numbers like) {
    RbBlob bytes = {picture->bytes, picture->size};
    RbChunkView other;
    Numbers n;
    for (size_t offset = 0; rb_picture_next(bytes, &offset, &other);) {
        bool same = other.kind == c->kind && other.object == c->object;
        if (same && like.head > 0) same = rb_get_u32(other.data) == rb_get_u32(like.data - like.head);
        if (same && numbers_of(&other, &n)) return n;
    }
    return (Numbers){0};
}

typedef struct Past {
    Numbers last, before;
} Past;

static Past past_of(const RbCodec *p, const RbChunkView *c, Numbers like) {
    return (Past){counterpart(&p->last[0], c, like), counterpart(&p->last[1], c, like)};
}

// What is expected of number k of a point; `left` is that of the point before. Sums wrap.
static uint32_t expect(const Past *past, Expected how, uint32_t left, uint32_t point, uint32_t k) {
    if (how == BY_NEIGHBOUR) return left;
    uint32_t a = point < past->last.count ? number(&past->last, point, k) : 0;
    if (how == BY_LAST || point >= past->before.count) return a;
    return 2 * a - number(&past->before, point, k);
}

// Differences of both signs as numbers that are small where these are.
static uint32_t fold(uint32_t d) {
    return d << 1 ^ (d >> 31 ? UINT32_MAX : 0);
}

static uint32_t unfold(uint32_t u) {
    return u >> 1 ^ (u & 1 ? UINT32_MAX : 0);
}

// ---- bits, the lowest first

typedef struct BitsOut {
    unsigned char *to, *end;
    uint64_t held;
    unsigned count;
    bool full;
} BitsOut;

// Up to 56.
static void put_bits(BitsOut *b, uint64_t bits, unsigned count) {
    b->held |= bits << b->count;
    b->count += count;
    for (; b->count >= 8; b->count -= 8, b->held >>= 8) {
        if (b->to == b->end) {
            b->full = true;
            b->count = 0;
            b->held = 0;
            return;
        }
        *b->to++ = (unsigned char)b->held;
    }
}

typedef struct BitsIn {
    const unsigned char *from, *end;
    uint64_t held;
    unsigned count;
    bool too_short;
} BitsIn;

static void fill(BitsIn *b) {
    while (b->count <= 56 && b->from < b->end) {
        b->held |= (uint64_t)*b->from++ << b->count;
        b->count += 8;
    }
}

// Up to 32.
static uint32_t take_bits(BitsIn *b, unsigned count) {
    fill(b);
    if (b->count < count) {
        b->too_short = true;
        return 0;
    }
    uint32_t bits = (uint32_t)(b->held & (((uint64_t)1 << count) - 1));
    b->held >>= count;
    b->count -= count;
    return bits;
}

static uint32_t take_number(BitsIn *b, unsigned k) {
    fill(b);
    unsigned zeros = b->held ? (unsigned)__builtin_ctzll(b->held) : 64;
    if (zeros >= LONGEST) {
        take_bits(b, LONGEST);
        return take_bits(b, 32);
    }
    take_bits(b, zeros + 1);
    return (uint32_t)zeros << k | take_bits(b, k);
}

static void put_number(BitsOut *b, uint32_t u, unsigned k) {
    uint32_t zeros = u >> k;
    if (zeros >= LONGEST) {
        put_bits(b, 0, LONGEST);
        put_bits(b, u, 32);
        return;
    }
    put_bits(b, (uint64_t)1 << zeros, zeros + 1);
    put_bits(b, u & (((uint32_t)1 << k) - 1), k);
}

// ---- blocks

static unsigned cost_of(const uint32_t *u, int count, unsigned k) {
    unsigned bits = 0;
    for (int i = 0; i < count; i++) {
        uint32_t zeros = u[i] >> k;
        bits += zeros < LONGEST ? zeros + 1 + k : LONGEST + 32;
    }
    return bits;
}

// The cheapest k, at most about the logarithm of the mean: few large ones may stand among many small ones. Returns what it costs.
static unsigned choose_shift(const uint32_t *u, int count, unsigned *shift) {
    uint64_t sum = 0;
    for (int i = 0; i < count; i++) sum += u[i];
    *shift = NOTHING;
    if (sum == 0) return 0;
    int near = 63 - __builtin_clzll(sum / (unsigned)count + 1);
    unsigned best = UINT32_MAX;
    for (int k = 0; k <= near + 1 && k < SHIFTS; k++) {
        unsigned cost = cost_of(u, count, (unsigned)k);
        if (cost < best) best = cost, *shift = (unsigned)k;
    }
    return best;
}

static void encode_block(BitsOut *b, const Numbers *n, const Past *past, uint32_t first, int count,
                       uint32_t k) {
    uint32_t tried[EXPECTATIONS][BLOCK];
    unsigned best = UINT32_MAX, shift = 0, how = 0;
    int most = past->last.count == 0 ? 1 : past->before.count == 0 ? 2 : EXPECTATIONS;
    for (int e = most - 1; e >= 0; e--) {
        uint32_t left = first > 0 ? number(n, first - 1, k) : 0;
        for (int i = 0; i < count; i++) {
            uint32_t point = first + (uint32_t)i, value = number(n, point, k);
            tried[e][i] = fold(value - expect(past, (Expected)e, left, point, k));
            left = value;
        }
        unsigned own, cost = choose_shift(tried[e], count, &own);
        if (cost < best) best = cost, shift = own, how = (unsigned)e;
    }
    put_bits(b, how | shift << 2, HEAD_BITS);
    for (int i = 0; i < count && shift != NOTHING; i++) put_number(b, tried[how][i], shift);
}

// to: the numbers where they belong; NULL: they are looked at alone.
static void decode_block(BitsIn *b, const Numbers *n, const Past *past, uint32_t first, int count,
                         uint32_t k, unsigned char *to) {
    uint32_t head = take_bits(b, HEAD_BITS), shift = head >> 2, how = head & 3;
    if (how >= EXPECTATIONS || (shift >= SHIFTS && shift != NOTHING)) b->too_short = true;
    uint32_t left = first > 0 && to ? number(n, first - 1, k) : 0;
    for (int i = 0; i < count && !b->too_short; i++) {
        uint32_t point = first + (uint32_t)i;
        uint32_t u = shift == NOTHING ? 0 : take_number(b, shift);
        if (!to) continue;
        left = unfold(u) + expect(past, (Expected)how, left, point, k);
        rb_put_u32(to + 4 * ((size_t)point * n->width + k), left);
    }
}

static int block_length(const Numbers *n, uint32_t first) {
    return n->count - first < BLOCK ? (int)(n->count - first) : BLOCK;
}

// ---- pictures

static void make_room(RbCodec *p, struct RbCoded *b, size_t capacity) {
    if (capacity <= b->capacity) return;
    size_t size = capacity < 2 * b->capacity ? 2 * b->capacity : capacity;
    unsigned char *bytes = rb_arena_push(p->arena, size, 1);
    if (b->size > 0) memcpy(bytes, b->bytes, b->size);
    b->bytes = bytes;
    b->capacity = size;
}

void rb_codec_begin(RbCodec *p, size_t most, RbArena *arena) {
    p->arena = arena;
    p->most = most;
    p->last[0].size = p->last[1].size = p->next.size = p->out.size = 0;
}

void rb_codec_reserve(RbCodec *p, size_t most, RbArena *arena) {
    rb_codec_begin(p, most, arena);
    make_room(p, &p->last[0], most);
    make_room(p, &p->last[1], most);
    make_room(p, &p->next, most);
    make_room(p, &p->out, most);
}

static void add_bytes(RbCodec *p, struct RbCoded *b, const unsigned char *bytes, size_t size) {
    make_room(p, b, b->size + size);
    if (size > 0) memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

static void put_chunk_head(unsigned char *to, unsigned kind, size_t item, uint32_t object,
                           uint32_t count) {
    rb_put_u32(to, kind | (uint32_t)item << 16);
    rb_put_u32(to + 4, object);
    rb_put_u32(to + 8, count);
}

// Points, diameters and tracks of an object in the picture before go to this one.
static void hold(RbCodec *p, uint32_t object) {
    RbBlob last = {p->last[0].bytes, p->last[0].size};
    RbChunkView c;
    for (size_t offset = 0, before = 0; rb_picture_next(last, &offset, &c); before = offset) {
        if (c.object == object && is_coded(c.kind))
            add_bytes(p, &p->next, last.bytes + before, offset - before);
    }
}

static void remember(RbCodec *p) {
    struct RbCoded oldest = p->last[1];
    p->last[1] = p->last[0];
    p->last[0] = p->next;
    p->next = oldest;
    p->next.size = 0;
}

// Into p->out; false: it would not be smaller, and nothing is there.
static bool encode_chunk(RbCodec *p, const RbChunkView *c) {
    Numbers n;
    size_t own = c->item * c->count;
    if (!numbers_of(c, &n) || own <= HEAD_BYTES + n.head) return false;
    Past past = past_of(p, c, n);
    unsigned char *head = p->out.bytes + p->out.size, *to = head + RB_CHUNK_HEAD;
    rb_put_u32(to, c->kind | (uint32_t)c->item << 16);
    rb_put_u32(to + 4, c->count);
    if (n.head > 0) memcpy(to + HEAD_BYTES, c->data, n.head);
    unsigned char *begin = to + HEAD_BYTES + n.head;
    BitsOut b = {.to = begin, .end = to + own};
    for (uint32_t k = 0; k < n.width; k++) {
        for (uint32_t first = 0; first < n.count && !b.full; first += BLOCK)
            encode_block(&b, &n, &past, first, block_length(&n, first), k);
    }
    if (b.count > 0) put_bits(&b, 0, 8 - b.count);
    if (b.full) return false;
    put_chunk_head(head, RB_CHUNK_CODED, 1, c->object, (uint32_t)(b.to - to));
    p->out.size += (size_t)(b.to - head);
    return true;
}

RbBlob rb_encode_picture(RbCodec *p, RbBlob picture) {
    RbChunkView c;
    RB_ASSERT(picture.size <= p->most);
    p->out.size = 0;
    make_room(p, &p->out, picture.size);
    for (size_t offset = 0, before = 0; rb_picture_next(picture, &offset, &c); before = offset) {
        const unsigned char *chunk = picture.bytes + before;
        if (c.kind == RB_CHUNK_HELD)
            hold(p, c.object);
        else
            add_bytes(p, &p->next, chunk, offset - before);
        if (!encode_chunk(p, &c)) add_bytes(p, &p->out, chunk, offset - before);
    }
    remember(p);
    return (RbBlob){p->out.bytes, p->out.size};
}

// ---- and back

// What a coded chunk says of the one that was coded; where its bits are.
static const char *look(const RbChunkView *coded, RbChunkView *c, Numbers *n, BitsIn *bits) {
    static const char *const wrong = "coded numbers are not valid";
    if (coded->item != 1 || coded->count < HEAD_BYTES) return wrong;
    uint32_t first = rb_get_u32(coded->data);
    *c = (RbChunkView){.kind = first & 0xffff,
                       .item = first >> 16,
                       .object = coded->object,
                       .count = rb_get_u32(coded->data + 4),
                       .data = coded->data + HEAD_BYTES};
    size_t left = coded->count - HEAD_BYTES;
    if (c->kind == RB_CHUNK_TRACK && left < RB_DRAW_TRACK) return wrong;
    if (!numbers_of(c, n) || n->count > INT32_MAX) return wrong;
    *bits = (BitsIn){.from = c->data + n->head, .end = c->data + left};
    // No more blocks than bits for their heads: memory is bounded by the size of the file.
    uint64_t blocks = (uint64_t)n->width * (n->count / BLOCK + (n->count % BLOCK > 0));
    return blocks * HEAD_BITS > 8 * (uint64_t)(left - n->head) ? wrong : NULL;
}

static const char *decode(BitsIn *b, Numbers n, const Past *past, unsigned char *to) {
    n.data = to;
    for (uint32_t k = 0; k < n.width; k++) {
        for (uint32_t first = 0; first < n.count && !b->too_short; first += BLOCK)
            decode_block(b, &n, past, first, block_length(&n, first), k, to);
    }
    bool rest = b->from < b->end || b->count >= 8; // less than a byte is left
    return b->too_short || rest ? "coded numbers are not valid" : NULL;
}

const char *rb_codec_check(const RbChunkView *coded) {
    RbChunkView c;
    Numbers n;
    BitsIn bits;
    const char *wrong = look(coded, &c, &n, &bits);
    return wrong ? wrong : decode(&bits, n, &(Past){0}, NULL);
}

static const char *decode_chunk(RbCodec *p, const RbChunkView *coded) {
    RbChunkView c;
    Numbers n;
    BitsIn bits;
    const char *wrong = look(coded, &c, &n, &bits);
    if (wrong) return wrong;
    size_t size = RB_CHUNK_HEAD + c.item * c.count;
    if (size > p->most - p->next.size) return "a picture is larger than announced";
    Past past = past_of(p, &c, n);
    make_room(p, &p->next, p->next.size + size);
    unsigned char *to = p->next.bytes + p->next.size;
    put_chunk_head(to, c.kind, c.item, c.object, c.count);
    if (n.head > 0) memcpy(to + RB_CHUNK_HEAD, c.data, n.head);
    p->next.size += size;
    return decode(&bits, n, &past, to + RB_CHUNK_HEAD + n.head);
}

const char *rb_decode_picture(RbCodec *p, RbBlob coded, RbBlob *picture) {
    RbChunkView c;
    p->next.size = 0;
    for (size_t offset = 0, before = 0; rb_picture_next(coded, &offset, &c); before = offset) {
        const char *wrong = NULL;
        if (c.kind == RB_CHUNK_HELD)
            hold(p, c.object);
        else if (c.kind == RB_CHUNK_CODED)
            wrong = decode_chunk(p, &c);
        else
            add_bytes(p, &p->next, coded.bytes + before, offset - before);
        if (wrong) return wrong;
        if (p->next.size > p->most) return "a picture is larger than announced";
    }
    remember(p);
    *picture = (RbBlob){p->last[0].bytes, p->last[0].size};
    return NULL;
}
