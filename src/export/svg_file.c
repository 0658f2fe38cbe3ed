// SPDX-License-Identifier: MIT
#include "export/svg_file.h"

#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "export/browser.h"
#include "export/squeeze.h"

enum { SCALE = 2 }; // pixels of a PNG for each of the drawing

bool rb_svg_can_write(const char *path) {
    const char *name = strrchr(path, '/');
    return !strchr(name ? name : path, '.') || rb_text_ends_with(path, ".svg") ||
           rb_text_ends_with(path, ".png") || rb_text_ends_with(path, ".pdf");
}

// The rules for dark pages hold always: those of the system, and those of a page that has a switch.
static const char *darkened(const char *svg, RbArena *arena) {
    static const char *const rules[][2] = {{"(prefers-color-scheme:dark)", "all"},
                                           {":root[data-theme=dark] ", ""}};
    RbText out = rb_text(arena);
    while (*svg) {
        int found = -1;
        for (int k = 0; k < 2; k++)
            if (strncmp(svg, rules[k][0], strlen(rules[k][0])) == 0) found = k;
        rb_text_add_bytes(&out, found < 0 ? svg : rules[found][1],
                          found < 0 ? 1 : strlen(rules[found][1]));
        svg += found < 0 ? 1 : strlen(rules[found][0]);
    }
    return out.count > 0 ? out.data : "";
}

static RbStatus as_png(RbBrowser *browser, const char *base64, bool dark, RbArena *arena,
                       RbDiag *diag, RbBlob *out) {
    static const char program[] =
        "(async () => { const image = new Image(); image.src = 'data:image/svg+xml;base64,%s'; "
        "await image.decode(); const canvas = document.createElement('canvas'); "
        "canvas.width = image.naturalWidth * %d; canvas.height = image.naturalHeight * %d; "
        "const pen = canvas.getContext('2d'); pen.fillStyle = '%s'; "
        "pen.fillRect(0, 0, canvas.width, canvas.height); "
        "pen.drawImage(image, 0, 0, canvas.width, canvas.height); "
        "return canvas.toDataURL('image/png'); })()";
    const char *answer, *ground = dark ? "#0d1117" : "#ffffff";
    RB_TRY(rb_browser_ask(browser, rb_arena_printf(arena, program, base64, SCALE, SCALE, ground),
                          arena, diag, &answer));
    const char *comma = strchr(answer, ',');
    if (!comma) return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE, "the browser made no picture");
    *out = rb_base64_bytes(comma + 1, arena);
    return RB_OK;
}

// One page of the size of the drawing.
static RbStatus as_pdf(RbBrowser *browser, const char *base64, RbArena *arena, RbDiag *diag,
                       RbBlob *out) {
    static const char program[] =
        "(async () => { const bytes = Uint8Array.from(atob('%s'), (c) => c.charCodeAt(0)); "
        "document.body.innerHTML = new TextDecoder().decode(bytes); "
        "const drawing = document.querySelector('svg'), style = document.createElement('style'); "
        "const [w, h] = [drawing.width.baseVal.value, drawing.height.baseVal.value]; "
        "style.textContent = `@page{size:${w}px ${h}px;margin:0}body{margin:0}svg{display:block}`; "
        "document.head.append(style); return 'ready'; })()";
    const char *answer, *pdf;
    RB_TRY(rb_browser_ask(browser, rb_arena_printf(arena, program, base64), arena, diag, &answer));
    RB_TRY(rb_browser_print(browser, arena, diag, &pdf));
    *out = rb_base64_bytes(pdf, arena);
    return RB_OK;
}

RbStatus rb_svg_write(const char *path, const char *svg, bool dark, RbArena *arena, RbDiag *diag) {
    if (dark) svg = darkened(svg, arena);
    bool png = rb_text_ends_with(path, ".png");
    if (!png && !rb_text_ends_with(path, ".pdf"))
        return rb_file_write(path, svg, strlen(svg), diag);
    RbBrowser *browser;
    RbBlob bytes;
    RbText text = rb_text(arena);
    rb_text_add_base64(&text, (RbBlob){(const unsigned char *)svg, strlen(svg)});
    RB_TRY(rb_browser_open(arena, diag, &browser));
    RbStatus status = png ? as_png(browser, text.data, dark, arena, diag, &bytes)
                          : as_pdf(browser, text.data, arena, diag, &bytes);
    rb_browser_close(browser);
    RB_TRY(status);
    return rb_blob_write(path, bytes, arena, diag);
}
