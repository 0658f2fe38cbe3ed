// SPDX-License-Identifier: MIT
// Scenes of soft bodies in XML, up to their springs.
#include "fuzz.h"

#include "deform/network.h"
#include "deform/scene_xml.h"

static RbStatus body(Fuzz *f) {
    RbSoftScene *scene;
    RbNetwork network;
    RB_TRY(rb_scene_xml_read("fuzz.xml", (RbBytes){f->data, f->size}, &f->arena, &f->diag, &scene));
    RB_TRY(rb_network_build(scene, &f->arena, f->scratch, &f->diag, &network));
    rb_scene_xml_write(scene, &f->arena);
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 200, body);
    return 0;
}
