// SPDX-License-Identifier: MIT
// Sensors of contact: what touches a part, and how. Forces of contact follow from positions and
// velocities, so that equations may use them for a force without a loop: they are outputs of the
// function `contact`, which comes before everything that knows accelerations.
#include "component/segment.h"
#include "members/measures.h"

// ORDER variables of the role, measure_contacts
const ContactMeasure rb_contact_measures[CONTACT_MEASURE_COUNT] = {
    {"force", "N", 3, 0},  {"point", "m", 3, 3},       {"depth", "m", 1, 6},
    {"slip", "m/s", 1, 7}, {"normalForce", "N", 1, 8}, {"power", "W", 1, 9}};

const char *rb_contact_measure_name(RbArena *arena, const RbMember *member, int n, int k) {
    const ContactMeasure *what = &rb_contact_measures[n];
    return what->size == 1 ? rb_arena_printf(arena, "%s.%s", member->path, what->name)
                           : rb_arena_printf(arena, "%s.%s[%d]", member->path, what->name, k + 1);
}

void rb_members_declare_contact_sensors(Members *m, RbBuild *build) {
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_CONTACT) continue;
        ContactSensor s = {.member = i};
        for (int k = 0; k < CONTACT_MEASURES; k++) s.outputs[k] = -1;
        for (int n = 0; n < CONTACT_MEASURE_COUNT; n++) {
            for (int k = 0; member->wanted[n] && k < rb_contact_measures[n].size; k++) {
                RbVariableSpec spec = {rb_contact_measure_name(m->arena, member, n, k),
                                       RB_VARIABLE_OUTPUT, 0, rb_contact_measures[n].unit, ""};
                s.outputs[rb_contact_measures[n].at + k] = rb_build_variable(build, &spec);
                m->has_contact = true;
            }
        }
        rb_array_push(&m->contacts, m->arena, s);
    }
}

int rb_members_contact_outputs(const Members *m, int *outputs) {
    int count = 0;
    for (int i = 0; i < m->contacts.count; i++) {
        for (int k = 0; k < CONTACT_MEASURES; k++) {
            int variable = m->contacts.data[i].outputs[k];
            if (variable >= 0) outputs[count++] = variable;
        }
    }
    return count;
}
