// SPDX-License-Identifier: MIT
// view.h: make something to look at from the result of a run (docs/guide/seeing.md): a page in three dimensions, a report,
// pictures and films, files for other programs.
//
//     rb_view(context, "billiards.rbj", "billiards.html", NULL);
//     rb_export(context, "billiards.rbj", "billiards.glb", 0);
#pragma once

#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// A part of the time with a name of its own, that the page can play by itself.
typedef struct RbChapter {
    const char *title;
    double start, stop; // [s]
} RbChapter;

typedef struct RbViewOptions {
    const char *title;        // NULL: the name of the model
    const char *variables;    // regular expression: which the page has; NULL: as many as fit
    const char *const *plots; // names of variables whose curves are shown at once
    int plot_count;
    double picture_size; // [MB] of points, lines and contacts; 0: 32. Beyond, not every row has them
    const char *model_file; // a report shows its text; NULL: none
    const RbSummary *run;   // a report tells how fast this run was, and what the context has warned of; NULL: a result does not know
    const RbChapter *chapters; // the page begins with the first; NULL: none
    int chapter_count;
} RbViewOptions;

// One HTML file that needs nothing else. options may be NULL. RB_ERROR_USAGE if the library was built without the page.
RB_API RbStatus rb_view(RbContext *context, const char *result_file, const char *html_file,
                        const RbViewOptions *options);
RB_API RbStatus rb_report(RbContext *context, const char *result_file, const char *html_file,
                          const RbViewOptions *options);

typedef struct RbCameraKey {
    double time;                  // [s]
    double camera[3], look_at[3]; // [m]
} RbCameraKey;

typedef struct RbRenderOptions {
    double time;        // [s] of a picture; NaN: the last one
    double start, stop; // [s] of a film; NaN: of the result
    double speed;       // seconds of the run per second of the film
    int frames_per_second;
    int width, height; // [px]
    const char *view;  // iso, front, back, left, right, top or bottom
    double camera[3];  // [m] where the camera stands; NaN: as the view says
    double look_at[3]; // [m] the point in the middle of the picture; NaN: as the view says
    const char *follow; // name of an object that the camera goes with; NULL: none
    int samples; // 1 to 4: each pixel is the mean of so many squared; more than 1: every picture of a film has all lights
    bool dark;
    // Of soft bodies: the strain that has full colour; 0: as the run said, most often the colours of the materials. And what is
    // seen of them: "molecules", "surfaces", "connections", or several with commas; NULL: what touches.
    double strain;
    const char *show;
    const RbCameraKey *flight; // the camera goes smoothly from one to the next, in order of time; NULL: it stands
    int flight_count;
    int cut_axis;  // 1, 2, 3: what is nearer to the camera than a plane across x, y, z is cut away; 0: nothing is
    double cut_at; // [m] where on the axis; NaN: in the middle
    const char *label;       // names of objects, with commas: each has a rim and its name; NULL: none
    const char *see_through; // names of objects, with commas; NULL: none
} RbRenderOptions;

RB_API RbRenderOptions
rb_render_options_default(void); // 1280 x 720, 30 frames/s, iso, light, speed 1

// A picture (.png) or a film (.mp4, or .webp, which a page shows as a picture), by a chromium without a window and ffmpeg.
RB_API RbStatus rb_render(RbContext *context, const char *result_file, const char *file,
                          const RbRenderOptions *options);

// What is seen as .glb or .json (three.js), with its motion, or as .obj, .ply or .stl at one time [s] (NaN: the last);
// or the particles that a journal has kept as .pvd, with a VTK file for each row beside it, or for one time.
RB_API RbStatus rb_export(RbContext *context, const char *result_file, const char *file,
                          double time);

// Does the ending of the name say a format of rb_export; of rb_render?
RB_API bool rb_can_export(const char *file);
RB_API bool rb_can_render(const char *file);

#ifdef __cplusplus
}
#endif
