// SPDX-License-Identifier: MIT
#include "export/render.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "export/browser.h"
#include "export/page.h"
#include "export/squeeze.h"
#include "io/place.h"

extern char **environ;

RbRenderOptions rb_render_options_default(void) {
    return (RbRenderOptions){.time = NAN,
                             .start = NAN,
                             .stop = NAN,
                             .speed = 1,
                             .frames_per_second = 30,
                             .width = 1280,
                             .height = 720,
                             .view = "iso",
                             .camera = {NAN, NAN, NAN},
                             .look_at = {NAN, NAN, NAN},
                             .cut_at = NAN,
                             .samples = 1};
}

static bool is_film(const char *path) {
    return rb_text_ends_with(path, ".mp4") || rb_text_ends_with(path, ".webp");
}

bool rb_render_can_write(const char *path) {
    return rb_text_ends_with(path, ".png") || is_film(path);
}

// ---- pictures

// The picture of a data address.
static RbStatus decode(const char *address, RbArena *arena, RbDiag *diag, RbBlob *out) {
    const char *text = strchr(address, ',');
    if (strncmp(address, "data:image/png;base64,", 22) != 0 || !text)
        return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE, "the page made no picture");
    *out = rb_base64_bytes(text + 1, arena);
    return RB_OK;
}

// A point, if it is given.
static void add_place(RbText *question, const char *name, const double at[3]) {
    if (!isnan(at[0]))
        rb_text_printf(question, ", %s: [%.17g, %.17g, %.17g]", name, at[0], at[1], at[2]);
}

// "cue,ball[1]" as a list of JSON; commas in brackets belong to a name.
static void add_names(RbText *question, const char *key, const char *names) {
    if (!names) return;
    rb_text_printf(question, ", %s: [\"", key);
    for (int depth = 0; *names; names++) {
        depth += (*names == '[') - (*names == ']');
        if (*names == ',' && depth == 0)
            rb_text_add(question, "\",\"");
        else
            rb_text_add_json(question, (char[2]){*names, 0});
    }
    rb_text_add(question, "\"]");
}

static void add_flight(RbText *question, const RbRenderOptions *o) {
    if (o->flight_count == 0) return;
    rb_text_add(question, ", flight: [");
    for (int i = 0; i < o->flight_count; i++) {
        const RbCameraKey *k = &o->flight[i];
        rb_text_printf(question, "[%.17g, %.17g, %.17g, %.17g, %.17g, %.17g, %.17g],", k->time,
                       k->camera[0], k->camera[1], k->camera[2], k->look_at[0], k->look_at[1],
                       k->look_at[2]);
    }
    rb_text_add(question, "]");
}

static void add_cut(RbText *question, const RbRenderOptions *o) {
    if (o->cut_axis == 0) return;
    rb_text_printf(question, ", cut: ['%c'", "xyz"[o->cut_axis - 1]);
    if (!isnan(o->cut_at)) rb_text_printf(question, ", %.17g", o->cut_at);
    rb_text_add(question, "]");
}

static RbStatus take_picture(RbBrowser *b, const RbRenderOptions *o, double time, bool film,
                             RbArena *arena, RbDiag *diag, RbBlob *png) {
    RbText question = rb_text(arena);
    rb_text_printf(&question, "viewer.picture(%.17g, {width: %d, height: %d, view: '%s'", time,
                   o->width, o->height, o->view);
    rb_text_printf(&question, ", dark: %s, film: %s, samples: %d, strain: %.17g, show: '%s'",
                   o->dark ? "true" : "false", film ? "true" : "false", o->samples, o->strain,
                   o->show ? o->show : "");
    add_place(&question, "camera", o->camera);
    add_place(&question, "lookAt", o->look_at);
    add_flight(&question, o);
    add_cut(&question, o);
    add_names(&question, "label", o->label);
    add_names(&question, "through", o->see_through);
    if (o->follow) {
        rb_text_add(&question, ", follow: \"");
        rb_text_add_json(&question, o->follow);
        rb_text_add(&question, "\"");
    }
    rb_text_add(&question, "})");
    const char *answer;
    RB_TRY(rb_browser_ask(b, question.data, arena, diag, &answer));
    if (strcmp(answer, "unknown") == 0)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there is no object '%s' to follow at %g s; the list of objects of "
                       "`rattleback view` has the names",
                       o->follow, time);
    return decode(answer, arena, diag, png);
}

// ---- films

typedef struct Film {
    pid_t process;
    int to;
} Film;

typedef RB_ARRAY(char *) Words;

static void add_words(Words *to, const char *const *words, size_t count, RbArena *arena) {
    for (size_t i = 0; i < count; i++) rb_array_push(to, arena, rb_arena_text(arena, words[i]));
}

static RbStatus start_film(const char *path, int rate, RbArena *arena, RbDiag *diag, Film *film) {
    static const char *const input[] = {"ffmpeg", "-y", "-loglevel", "error", "-f", "image2pipe"};
    static const char *const mp4[] = {"-c:v",     "libx264",   "-preset",
                                      "veryfast", "-vf",       "scale=out_color_matrix=bt709",
                                      "-pix_fmt", "yuv420p",   "-colorspace",
                                      "bt709",    "-movflags", "+faststart",
                                      "-f",       "mp4"};
    static const char *const webp[] = {"-c:v", "libwebp_anim", "-q:v", "40", "-compression_level",
                                       "6",    "-loop",        "0",    "-f", "webp"};
    Words words = {0};
    add_words(&words, input, sizeof input / sizeof *input, arena);
    const char *const pictures[] = {
        "-framerate", rb_arena_printf(arena, "%d", rate), "-c:v", "png", "-i", "-"};
    add_words(&words, pictures, sizeof pictures / sizeof *pictures, arena);
    if (rb_text_ends_with(path, ".mp4"))
        add_words(&words, mp4, sizeof mp4 / sizeof *mp4, arena);
    else
        add_words(&words, webp, sizeof webp / sizeof *webp, arena);
    add_words(&words, &path, 1, arena);
    rb_array_push(&words, arena, NULL);
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot talk to ffmpeg: %s", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    int code = posix_spawnp(&film->process, "ffmpeg", &actions, NULL, words.data, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    film->to = ends[1];
    if (code == 0) return RB_OK;
    close(ends[1]);
    return rb_fail(
        diag, RB_ERROR_USAGE, RB_NOWHERE,
        "films are made with ffmpeg, which is not installed: install the package ffmpeg, or "
        "make a picture (.png)");
}

static bool add_frame(Film *film, RbBlob png) {
    for (size_t done = 0; done < png.size;) {
        ssize_t n = send(film->to, png.bytes + done, png.size - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

static RbStatus end_film(Film *film, const char *path, RbStatus status, RbDiag *diag) {
    int code = 0;
    close(film->to);
    while (waitpid(film->process, &code, 0) < 0 && errno == EINTR) {
    }
    if (status != RB_OK) return status;
    if (WIFEXITED(code) && WEXITSTATUS(code) == 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, rb_place(diag, path), "ffmpeg could not write the film");
}

static RbStatus make_film(const char *path, RbBrowser *b, const RbRenderOptions *o, double start,
                          double stop, RbArena *arena, RbDiag *diag) {
    Film film;
    RB_TRY(start_film(path, o->frames_per_second, arena, diag, &film));
    double step = o->speed / o->frames_per_second;
    long frames = (long)floor((stop - start) / step + 1e-9) + 1;
    RbStatus status = RB_OK;
    for (long i = 0; i < frames && status == RB_OK; i++) {
        RbArena *frame = rb_arena_child(arena);
        RbBlob png;
        status = take_picture(b, o, start + (double)i * step, true, frame, diag, &png);
        if (status == RB_OK && !add_frame(&film, png)) {
            rb_arena_free(frame);
            break; // its exit code says what happened
        }
        rb_arena_free(frame);
    }
    return end_film(&film, path, status, diag);
}

// ---- both

// "molecules,connections"
static RbStatus check_kinds(const char *show, RbDiag *diag) {
    static const char *const kinds[] = {"molecules", "surfaces", "connections"};
    while (show && *show) {
        size_t length = strcspn(show, ",");
        bool known = false;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            known |= strlen(kinds[i]) == length && strncmp(show, kinds[i], length) == 0;
        if (!known)
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "'%.*s' cannot be shown of soft bodies; it must be molecules, surfaces, "
                           "connections, or several of these with commas",
                           (int)length, show);
        show += length + (show[length] == ',');
    }
    return RB_OK;
}

static RbStatus check_place(const char *name, const double at[3], RbDiag *diag) {
    bool none = isnan(at[0]) && isnan(at[1]) && isnan(at[2]);
    bool point = isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2]);
    if (none || point) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "the place '%s' is {%g, %g, %g}; it must be finite", name, at[0], at[1], at[2]);
}

static RbStatus check_flight(const RbRenderOptions *o, RbDiag *diag) {
    for (int i = 0; i < o->flight_count; i++) {
        const RbCameraKey *k = &o->flight[i];
        bool finite = isfinite(k->time);
        for (int c = 0; c < 3; c++)
            finite = finite && isfinite(k->camera[c]) && isfinite(k->look_at[c]);
        if (!finite)
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "key frame %d of the camera has a number that is not finite", i + 1);
        if (i > 0 && !(k->time > k[-1].time))
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "key frame %d of the camera is at %g s, after one at %g s; times must "
                           "increase",
                           i + 1, k->time, k[-1].time);
    }
    return RB_OK;
}

static RbStatus check(const RbRenderOptions *o, RbDiag *diag) {
    static const char *const views[] = {"iso", "front", "back", "left", "right", "top", "bottom"};
    bool known = false;
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        known |= strcmp(o->view, views[i]) == 0;
    if (!known)
        return rb_fail(
            diag, RB_ERROR_USAGE, RB_NOWHERE,
            "there is no view '%s'; views are iso, front, back, left, right, top, bottom", o->view);
    RB_TRY(check_place("camera", o->camera, diag));
    RB_TRY(check_place("look-at", o->look_at, diag));
    RB_TRY(check_flight(o, diag));
    if (o->cut_axis < 0 || o->cut_axis > 3 || isinf(o->cut_at))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the cut is across axis %d at %g m; the axis must be 1, 2 or 3, the place "
                       "finite",
                       o->cut_axis, o->cut_at);
    if (o->samples < 1 || o->samples > 4)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there are %d samples; it must be from 1 to 4", o->samples);
    if (!(o->strain >= 0 && o->strain <= 1e6))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the strain of full colour is %g; it must be positive (0: none is shown)",
                       o->strain);
    RB_TRY(check_kinds(o->show, diag));
    if (o->width < 16 || o->height < 16 || o->width > 8192 || o->height > 8192 || o->width % 2 ||
        o->height % 2)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the size is %d x %d; both must be even and between 16 and 8192", o->width,
                       o->height);
    if (!(o->speed > 0) || o->frames_per_second < 1 || o->frames_per_second > 240)
        return rb_fail(
            diag, RB_ERROR_USAGE, RB_NOWHERE,
            "the speed is %g and there are %d frames per second; speed must be positive, "
            "frames from 1 to 240",
            o->speed, o->frames_per_second);
    return RB_OK;
}

static RbStatus ends_of(const RbResult *r, RbDiag *diag, double *first, double *last) {
    RbResultCursor cursor = rb_result_cursor(r);
    RbResultRun run;
    *first = INFINITY, *last = -INFINITY;
    for (;;) {
        RB_TRY(rb_result_next(&cursor, diag, &run));
        if (run.count == 0) return RB_OK;
        *first = fmin(*first, run.rows[0]);
        *last = run.rows[(run.count - 1) * (size_t)run.width];
    }
}

static RbStatus load_page(const RbResult *result, const char *page, RbBrowser *b, RbArena *arena,
                          RbArena scratch, RbDiag *diag) {
    RbPageOptions options = rb_page_options();
    options.variables = "none of them"; // pictures need no curves
    options.most_picture_bytes = SIZE_MAX;
    RB_TRY(rb_page_write(page, result, &options, arena, scratch, diag));
    const char *url = rb_arena_printf(arena, "file://%s", page);
    RB_TRY(rb_browser_load(b, url, "document.documentElement.dataset.ready", diag));
    const char *state;
    RB_TRY(rb_browser_ask(b, "document.documentElement.dataset.ready", arena, diag, &state));
    if (strcmp(state, "yes") == 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE, "chromium cannot show the page (WebGL 2)");
}

RbStatus rb_render_write(const char *path, const RbResult *result, const RbRenderOptions *o,
                         RbArena *arena, RbArena scratch, RbDiag *diag) {
    RB_TRY(check(o, diag));
    if (!rb_result_is_drawn(result))
        return rb_fail(
            diag, RB_ERROR_USAGE, rb_place(diag, result->file),
            "the result has no three-dimensional data: only a journal (.rbj) of a model with "
            "bodies has");
    double first, last;
    RB_TRY(ends_of(result, diag, &first, &last));
    if (o->time < first || o->time > last)
        return rb_fail(diag, RB_ERROR_USAGE, rb_place(diag, result->file),
                       "the time %g s is outside of the result, which goes from %g s to %g s",
                       o->time, first, last);
    RbBrowser *browser;
    RB_TRY(rb_browser_open(arena, diag, &browser));
    char page[] = "/tmp/rattleback-page-XXXXXX.html";
    int file = mkstemps(page, 5);
    if (file < 0)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot write to /tmp: %s", strerror(errno));
    close(file);
    RbStatus status = load_page(result, page, browser, arena, scratch, diag);
    if (status == RB_OK && is_film(path)) {
        double start = isfinite(o->start) ? o->start : first,
               stop = isfinite(o->stop) ? o->stop : last;
        status = make_film(path, browser, o, start, stop, arena, diag);
    } else if (status == RB_OK) {
        RbBlob png;
        double time = isfinite(o->time) ? o->time : last;
        status = take_picture(browser, o, time, false, arena, diag, &png);
        if (status == RB_OK) status = rb_blob_write(path, png, arena, diag);
    }
    remove(page);
    rb_browser_close(browser);
    return status;
}
