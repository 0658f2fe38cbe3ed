// SPDX-License-Identifier: MIT
// rattleback.h: the whole public interface.
#pragma once

#include "rattleback/base.h"
#include "rattleback/collide.h"
#include "rattleback/component.h"
#include "rattleback/contact.h"
#include "rattleback/modelica.h"
#include "rattleback/result.h"
#include "rattleback/run.h"
#include "rattleback/scene.h"
#include "rattleback/sim.h"
#include "rattleback/view.h"
#include "rattleback/solid.h"
