/* SPDX-License-Identifier: MIT */
/* What the external functions of the Modelica package RattlebackContact call. Errors go to the tool from here, so that no
   function of the library is left by a jump. */
#ifndef RATTLEBACK_CONTACT_MODELICA_H
#define RATTLEBACK_CONTACT_MODELICA_H

#include <stddef.h>
#include <stdio.h>

#include "ModelicaUtilities.h"
#include "rattleback_contact.h"

static void rattleback_modelica_check(const char *error) {
    if (error) ModelicaFormatError("%s", error);
}

static void *rattleback_modelica_open(int bodies, const double *laws, size_t count) {
    RattlebackContact *contact = rattleback_contact_open(bodies);
    char message[400];
    size_t i;
    if (!contact) ModelicaError("RattlebackContact: no memory for the collision world");
    for (i = 0; i < count; i++) {
        const char *error = rattleback_contact_law(contact, laws + i * RATTLEBACK_LAW_SIZE);
        if (!error) continue;
        snprintf(message, sizeof message, "%s", error);
        rattleback_contact_close(contact);
        ModelicaError(message);
    }
    return contact;
}

static void rattleback_modelica_close(void *contact) {
    rattleback_contact_close((RattlebackContact *)contact);
}

/* Returns 1, so that who needs all bodies can wait for the sum. */
static double rattleback_modelica_body(void *contact, int id, const char *name, int shape,
                                       const double *size, int axis, double smoothing,
                                       const char *file, double scale, const double *r_shape,
                                       const double *angles, const char *material, double mass,
                                       int fixed, int part_of) {
    RattlebackContactBody body;
    int k;
    body.id = id;
    body.name = name;
    body.shape = shape;
    body.axis = axis;
    body.smoothing = smoothing;
    body.file = file;
    body.scale = scale;
    body.material = material;
    body.mass = mass;
    body.fixed = fixed;
    body.part_of = part_of;
    for (k = 0; k < 3; k++) {
        body.size[k] = size[k];
        body.r_shape[k] = r_shape[k];
        body.angles[k] = angles[k];
    }
    rattleback_modelica_check(rattleback_contact_body((RattlebackContact *)contact, &body));
    return 1;
}

static RattlebackContactPoses rattleback_modelica_poses(const double *r, const double *T,
                                                        const double *v, const double *w) {
    RattlebackContactPoses poses;
    poses.r = r;
    poses.T = T;
    poses.v = v;
    poses.w = w;
    return poses;
}

static void rattleback_modelica_forces(void *contact, int events, const double *r, const double *T,
                                       const double *v, const double *w, double *f, double *t,
                                       double *elastic) {
    RattlebackContactPoses poses = rattleback_modelica_poses(r, T, v, w);
    rattleback_modelica_check(
        rattleback_contact_forces((RattlebackContact *)contact, events, &poses, f, t, elastic));
}

static void rattleback_modelica_indicator(void *contact, int events, const double *r,
                                          const double *T, const double *v, const double *w,
                                          double *z) {
    RattlebackContactPoses poses = rattleback_modelica_poses(r, T, v, w);
    rattleback_modelica_check(
        rattleback_contact_indicator((RattlebackContact *)contact, events, &poses, z));
}

static int rattleback_modelica_meet(void *contact, int events, const double *r, const double *T,
                                    const double *v, const double *w) {
    RattlebackContactPoses poses = rattleback_modelica_poses(r, T, v, w);
    rattleback_modelica_check(
        rattleback_contact_meet((RattlebackContact *)contact, events, &poses));
    return events + 1;
}

#endif
