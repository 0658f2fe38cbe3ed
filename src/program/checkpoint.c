// SPDX-License-Identifier: MIT
#include "program/checkpoint.h"

#include "program/delay.h"
#include "program/interpret.h"
#include "program/layout.h"
#include "program/program_instance.h"
#include "program/systems.h"

typedef struct Part {
    double *values;
    int count;
} Part;

// Parameters, states, inputs, discrete variables and their left limits; algebraic variables and
// derivatives, which Newton's method starts from; samples; how far indicators are shifted; what was
// set from outside.
enum { PARTS = 14 };

static void list_parts(const RbProgramInstance *in, Part *parts) {
    const RbProgram *p = in->program;
    parts[0] = (Part){in->area[RB_AREA_P], in->counts[RB_AREA_P]};
    parts[1] = (Part){in->area[RB_AREA_X], in->counts[RB_AREA_X]};
    parts[2] = (Part){in->area[RB_AREA_U], in->counts[RB_AREA_U]};
    parts[3] = (Part){in->area[RB_AREA_D], p->discrete_count};
    parts[4] = (Part){in->area[RB_AREA_Q], p->discrete_count};
    parts[5] = (Part){in->area[RB_AREA_W], in->counts[RB_AREA_W]};
    parts[6] = (Part){in->next_sample, p->sample_count};
    parts[7] = (Part){in->sample_start, p->sample_count};
    parts[8] = (Part){in->sample_interval, p->sample_count};
    parts[9] = (Part){in->area[RB_AREA_DX], in->counts[RB_AREA_X]};
    parts[10] = (Part){in->slack, p->dae->relations.count};
    parts[11] = (Part){in->override_values, p->parameter_count};
    parts[12] = (Part){in->sample_first, p->sample_count};
    parts[13] = (Part){in->sample_resolution, p->sample_count};
}

void rb_program_save(const RbProgramInstance *in, RbPacker *packer) {
    Part parts[PARTS];
    list_parts(in, parts);
    for (int i = 0; i < PARTS; i++) {
        rb_pack_u64(packer, (uint64_t)parts[i].count);
        rb_pack_doubles(packer, parts[i].values, parts[i].count);
    }
    for (int i = 0; i < in->program->sample_count; i++)
        rb_pack_u64(packer, (uint64_t)in->sample_number[i]);
    for (int i = 0; i < in->program->lowered->systems.count; i++) {
        const RbSystemWork *s = &in->systems[i];
        rb_pack_doubles(packer, s->y, s->size);
        for (int k = 0; k < 2; k++) {
            rb_pack_doubles(packer, s->anchor[k], s->anchor_size);
            rb_pack_doubles(packer, s->anchor_slopes[k], s->anchor_size * s->anchor_size);
        }
    }
    rb_pack_bytes(packer, in->overridden, (size_t)in->program->parameter_count);
    rb_pack_doubles(packer, in->anchor_time, 2);
    rb_pack_u64(packer, in->anchored);
    rb_delay_save(in, packer);
}

bool rb_program_restore(RbProgramInstance *in, RbUnpacker *unpacker) {
    Part parts[PARTS];
    list_parts(in, parts);
    in->terminate = false;
    for (int i = 0; i < PARTS; i++) {
        if (rb_unpack_u64(unpacker) != (uint64_t)parts[i].count) return false;
        rb_unpack_doubles(unpacker, parts[i].values, parts[i].count);
    }
    for (int i = 0; i < in->program->sample_count; i++)
        in->sample_number[i] = (long)rb_unpack_u64(unpacker);
    for (int i = 0; i < in->program->lowered->systems.count; i++) {
        RbSystemWork *s = &in->systems[i];
        rb_unpack_doubles(unpacker, s->y, s->size);
        for (int k = 0; k < 2; k++) {
            rb_unpack_doubles(unpacker, s->anchor[k], s->anchor_size);
            rb_unpack_doubles(unpacker, s->anchor_slopes[k], s->anchor_size * s->anchor_size);
        }
    }
    rb_unpack_bytes(unpacker, in->overridden, (size_t)in->program->parameter_count);
    rb_unpack_doubles(unpacker, in->anchor_time, 2);
    in->anchored = rb_unpack_u64(unpacker) != 0;
    return rb_delay_restore(in, unpacker);
}

void rb_program_follow(const RbProgramInstance *from, RbProgramInstance *to) {
    RbArena scratch = *to->call_arena;
    RbDiag silent = rb_diag(&scratch); // sizes that do not fit were reported by the first one
    RbPacker packer = rb_packer(&scratch);
    to->array_values = from->array_values;
    to->element_values.data = from->element_values.data;
    to->element_values.count = from->element_values.count;
    to->texts.data = from->texts.data;
    to->texts.count = from->texts.count;
    rb_program_save(from, &packer);
    rb_program_layout(to, &silent);
    RbUnpacker unpacker = rb_unpacker(packer.bytes.data, (size_t)packer.bytes.count);
    rb_program_restore(to, &unpacker);
    to->frame.t = from->frame.t;
    to->event_number = from->event_number;
    to->failed_system = -1;
    rb_program_parameters_changed(to);
    rb_forget_sites(to);
}
