// SPDX-License-Identifier: MIT
// Models from files that are not Modelica: scenes of soft bodies in XML.
#include "base/file.h"
#include "deform/scene_xml.h"
#include "deform/soft.h"
#include "model/model.h"

RbStatus rb_model_of_soft_scene(const RbSoftScene *scene, RbArena *arena, RbDiag *diag,
                                RbModel **out) {
    const double longest = 0.01; // [s] between pictures: what the eye sees
    RbModel *m = rb_model_new(scene->name, "a scene of soft bodies", arena);
    m->tolerance = 1e-4;
    m->stop_time = scene->stop_time;
    m->output_interval = scene->output_interval < longest ? longest : scene->output_interval;
    RB_TRY(rb_model_add_with(m, &rb_soft_component, "", scene, diag, NULL));
    *out = m;
    return RB_OK;
}

RbStatus rb_model_of_text(const char *file, RbBytes text, RbArena *arena, RbDiag *diag,
                          RbModel **out) {
    RbSoftScene *scene;
    RB_TRY(rb_scene_xml_read(rb_arena_text(arena, file), text, arena, diag, &scene));
    return rb_model_of_soft_scene(scene, arena, diag, out);
}

RbStatus rb_model_of_file(const char *file, RbArena *arena, RbDiag *diag, RbModel **out) {
    RbBytes text;
    RB_TRY(rb_file_read(file, RB_SCENE_XML_LIMIT, arena, diag, &text));
    return rb_model_of_text(file, text, arena, diag, out);
}
