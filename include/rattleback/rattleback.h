// SPDX-License-Identifier: MIT
// rattleback.h: the whole public interface.
#pragma once

#include "rattleback/base.h"
#include "rattleback/collide.h"
#include "rattleback/compare.h"
#include "rattleback/component.h"
#include "rattleback/contact.h"
#include "rattleback/context.h"
#include "rattleback/live.h"
#include "rattleback/model.h"
#include "rattleback/modelica.h"
#include "rattleback/outline.h"
#include "rattleback/particles.h"
#include "rattleback/plot.h"
#include "rattleback/result.h"
#include "rattleback/run.h"
#include "rattleback/scene.h"
#include "rattleback/sim.h"
#include "rattleback/soft.h"
#include "rattleback/solid.h"
#include "rattleback/view.h"
