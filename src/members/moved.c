// SPDX-License-Identifier: MIT
// Contact for parts whose motion belongs to equations altogether, such as the bodies of
// Modelica.Mechanics.MultiBody: pose and velocity of a frame are inputs of one function, the wrench
// that contacts exert on it is its output (docs/theory/multibody.md, section 8).
//
// Forces follow from positions and velocities, so that they make no loop with the accelerations. The
// accelerations are inputs of `motion` nevertheless, which comes last: what a contact feels of the
// mass behind the frame is how much faster a unit force makes it (multibody/moved.c).
#include "component/segment.h"
#include "members/members.h"

static void declare_vectors(const Members *m, RbBuild *build, const char *path,
                            const char *const *names, RbVariableKind kind, int *variables) {
    for (int i = 0; names[i]; i++) {
        for (int k = 0; k < 3; k++) {
            const char *full = rb_arena_printf(m->arena, "%s.%s[%d]", path, names[i], k + 1);
            variables[3 * i + k] =
                rb_build_variable(build, &(RbVariableSpec){full, kind, 0, "", ""});
        }
    }
}

void rb_members_declare_moved(Members *m, RbBuild *build) {
    static const char *const inputs[] = {"r_0", "e_x", "e_y",
                                         "v_0", "w",   NULL}; // ORDER rb_moved_load
    static const char *const accelerations[] = {"a_0", "z", NULL};
    static const char *const outputs[] = {"f", "t", NULL};
    for (int i = 0; i < m->gathered->count; i++) {
        const RbMember *member = rb_member(m, i);
        if (member->role != ROLE_COLLISION) continue;
        MovedPart p = {.member = i};
        declare_vectors(m, build, member->path, inputs, RB_VARIABLE_INPUT, p.inputs);
        declare_vectors(m, build, member->path, accelerations, RB_VARIABLE_INPUT, p.accelerations);
        declare_vectors(m, build, member->path, outputs, RB_VARIABLE_OUTPUT, p.outputs);
        rb_array_push(&m->moved, m->arena, p);
        m->has_contact = true;
    }
}

void rb_members_declare_contact(const Members *m, RbBuild *build) {
    int *inputs = rb_new_array(m->arena, int, rb_members_input_count(m) + 1);
    int *outputs =
        rb_new_array(m->arena, int,
                     MOVED_OUTPUTS * m->moved.count + CONTACT_MEASURES * m->contacts.count +
                         m->region_outputs.count + 1);
    int count = rb_members_list_motion(m, inputs), output_count = 0;
    for (int i = 0; i < m->moved.count; i++) {
        for (int k = 0; k < MOVED_OUTPUTS; k++)
            outputs[output_count++] = m->moved.data[i].outputs[k];
    }
    output_count += rb_members_contact_outputs(m, outputs + output_count);
    for (int i = 0; i < m->region_outputs.count; i++)
        outputs[output_count++] = m->region_outputs.data[i];
    rb_build_function(build, &(RbFunctionSpec){.name = "contact",
                                               .level = RB_LEVEL_VELOCITY,
                                               .input_count = count,
                                               .inputs = inputs,
                                               .output_count = output_count,
                                               .outputs = outputs,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE});
}
