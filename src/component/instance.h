// SPDX-License-Identifier: MIT
// instance.h: one component of a model: its type, its memory, and what its build declared.
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/pack.h"
#include "flatten/contribution.h"
#include "rattleback/component.h"
#include "rattleback/sim.h"

typedef struct RbParameter {
    RbParameterSpec spec;
    double value;
} RbParameter;

typedef struct RbVariable {
    RbVariableSpec spec;
    double value; // of an unconnected input
    int input;    // its number among the inputs of the model
} RbVariable;

// A String parameter of the class that a component implements.
typedef struct RbSharedText {
    const char *name, *value;
} RbSharedText;

struct RbBuild {
    RbArena *arena;
    const void *data;
    const RbGathered *gathered; // NULL: none
    RbDiag *diag;               // while it is built
    RB_ARRAY(RbParameter) parameters;
    RB_ARRAY(RbSharedText) texts;
    RB_ARRAY(RbVariable) variables;
    RB_ARRAY(const char *) equations;
    RB_ARRAY(RbFunctionSpec) functions;
};

// A parameter that only the component knows, set through RbComponentType.set.
typedef struct RbSetting {
    const char *name;
    double value;
} RbSetting;

// Values of a gathered member, by number of the value in its role.
typedef struct RbNamePair {
    const char *a, *b;
} RbNamePair;

typedef struct RbMemberValues {
    double **numbers; // NULL: the class has none
    const char **texts;
    const RbFunctionValue **functions;
} RbMemberValues;

// For who watches a run: particles that there are, the steps that all of them have made, those that rain found no room for, and
// molecules of soft bodies.
typedef struct RbParticleCount {
    long particles, steps, refused, molecules;
} RbParticleCount;

typedef struct RbInstance {
    const RbComponentType *type;
    const char *name;
    void *self;
    RbBuild declared;
    RB_ARRAY(RbSetting) settings;
    bool driven;                   // its inputs come from equations: they cannot be set
    RbMemberValues *members;       // of gathered members, before the first segment; NULL: none
    long member_changes;           // how often some of these became others
    long start_changes;            // likewise of those that say how a run starts
    const char *start_changed;     // name of one that says how a run starts and was changed last; NULL: none was
    RB_ARRAY(RbNamePair) contacts; // of parts, that are recorded
    double run_start, run_stop;    // [s] of the run that is open
    int threads;                   // that it may use
    double output_interval;        // [s] of the run
    bool by_caller;                // who integrates it
    RbParticleEngine engine;       // who computes particles
    const char *particle_files;    // folder; NULL: none
    const char *particle_results;  // what journals keep of particles; NULL: as the model says
    double particle_interval;      // [s] how often; 0: as the model says
    RbParticleCount *counted;      // where it tells how far its particles are; NULL: nobody asks
    uint64_t library_hash; // checksum of the plugin that its type comes from; 0: it is built in
} RbInstance;

// The class decides what it is when a run begins (declared.texts); the number of the text.
int rb_build_text(RbBuild *build, const char *name, const char *value);

// Allocate the memory of a component in the arena and run its build. data is what rb_build_data
// answers.
RbStatus rb_instance_create(const RbComponentType *type, const char *name, const void *data,
                            RbArena *arena, RbDiag *diag, RbInstance *out);

// The same for members that were gathered (NULL: none).
RbStatus rb_instance_gather(const RbComponentType *type, const char *name,
                            const RbGathered *gathered, RbArena *arena, RbDiag *diag,
                            RbInstance *out);

// What messages call it: its name; the equations and the bodies of a model, which have none, go by
// their type.
const char *rb_instance_title(const RbInstance *instance);

// "component.name", or "name" for a component without a name of its own.
const char *rb_instance_join(const RbInstance *instance, const char *name, RbArena *arena);

// Set a parameter that only the component knows; false: there is none of this name.
bool rb_instance_set(RbInstance *instance, const char *name, double value);

// Note what was set some other way: a checkpoint belongs to all settings.
void rb_instance_keep(RbInstance *instance, const char *name, double value);

// Set a parameter or the value of an unconnected input; an unknown name or a value out of range is
// an error.
RbStatus rb_instance_override(RbInstance *instance, const char *name, double value, RbDiag *diag);
// Is it a parameter of the component?
bool rb_instance_has(const RbInstance *instance, const char *name);

// Values of declared parameters and inputs, which may be set during a run.
void rb_instance_save_settings(const RbInstance *instance, RbPacker *packer);
void rb_instance_load_settings(RbInstance *instance, RbUnpacker *unpacker);
