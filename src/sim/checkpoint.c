// SPDX-License-Identifier: MIT
// A checkpoint is everything a run needs to go on from a restart of the solver: time, values, what
// the components remember, and the place in the journal. The solver has no history there, so a
// resumed run computes the same bits as one left alone.
//
// The file: magic, build id, fingerprint of the run, payload, CRC-32 of all before. Little endian.
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/build_id.h"
#include "base/hash.h"
#include "base/pack.h"
#include "component/saver.h"
#include "sim/sim.h"

static const char MAGIC[8] = "RBCKPT1\n";

static const char PLUGIN[] = "plugin with component ";

static void add_number(RbText *t, const char *owner, const char *name, double value) {
    rb_text_printf(t, "%s%s%s = ", owner, owner[0] ? "." : "", name);
    rb_text_add_double(t, value);
    rb_text_add(t, "\n");
}

static void add_component(RbText *t, const RbInstance *c) {
    rb_text_printf(t, "component %s = %s\n", c->name, c->type->name);
    if (c->library_hash != 0)
        rb_text_printf(t, "%s%s = %016" PRIx64 "\n", PLUGIN, c->type->name, c->library_hash);
    for (int i = 0; i < c->declared.parameters.count; i++) {
        const RbParameter *p = &c->declared.parameters.data[i];
        add_number(t, c->name, p->spec.name, p->value);
    }
    for (int i = 0; i < c->declared.variables.count; i++) {
        const RbVariable *v = &c->declared.variables.data[i];
        if (v->spec.kind == RB_VARIABLE_INPUT) add_number(t, c->name, v->spec.name, v->value);
    }
    for (int i = 0; i < c->settings.count; i++)
        add_number(t, c->name, c->settings.data[i].name, c->settings.data[i].value);
}

const char *rb_checkpoint_fingerprint(const RbSim *sim, RbArena *arena) {
    const RbSimOptions *o = &sim->options;
    RbText t = rb_text(arena);
    rb_text_printf(&t, "model = %s\nequations = %016" PRIx64 "\n", sim->model->name,
                   sim->model->equations_hash);
    rb_text_printf(&t, "solver = %s\nvariable filter = %s\nrecording = %s\n", o->solver,
                   o->variable_filter ? o->variable_filter : "", o->journal_file ? "yes" : "no");
    add_number(&t, "", "start time", o->start_time);
    add_number(&t, "", "stop time", o->stop_time);
    add_number(&t, "", "tolerance", o->tolerance);
    add_number(&t, "", "output interval", o->output_interval);
    add_number(&t, "", "maximum step", o->max_step);
    add_number(&t, "", "initial step", o->initial_step);
    add_number(&t, "", "checkpoint interval", o->checkpoint_interval);
    add_number(&t, "", "maximum event iterations", o->max_event_iterations);
    rb_text_printf(&t, "particle results = %s\n", o->particle_results ? o->particle_results : "");
    add_number(&t, "", "particle interval", o->particle_interval);
    for (int i = 0; i < sim->model->instances.count; i++)
        add_component(&t, &sim->model->instances.data[i]);
    return t.data;
}

// That of the beginning: what was set later is part of the state.
static const char *fingerprint(const RbSim *sim, RbArena *arena) {
    return sim->fingerprint ? sim->fingerprint : rb_checkpoint_fingerprint(sim, arena);
}

// ----------------------------------------------------------------------------------------------------
// writing

static void put_run(const RbSim *sim, const RbRunningSegment *stage, uint64_t journal_offset,
                    RbPacker *out) {
    const RbSummary *s = &sim->summary;
    RbSolverStats now = rb_stage_stats(stage);
    rb_pack_double(out, sim->time);
    rb_pack_double(out, stage->start);
    rb_pack_double(out, sim->next_checkpoint);
    rb_pack_double(out, sim->chatter_start);
    rb_pack_u64(out, (uint64_t)sim->chatter_count);
    rb_pack_u64(out, journal_offset);
    rb_pack_u64(out, (uint64_t)sim->recorder.next_output);
    rb_pack_u64(out, (uint64_t)sim->recorder.rows);
    rb_pack_u64(out, (uint64_t)s->segments);
    rb_pack_u64(out, (uint64_t)s->state_events);
    rb_pack_u64(out, (uint64_t)s->time_events);
    rb_pack_u64(out, (uint64_t)s->restarts);
    rb_pack_u64(out, (uint64_t)(sim->finished.steps + now.steps));
    rb_pack_u64(out, (uint64_t)(sim->finished.jacobians + now.jacobians));
    rb_pack_u64(out, (uint64_t)(sim->finished.error_test_failures + now.error_test_failures));
    rb_pack_u64(out, (uint64_t)(sim->finished.nonlinear_failures + now.nonlinear_failures));
    rb_pack_u64(out, (uint64_t)(sim->evaluations + stage->evaluator->evaluations));
    rb_pack_u64(out, sim->terminated);
    rb_pack_double(out, sim->options.tolerance); // it may have been set while it ran
}

static void put_components(const RbRunningSegment *stage, RbPacker *out, RbArena *arena) {
    const RbSystem *s = stage->system;
    for (int i = 0; i < s->part_count; i++) {
        const RbInstance *c = s->parts[i].instance;
        RbPacker own = rb_packer(arena);
        rb_instance_save_settings(c, out);
        if (c->type->save) c->type->save(c->self, &(RbSaver){&own});
        rb_pack_u64(out, (uint64_t)own.bytes.count);
        rb_pack_bytes(out, own.bytes.data, (size_t)own.bytes.count);
    }
    rb_pack_u64(out, (uint64_t)s->x_count);
    rb_pack_u64(out, (uint64_t)s->q_count);
    rb_pack_u64(out, (uint64_t)s->d_count);
    rb_pack_doubles(out, stage->now.x, s->x_count);
    rb_pack_doubles(out, stage->now.q, s->q_count);
    rb_pack_doubles(out, stage->now.d, s->d_count);
    rb_pack_doubles(out, stage->now.next_time, s->part_count);
}

RbStatus rb_checkpoint_pack(RbSim *sim, RbPacker *out) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    RbArena own = sim->trial;
    uint64_t journal_offset = 0;
    if (sim->recorder.journal)
        RB_TRY(rb_journal_sync(sim->recorder.journal, sim->diag, &journal_offset));
    rb_pack_bytes(out, MAGIC, sizeof MAGIC);
    rb_pack_text(out, rb_build_id);
    rb_pack_text(out, fingerprint(sim, &own));
    put_run(sim, stage, journal_offset, out);
    put_components(stage, out, &own);
    rb_pack_u64(out, rb_crc32(0, out->bytes.data, (size_t)out->bytes.count));
    return RB_OK;
}

RbStatus rb_checkpoint_write(RbSim *sim) {
    RbArena arena = sim->scratch;
    RbPacker out = rb_packer(&arena);
    RB_TRY(rb_checkpoint_pack(sim, &out));
    RB_TRY(rb_file_write(sim->options.checkpoint_file, out.bytes.data, (size_t)out.bytes.count,
                         sim->diag));
    sim->summary.checkpoints++;
    rb_log(sim->log, RB_LOG_STATS, "t = %.12g s: checkpoint written to %s", sim->time,
           sim->options.checkpoint_file);
    return RB_OK;
}

// ----------------------------------------------------------------------------------------------------
// reading

static RbStatus check_frame(const RbBytes *bytes, RbPos at, RbDiag *diag) {
    size_t tail = sizeof(uint64_t);
    if (bytes->size < sizeof MAGIC + tail || memcmp(bytes->data, MAGIC, sizeof MAGIC) != 0) {
        return rb_fail(diag, RB_ERROR_IO, at, "this is not a checkpoint of Rattleback");
    }
    RbUnpacker end = rb_unpacker(bytes->data + bytes->size - tail, tail);
    if (rb_unpack_u64(&end) != rb_crc32(0, bytes->data, bytes->size - tail)) {
        return rb_fail(diag, RB_ERROR_IO, at,
                       "the checkpoint is damaged or incomplete: its checksum is wrong");
    }
    return RB_OK;
}

// The first line in which two fingerprints differ.
static RbStatus check_fingerprint(const char *written, const char *ours, RbPos at, RbDiag *diag) {
    for (;;) {
        size_t was = strcspn(written, "\n"), is = strcspn(ours, "\n");
        if (was == 0 && is == 0) return RB_OK;
        bool same = was == is && memcmp(written, ours, was) == 0;
        size_t prefix = sizeof PLUGIN - 1;
        if (!same && strncmp(written, PLUGIN, prefix) == 0 && strncmp(ours, PLUGIN, prefix) == 0) {
            return rb_fail(
                diag, RB_ERROR_USAGE, at,
                "the plugin with component '%.*s' is not the one that the checkpoint was "
                "written with: its file has changed since then; resume with the old one, "
                "or start the run anew",
                (int)strcspn(ours + prefix, " "), ours + prefix);
        }
        if (!same && strncmp(ours, "equations = ", strlen("equations = ")) == 0) {
            return rb_fail(
                diag, RB_ERROR_USAGE, at,
                "the checkpoint does not fit this run: the equations, functions or input "
                "signals of the model have changed since it was written");
        }
        if (!same) {
            return rb_fail(diag, RB_ERROR_USAGE, at,
                           "the checkpoint does not fit this run: it was written with '%.*s', this "
                           "run has '%.*s'",
                           was ? (int)was : INT_MAX, was ? written : "default values",
                           is ? (int)is : INT_MAX, is ? ours : "default values");
        }
        written += was + (written[was] == '\n');
        ours += is + (ours[is] == '\n');
    }
}

// A counter; one that no run can reach makes the checkpoint unreadable.
static long take_count(RbUnpacker *in) {
    const uint64_t most = UINT64_C(1) << 53;
    uint64_t count = rb_unpack_u64(in);
    if (count > most) in->ok = false;
    return in->ok ? (long)count : 0;
}

static uint64_t take_run(RbSim *sim, RbUnpacker *in, double *segment_start) {
    RbSummary *s = &sim->summary;
    sim->time = rb_unpack_double(in);
    *segment_start = rb_unpack_double(in);
    sim->next_checkpoint = rb_unpack_double(in);
    sim->chatter_start = rb_unpack_double(in);
    sim->chatter_count = (int)(take_count(in) % INT_MAX);
    uint64_t journal_offset = rb_unpack_u64(in);
    sim->recorder.next_output = take_count(in);
    sim->recorder.rows = take_count(in);
    s->segments = (int)(take_count(in) % INT_MAX) - 1; // building the stage counts it again
    s->state_events = take_count(in);
    s->time_events = take_count(in);
    s->restarts = take_count(in);
    sim->finished.steps = take_count(in);
    sim->finished.jacobians = take_count(in);
    sim->finished.error_test_failures = take_count(in);
    sim->finished.nonlinear_failures = take_count(in);
    sim->evaluations = take_count(in);
    sim->terminated = take_count(in) != 0;
    sim->options.tolerance = rb_unpack_double(in);
    return journal_offset;
}

static RbStatus take_components(RbSim *sim, RbUnpacker *in, RbPos at) {
    for (int i = 0; i < sim->model->instances.count; i++) {
        RbInstance *c = &sim->model->instances.data[i];
        rb_instance_load_settings(c, in);
        uint64_t size = rb_unpack_u64(in);
        bool good = in->ok && size <= in->size - in->at;
        RbLoader loader = {rb_unpacker(in->data + in->at, good ? (size_t)size : 0), sim->diag, at};
        int errors = sim->diag->error_count;
        if (good) in->at += (size_t)size;
        if (good && c->type->restore) good = c->type->restore(c->self, &loader);
        if (!good && sim->diag->error_count > errors) return RB_ERROR_USAGE; // it has said why
        if (!good) {
            return rb_fail(sim->diag, RB_ERROR_IO, at, "the checkpoint does not fit component '%s'",
                           rb_instance_title(c));
        }
    }
    return RB_OK;
}

static RbStatus check_whole_numbers(RbSim *sim, RbPos at) {
    const RbRunningSegment *stage = rb_sim_stage(sim);
    for (int i = 0; i < stage->system->part_count; i++) {
        const RbSystemPart *p = &stage->system->parts[i];
        int broken = rb_segment_find_broken(p->segment, stage->now.d + p->d);
        if (broken >= 0)
            return rb_fail(sim->diag, RB_ERROR_IO, at,
                           "the checkpoint is damaged: '%s' of component '%s' is %g",
                           p->segment->discretes.data[broken].name, rb_instance_title(p->instance),
                           stage->now.d[p->d + broken]);
    }
    return RB_OK;
}

static RbStatus take_values(RbSim *sim, RbUnpacker *in, RbPos at) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    const RbSystem *s = stage->system;
    bool fits = rb_unpack_u64(in) == (uint64_t)s->x_count;
    fits = rb_unpack_u64(in) == (uint64_t)s->q_count && fits;
    fits = rb_unpack_u64(in) == (uint64_t)s->d_count && fits;
    if (!fits) {
        return rb_fail(sim->diag, RB_ERROR_IO, at,
                       "the checkpoint has another number of states than the model (%d)",
                       s->x_count);
    }
    rb_unpack_doubles(in, stage->now.x, s->x_count);
    rb_unpack_doubles(in, stage->now.q, s->q_count);
    rb_unpack_doubles(in, stage->now.d, s->d_count);
    rb_unpack_doubles(in, stage->now.next_time, s->part_count);
    if (!in->ok)
        return rb_fail(sim->diag, RB_ERROR_IO, at, "the checkpoint is shorter than it should be");
    return check_whole_numbers(sim, at);
}

static RbStatus resume_journal(RbSim *sim, uint64_t offset) {
    RbRunningSegment *stage = rb_sim_stage(sim);
    if (!sim->options.journal_file) return RB_OK;
    RbJournal *journal;
    rb_arena_free(&sim->journal_arena); // closes what is open
    sim->recorder.journal = NULL;
    sim->journal_arena = rb_arena(sim->heap);
    RB_TRY(rb_journal_resume(sim->options.journal_file, offset, rb_journal_options(),
                             &sim->journal_arena, sim->scratch, sim->diag, &journal));
    sim->recorder.journal = journal;
    return rb_recorder_begin_segment(&sim->recorder, stage->system, &stage->arena, sim->scratch,
                                     sim->diag, true);
}

// Was it written by this program, for this run?
static RbStatus check_origin(RbSim *sim, RbUnpacker *in, RbPos at) {
    RbArena scratch = sim->scratch;
    const char *build = rb_unpack_text(in, &scratch);
    if (strcmp(build, rb_build_id) != 0) {
        return rb_fail(sim->diag, RB_ERROR_USAGE, at,
                       "the checkpoint was written by another build (%s; this is %s), which may "
                       "compute other bits",
                       build, rb_build_id);
    }
    const char *written = rb_unpack_text(in, &scratch);
    return check_fingerprint(written, fingerprint(sim, &scratch), at, sim->diag);
}

RbStatus rb_checkpoint_resume(RbSim *sim) {
    RbBytes bytes;
    RB_TRY(rb_file_read(sim->options.resume_file, 0, &sim->keep, sim->diag, &bytes));
    return rb_checkpoint_resume_bytes(sim, &bytes, &(bool){false});
}

RbStatus rb_checkpoint_resume_bytes(RbSim *sim, const RbBytes *bytes, bool *begun) {
    RbPos at = rb_in_file(sim->options.resume_file);
    *begun = false;
    RB_TRY(check_frame(bytes, at, sim->diag));
    RbUnpacker in =
        rb_unpacker(bytes->data + sizeof MAGIC, bytes->size - sizeof MAGIC - sizeof(uint64_t));
    RB_TRY(check_origin(sim, &in, at));
    double segment_start;
    *begun = true;
    uint64_t journal_offset = take_run(sim, &in, &segment_start);
    if (!in.ok) {
        return rb_fail(sim->diag, RB_ERROR_IO, at, "the checkpoint holds impossible numbers");
    }
    rb_stage_end(sim);
    sim->change = RB_NO_RESTART;
    sim->repetition = (RbRepetition){0};
    RB_TRY(take_components(sim, &in, at));
    RB_TRY(rb_stage_build(sim, segment_start, true));
    RB_TRY(take_values(sim, &in, at));
    RB_TRY(resume_journal(sim, journal_offset));
    return rb_stage_start_solver(sim);
}
