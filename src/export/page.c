// SPDX-License-Identifier: MIT
// The page has three parts besides its program: a description in JSON, the data in one compressed block (parts of which the
// description names by offset and size), and a few lines that start the program. viewer/src/data.js reads them.
#include "export/page.h"

#include <math.h>

#include "export/film.h"
#include "export/squeeze.h"
#include "io/place.h"
#include "io/sink.h"

// Offset and size in the data.
typedef struct Part {
    size_t offset, size;
} Part;

typedef struct Page {
    const RbResult *result;
    const RbPageOptions *options;
    RbArena *arena; // of the page; given back at the end
    RbArena scratch;
    RbDiag *diag;
    RbText data; // not compressed
    RbText meta;
    RbFilm film;
    RB_ARRAY(RbBlob) drawings;
    bool *kept;     // per variable
    int *series_of; // per variable: number of its curve, or -1
    int *owner;     // per curve: variable
    int series_count;
    int left_out;
    size_t stride; // every so many rows there is a picture
    float *series; // [curve][row]
} Page;

RbPageOptions rb_page_options(void) {
    return (RbPageOptions){.most_bytes = 16 << 20, .most_picture_bytes = 32 << 20};
}

bool rb_page_available(void) {
    return rb_viewer_program_size > 0;
}

// ---- which variables

static bool is_derivative(const char *name) {
    return strncmp(name, "der(", 4) == 0;
}

// Variables in the order of the file until there is no more room; derivatives come last. A parameter needs no curve; an
// alias has that of another variable.
static RbStatus choose_variables(Page *p) {
    const RbResult *r = p->result;
    RbFilter *filter;
    RB_TRY(rb_filter_compile(p->options->variables, p->arena, p->diag, &filter));
    p->kept = rb_new_array(p->arena, bool, r->variables.count);
    p->series_of = rb_new_array(p->arena, int, r->variables.count);
    p->owner = rb_new_array(p->arena, int, r->variables.count);
    size_t room = r->row_count > 0 ? p->options->most_bytes / (r->row_count * sizeof(float)) : 0;
    for (int i = 0; i < r->variables.count; i++) p->series_of[i] = -1;
    for (int derivatives = 0; derivatives <= 1; derivatives++) {
        for (int i = 0; i < r->variables.count; i++) {
            const RbResultVariable *v = &r->variables.data[i];
            int target = v->alias_of >= 0 ? v->alias_of : i;
            if (is_derivative(v->name) != (derivatives == 1)) continue;
            if (!rb_filter_matches(filter, v->name)) continue;
            bool fits = v->parameter || p->series_of[target] >= 0 || (size_t)p->series_count < room;
            p->kept[i] = fits;
            p->left_out += !fits;
            if (!fits || v->parameter || p->series_of[target] >= 0) continue;
            p->owner[p->series_count] = target;
            p->series_of[target] = p->series_count++;
        }
    }
    return RB_OK;
}

// ---- the rows

static RbStatus read_series(Page *p) {
    const RbResult *r = p->result;
    RbResultCursor cursor = rb_result_cursor(r);
    p->series = rb_new_array(p->arena, float, r->row_count *(size_t)p->series_count);
    for (size_t row = 0;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, p->diag, &run));
        if (run.count == 0) return RB_OK;
        for (int k = 0; k < p->series_count; k++) {
            RbResultSlot slot = rb_result_slot(r, run.segment, p->owner[k]);
            float *to = p->series + (size_t)k * r->row_count + row;
            for (size_t i = 0; i < run.count; i++)
                to[i] = (float)rb_result_value(slot, run.rows + i * (size_t)run.width);
        }
        row += run.count;
    }
}

// The same drawing of several segments is in the page once; nothing to see: -1.
static int drawing_number(Page *p, RbBlob drawing) {
    if (drawing.size == 0) return -1;
    for (int i = p->drawings.count - 1; i >= 0; i--) {
        if (p->drawings.data[i].bytes == drawing.bytes) return i;
    }
    rb_array_push(&p->drawings, p->arena, drawing);
    return p->drawings.count - 1;
}

// ---- the data

static Part end_part(const Page *p, int start) {
    return (Part){(size_t)start, (size_t)(p->data.count - start)};
}

static Part add_part(Page *p, RbBlob bytes) {
    int start = p->data.count;
    rb_text_add_bytes(&p->data, (const char *)bytes.bytes, bytes.size);
    return end_part(p, start);
}

static void add_part_json(Page *p, const char *name, Part part) {
    if (name) rb_text_printf(&p->meta, "\"%s\":", name);
    rb_text_printf(&p->meta, "[%zu,%zu]", part.offset, part.size);
}

// Every which row has a picture of its own.
static size_t find_stride(const Page *p) {
    double bytes = 0;
    for (int i = 0; i < p->film.segment_count; i++) bytes += p->film.segments[i].chunks.count;
    return (size_t)fmax(1, ceil(bytes / fmax(1, (double)p->options->most_picture_bytes)));
}

// Sizes of the pictures (without poses) of all rows (2^32 - 1: that of the row before), then their bytes.
static void pack_pictures(Page *p, const RbFilmSegment *s) {
    for (size_t i = 0; i < s->row_count; i++) {
        unsigned char size[4];
        bool own = i % p->stride == 0;
        rb_put_u32(size, own ? (uint32_t)(s->offsets[i + 1] - s->offsets[i]) : UINT32_MAX);
        rb_text_add_bytes(&p->data, (char *)size, sizeof size);
    }
    for (size_t i = 0; i < s->row_count; i += p->stride)
        rb_text_add_bytes(&p->data, s->chunks.data + s->offsets[i],
                          (size_t)(s->offsets[i + 1] - s->offsets[i]));
}

static void pack_segments(Page *p) {
    for (int i = 0; i < p->film.segment_count; i++) {
        const RbFilmSegment *s = &p->film.segments[i];
        rb_text_printf(&p->meta, "%s{\"rows\":%zu,\"drawing\":%d", i > 0 ? "," : "", s->row_count,
                       drawing_number(p, s->drawing));
        const char *cause = p->film.result->segments.data[i].note.cause;
        if (cause) {
            rb_text_add(&p->meta, ",\"cause\":\"");
            rb_text_add_json(&p->meta, cause);
            rb_text_add(&p->meta, "\"");
        }
        if (s->drawing.size > 0) {
            int start = p->data.count;
            rb_squeeze_floats(&p->data, s->poses, 7 * (size_t)s->drawn.moving_count, s->row_count,
                              p->scratch);
            rb_text_add(&p->meta, ",");
            add_part_json(p, "poses", end_part(p, start));
            start = p->data.count;
            pack_pictures(p, s);
            rb_text_add(&p->meta, ",");
            add_part_json(p, "pictures", end_part(p, start));
        }
        rb_text_add(&p->meta, "}");
    }
}

static void pack_blobs(Page *p, const char *name, const RbBlob *blobs, int count) {
    rb_text_printf(&p->meta, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i > 0) rb_text_add(&p->meta, ",");
        add_part_json(p, NULL, add_part(p, blobs[i]));
    }
    rb_text_add(&p->meta, "]");
}

// ---- the description

// A string of JSON in which nothing can end the element of the page that holds it.
static void add_string(RbText *out, const char *text) {
    int start = out->count;
    rb_text_add(out, "\"");
    rb_text_add_json(out, text);
    rb_text_add(out, "\"");
    int extra = 0;
    for (int i = start; i < out->count; i++) extra += out->data[i] == '<';
    if (extra == 0) return;
    RbArena *arena = out->arena;
    char *copy = rb_arena_bytes(arena, out->data + start, (size_t)(out->count - start));
    out->count = start;
    for (const char *c = copy; *c; c++) {
        if (*c == '<') {
            rb_text_add(out, "\\u003c");
        } else {
            rb_text_add_bytes(out, c, 1);
        }
    }
}

static void add_number(RbText *out, double value) {
    if (isfinite(value)) {
        rb_text_add_double(out, value);
    } else {
        rb_text_add(out, "null");
    }
}

static void describe_variables(Page *p) {
    const RbResult *r = p->result;
    bool first = true;
    rb_text_add(&p->meta, ",\"variables\":[");
    for (int i = 0; i < r->variables.count; i++) {
        const RbResultVariable *v = &r->variables.data[i];
        if (!p->kept[i]) continue;
        int target = v->alias_of >= 0 ? v->alias_of : i;
        rb_text_add(&p->meta, first ? "{\"name\":" : ",{\"name\":");
        first = false;
        add_string(&p->meta, v->name);
        if (v->unit[0]) {
            rb_text_add(&p->meta, ",\"unit\":");
            add_string(&p->meta, v->unit);
        }
        if (v->description[0]) {
            rb_text_add(&p->meta, ",\"description\":");
            add_string(&p->meta, v->description);
        }
        if (v->negated) rb_text_add(&p->meta, ",\"negated\":true");
        rb_text_printf(&p->meta, ",\"series\":%d", v->parameter ? -1 : p->series_of[target]);
        if (v->parameter) {
            rb_text_add(&p->meta, ",\"value\":");
            add_number(&p->meta, v->value);
        }
        rb_text_add(&p->meta, "}");
    }
    rb_text_printf(&p->meta, "],\"left_out\":%d", p->left_out);
}

static void describe_run(Page *p) {
    const RbResult *r = p->result;
    const char *title = p->options->title ? p->options->title : r->experiment.model;
    rb_text_add(&p->meta, "{\"model\":");
    add_string(&p->meta, title && title[0] ? title : "Result");
    rb_text_printf(&p->meta, ",\"rows\":%zu,\"complete\":%s,\"reason\":", r->row_count,
                   r->complete ? "true" : "false");
    add_string(&p->meta, r->reason ? r->reason : "");
    rb_text_add(&p->meta, ",\"figures\":{");
    for (int i = 0; i < r->figures.count; i++) {
        if (i > 0) rb_text_add(&p->meta, ",");
        add_string(&p->meta, r->figures.data[i].name);
        rb_text_add(&p->meta, ":");
        add_number(&p->meta, r->figures.data[i].value);
    }
    rb_text_add(&p->meta, "},\"chapters\":[");
    for (int i = 0; i < p->options->chapter_count; i++) {
        const RbChapter *c = &p->options->chapters[i];
        rb_text_printf(&p->meta, "%s{\"start\":%.17g,\"stop\":%.17g,\"title\":", i ? "," : "",
                       c->start, c->stop);
        add_string(&p->meta, c->title);
        rb_text_add(&p->meta, "}");
    }
    rb_text_add(&p->meta, "],\"plots\":[");
    for (int i = 0; i < p->options->plot_count; i++) {
        if (i > 0) rb_text_add(&p->meta, ",");
        add_string(&p->meta, p->options->plots[i]);
    }
    rb_text_add(&p->meta, "]");
}

static void pack(Page *p) {
    int start = p->data.count;
    describe_run(p);
    rb_squeeze_doubles(&p->data, p->film.times, p->result->row_count, p->scratch);
    rb_text_add(&p->meta, ",");
    add_part_json(p, "times", end_part(p, start));
    pack_blobs(p, "meshes", p->result->meshes.data, p->result->meshes.count);
    p->stride = find_stride(p);
    rb_text_printf(&p->meta, ",\"picture_stride\":%zu", p->stride);
    rb_text_add(&p->meta, ",\"segments\":[");
    pack_segments(p);
    rb_text_add(&p->meta, "]");
    pack_blobs(p, "drawings", p->drawings.data, p->drawings.count);
    describe_variables(p);
    start = p->data.count;
    rb_squeeze_floats(&p->data, p->series, (size_t)p->series_count, p->result->row_count,
                      p->scratch);
    rb_text_printf(&p->meta, ",\"series_count\":%d,", p->series_count);
    add_part_json(p, "series", end_part(p, start));
    rb_text_add(&p->meta, "}");
}

// ---- the file

static const char page_start[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
    "'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:";

static const char page_head[] =
    "\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<link rel=\"icon\" href=\"data:,\"><title>Rattleback</title>\n"
    "<!-- Made by Rattleback. Contains three.js, copyright three.js authors, and uPlot, copyright "
    "Leon Sorokin, "
    "both under the MIT licence. -->\n</head><body>\n";

static const char page_program[] =
    "<script>(async () => {\n"
    "const text = document.getElementById('program').textContent;\n"
    "const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));\n"
    "const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));\n"
    "const script = document.createElement('script');\n"
    "script.textContent = await new Response(stream).text();\n"
    "document.head.append(script);\n"
    "})();</script>\n</body></html>\n";

static void write_text(RbSink *sink, const RbText *text) {
    rb_sink_write(sink, text->data, (size_t)text->count);
}

static RbStatus write_page(Page *p, const char *path) {
    RbBlob packed;
    RB_TRY(rb_gzip((RbBlob){(unsigned char *)p->data.data, (size_t)p->data.count}, p->arena,
                   p->diag, &packed));
    RbText out = rb_text(p->arena);
    rb_text_add(&out, page_start);
    rb_text_add(&out, page_head);
    if (p->options->before) rb_text_add(&out, p->options->before);
    rb_text_add(&out, "<script type=\"application/json\" id=\"meta\">");
    rb_text_add_bytes(&out, p->meta.data, (size_t)p->meta.count);
    rb_text_add(&out, "</script>\n<script type=\"application/octet-stream\" id=\"data\">");
    rb_text_add_base64(&out, packed);
    rb_text_add(&out, "</script>\n<script type=\"application/octet-stream\" id=\"program\">");
    rb_text_add_base64(&out, (RbBlob){rb_viewer_program, rb_viewer_program_size});
    rb_text_add(&out, "</script>\n");
    if (p->options->after) rb_text_add(&out, p->options->after);
    rb_text_add(&out, page_program);
    RbSink sink;
    RB_TRY(rb_sink_open(path, p->arena, p->diag, &sink));
    write_text(&sink, &out);
    return rb_sink_close(&sink, RB_OK, p->diag);
}

RbStatus rb_page_need(RbDiag *diag) {
    if (rb_page_available()) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "this program was built without the page: install nodejs and npm, then "
                   "configure and build it "
                   "again with -DRB_VIEWER=ON");
}

RbStatus rb_page_live(const char *title, int port, RbDiag *diag, RbText *out) {
    RB_TRY(rb_page_need(diag));
    rb_text_add(out, page_start);
    rb_text_printf(out, "; connect-src ws://127.0.0.1:%d ws://localhost:%d", port, port);
    rb_text_add(out, page_head);
    rb_text_add(out, "<script type=\"application/json\" "
                     "id=\"meta\">{\"live\":true,\"complete\":true,\"model\":");
    add_string(out, title);
    rb_text_add(out, "}</script>\n<script type=\"application/octet-stream\" id=\"program\">");
    rb_text_add_base64(out, (RbBlob){rb_viewer_program, rb_viewer_program_size});
    rb_text_add(out, "</script>\n");
    rb_text_add(out, page_program);
    return RB_OK;
}

RbStatus rb_page_write(const char *path, const RbResult *result, const RbPageOptions *options,
                       RbArena *arena, RbArena scratch, RbDiag *diag) {
    RB_TRY(rb_page_need(diag));
    if (result->row_count == 0)
        return rb_fail(diag, RB_ERROR_USAGE, rb_place(diag, result->file),
                       "there is nothing to see: the result has no rows");
    RbArena *own = rb_arena_child(arena);
    Page p = {.result = result, .options = options, .arena = own, .scratch = scratch, .diag = diag};
    p.data = rb_text(own);
    p.meta = rb_text(own);
    RbStatus status = choose_variables(&p);
    if (status == RB_OK) status = rb_film_read(result, own, diag, &p.film);
    if (status == RB_OK) status = read_series(&p);
    if (status == RB_OK) {
        pack(&p);
        status = write_page(&p, path);
    }
    rb_arena_free(own);
    return status;
}
