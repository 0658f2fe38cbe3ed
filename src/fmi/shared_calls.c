// SPDX-License-Identifier: MIT
// The functions that FMI 2.0 and 3.0 have with the same arguments, some under other names.
#include "fmi/binary.h"

typedef enum Function {
    FREE,
    EXIT_INITIALIZATION,
    ENTER_EVENT,
    ENTER_CONTINUOUS,
    SET_TIME,
    SET_STATES,
    STATES,
    NOMINALS,
    DERIVATIVES,
    INDICATORS,
    GET_STATE,
    SET_STATE,
    FREE_STATE,
    STATE_SIZE,
    SERIALIZE,
    DESERIALIZE,
    FUNCTIONS
} Function;

typedef enum Needed { ALWAYS, WITH_EVENTS, BY_MASTERS, WITH_BYTES } Needed;

#define ROW(function, member, needed, name2, name3)                                                \
    [function] = {offsetof(RbFmiShared, member), needed, {"fmi2" name2, "fmi3" name3}}
static const struct {
    size_t at;
    Needed needed;
    const char *name[2]; // of the versions
} table[FUNCTIONS] = {
    ROW(FREE, free, ALWAYS, "FreeInstance", "FreeInstance"),
    ROW(EXIT_INITIALIZATION, exit_initialization, ALWAYS, "ExitInitializationMode",
        "ExitInitializationMode"),
    ROW(ENTER_EVENT, enter_event, WITH_EVENTS, "EnterEventMode", "EnterEventMode"),
    ROW(ENTER_CONTINUOUS, enter_continuous, BY_MASTERS, "EnterContinuousTimeMode",
        "EnterContinuousTimeMode"),
    ROW(SET_TIME, set_time, BY_MASTERS, "SetTime", "SetTime"),
    ROW(SET_STATES, set_states, BY_MASTERS, "SetContinuousStates", "SetContinuousStates"),
    ROW(STATES, states, BY_MASTERS, "GetContinuousStates", "GetContinuousStates"),
    ROW(NOMINALS, nominals, BY_MASTERS, "GetNominalsOfContinuousStates",
        "GetNominalsOfContinuousStates"),
    ROW(DERIVATIVES, derivatives, BY_MASTERS, "GetDerivatives", "GetContinuousStateDerivatives"),
    ROW(INDICATORS, indicators, BY_MASTERS, "GetEventIndicators", "GetEventIndicators"),
    ROW(GET_STATE, get_state, WITH_BYTES, "GetFMUstate", "GetFMUState"),
    ROW(SET_STATE, set_state, WITH_BYTES, "SetFMUstate", "SetFMUState"),
    ROW(FREE_STATE, free_state, WITH_BYTES, "FreeFMUstate", "FreeFMUState"),
    ROW(STATE_SIZE, state_size, WITH_BYTES, "SerializedFMUstateSize", "SerializedFMUStateSize"),
    ROW(SERIALIZE, serialize, WITH_BYTES, "SerializeFMUstate", "SerializeFMUState"),
    ROW(DESERIALIZE, deserialize, WITH_BYTES, "DeSerializeFMUstate", "DeserializeFMUState"),
};

static const char *name_of(const RbFmiInstance *i, Function function) {
    return table[function].name[i->fmi->version - 2];
}

static bool is_needed(const RbFmiInstance *i, Needed needed) {
    bool by_master = i->kind == &i->fmi->exchange;
    switch (needed) {
        case ALWAYS: return true;
        case WITH_EVENTS: return by_master || i->kind->event_mode;
        case BY_MASTERS: return by_master;
        case WITH_BYTES: return i->kind->can_serialize;
    }
    return false;
}

RbStatus rb_fmi_link_shared(RbFmiInstance *i, void *library, RbDiag *diag) {
    for (int k = 0; k < FUNCTIONS; k++) {
        RbFmiSymbol one[] = {{name_of(i, (Function)k), table[k].at}, {NULL}};
        if (is_needed(i, table[k].needed))
            RB_TRY(rb_fmi_symbols(i, library, one, &i->shared, diag));
    }
    return RB_OK;
}

#define CALL(i, name, function, ...)                                                               \
    rb_fmi_note(i, name_of(i, name), (i)->shared.function(__VA_ARGS__))

RbFmiStatus rb_fmi_start(RbFmiInstance *i) {
    return CALL(i, EXIT_INITIALIZATION, exit_initialization, i->c);
}

RbFmiStatus rb_fmi_enter_event_mode(RbFmiInstance *i) {
    return CALL(i, ENTER_EVENT, enter_event, i->c);
}

RbFmiStatus rb_fmi_enter_continuous_mode(RbFmiInstance *i) {
    return CALL(i, ENTER_CONTINUOUS, enter_continuous, i->c);
}

RbFmiStatus rb_fmi_set_time(RbFmiInstance *i, double time) {
    return CALL(i, SET_TIME, set_time, i->c, time);
}

RbFmiStatus rb_fmi_set_states(RbFmiInstance *i, const double *x, int count) {
    return CALL(i, SET_STATES, set_states, i->c, x, (size_t)count);
}

RbFmiStatus rb_fmi_states(RbFmiInstance *i, double *x, int count) {
    return CALL(i, STATES, states, i->c, x, (size_t)count);
}

RbFmiStatus rb_fmi_nominals(RbFmiInstance *i, double *x, int count) {
    return CALL(i, NOMINALS, nominals, i->c, x, (size_t)count);
}

RbFmiStatus rb_fmi_derivatives(RbFmiInstance *i, double *dx, int count) {
    return CALL(i, DERIVATIVES, derivatives, i->c, dx, (size_t)count);
}

RbFmiStatus rb_fmi_indicators(RbFmiInstance *i, double *z, int count) {
    return CALL(i, INDICATORS, indicators, i->c, z, (size_t)count);
}

RbFmiStatus rb_fmi_save(RbFmiInstance *i, RbArena *arena, RbBlob *bytes) {
    void *state = NULL;
    size_t size = 0;
    RbFmiStatus status = CALL(i, GET_STATE, get_state, i->c, &state);
    if (rb_fmi_failed(status)) return status;
    status = CALL(i, STATE_SIZE, state_size, i->c, state, &size);
    char *to = rb_arena_push(arena, size + 1, 1);
    if (!rb_fmi_failed(status)) status = CALL(i, SERIALIZE, serialize, i->c, state, to, size);
    *bytes = (RbBlob){(const unsigned char *)to, size};
    i->shared.free_state(i->c, &state);
    return status;
}

RbFmiStatus rb_fmi_load(RbFmiInstance *i, RbBlob bytes) {
    void *state = NULL;
    RbFmiStatus status =
        CALL(i, DESERIALIZE, deserialize, i->c, (const char *)bytes.bytes, bytes.size, &state);
    if (rb_fmi_failed(status)) return status;
    status = CALL(i, SET_STATE, set_state, i->c, state);
    i->shared.free_state(i->c, &state);
    return status;
}
