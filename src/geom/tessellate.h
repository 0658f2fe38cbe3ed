// SPDX-License-Identifier: MIT
// tessellate.h: closed, outward oriented triangle meshes of shapes, for the viewer, for files and
// for tests. All vertices lie on the surface of the unsmoothed shape, in its frame; volume and
// moments converge with second order in the resolution.
#pragma once

#include "geom/mesh.h"
#include "geom/shape.h"

// `resolution` is the number of segments of a full circle; at least 3. A cylinder with an inner
// diameter becomes a pipe. Shapes without a surface of their own (half-space, visual shapes) give
// an empty mesh. A hull with a radius is tessellated without it.
RbMesh rb_tessellate(const RbShape *shape, int resolution, RbArena *keep);
