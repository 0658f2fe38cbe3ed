// SPDX-License-Identifier: MIT
#include "robot/tags.h"

#include <string.h>

static const char *const verdicts[] = {"ignored", "mapped", "approximated"}; // ORDER RbXmlVerdict

typedef struct Report {
    RbText text;
    int counts[3];
} Report;

static void add_place(Report *r, const RbXml *e) {
    const char *slash = strrchr(e->at.file, '/');
    rb_text_printf(&r->text, "%s:%d: <%s", slash ? slash + 1 : e->at.file, e->at.line, e->name);
}

static void add_attributes(Report *r, const RbXml *e) {
    for (const RbXmlAttribute *a = e->attributes; a; a = a->next) {
        if (a->used || strncmp(a->name, "xmlns", 5) == 0) continue;
        add_place(r, e);
        rb_text_printf(&r->text, " %s=\"%.40s\">: ignored\n", a->name, a->value);
        r->counts[RB_IGNORED]++;
    }
}

static void add_element(Report *r, const RbXml *e) {
    const char *name = NULL;
    for (const RbXmlAttribute *a = e->attributes; a; a = a->next)
        if (strcmp(a->name, "name") == 0) name = a->value;
    add_place(r, e);
    if (name) rb_text_printf(&r->text, " name=\"%.60s\"", name);
    rb_text_printf(&r->text, ">: %s", verdicts[e->verdict]);
    if (e->how) rb_text_printf(&r->text, " (%s)", e->how);
    rb_text_add(&r->text, "\n");
    r->counts[e->verdict]++;
}

// What stands in an element that is ignored is, too.
static void walk(Report *r, const RbXml *e) {
    add_element(r, e);
    if (e->verdict != RB_IGNORED) add_attributes(r, e);
    for (const RbXml *child = e->first; child; child = child->next) walk(r, child);
}

const char *rb_robot_report(const RbRobot *robot, RbArena *arena) {
    Report r = {.text = rb_text(arena)};
    for (int i = 0; i < robot->roots.count; i++) walk(&r, robot->roots.data[i]);
    rb_text_printf(&r.text, "%d mapped, %d approximated, %d ignored\n", r.counts[RB_MAPPED],
                   r.counts[RB_APPROXIMATED], r.counts[RB_IGNORED]);
    return r.text.data;
}
