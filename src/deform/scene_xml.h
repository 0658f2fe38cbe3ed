// SPDX-License-Identifier: MIT
// scene_xml.h: scenes of soft bodies from XML files as in appendix D of the thesis that they come from (docs/guide/soft.md). Read with
// expat; no DTD and no external entity is ever loaded, entities are not expanded.
#pragma once

#include "base/file.h"
#include "deform/soft_scene.h"

enum { RB_SCENE_XML_LIMIT = 64 << 20 }; // [bytes] of a file

// `file` is for messages. The scene lives in the arena; the text must live as long as it does.
RbStatus rb_scene_xml_read(const char *file, RbBytes text, RbArena *arena, RbDiag *diag,
                           RbSoftScene **out);

// The same scene as a file that the reader reads back.
const char *rb_scene_xml_write(const RbSoftScene *scene, RbArena *arena);
