// SPDX-License-Identifier: MIT
// cloud_vtk.h: a cloud as files of VTK, for ParaView and others.
//
// Each frame is two files of points and lines (XML, binary): grains_000012.vtp has the centres with radius, velocity, spin, id
// and material; contacts_000012.vtp has a line for each contact, between the centres (or from the centre to the
// wall), with the force on its first end. grains.pvd and contacts.pvd list all frames with their times: these are the files to open.
#pragma once

#include "base/diag.h"
#include "dem/cloud.h"

// Write a frame into a folder, which is made if need be, and list it. Frames that are listed with this number or a later one
// are from another run, and go.
RbStatus rb_cloud_write_vtk(RbCloud *cloud, const char *folder, int number, RbArena scratch,
                            RbDiag *diag);
