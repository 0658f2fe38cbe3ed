// SPDX-License-Identifier: MIT
// Checkpoints of the rod that is refined. Build id and description of the run would refuse every
// input, so the input stands for what follows them: the program writes a checkpoint of its own
// once, and its head is put before the input.
#include "fuzz.h"

#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/pack.h"
#include "model/example.h"
#include "sim/sim.h"

enum { MAGIC_SIZE = 8, CRC_SIZE = 8 };

static unsigned char head[4096]; // magic, build id, description of the run
static size_t head_size;

static RbStatus open_sim(Fuzz *f, RbSim *sim) {
    RbModel *model;
    RB_TRY(rb_example_build("refined-rod", &f->arena, &f->diag, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 2e4;
    options.checkpoint_interval = 1.5e4;
    *sim = (RbSim){.model = model, .options = options, .heap = &f->heap, .diag = &f->diag};
    return RB_OK;
}

// Write a checkpoint and keep its head. With RB_FUZZ_WRITE=file the rest becomes an input for the
// corpus.
static RbStatus learn_head(Fuzz *f) {
    RbSim *sim = rb_new(&f->arena, RbSim);
    RbBytes bytes;
    char path[64];
    snprintf(path, sizeof path, "/tmp/rb_fuzz_checkpoint_%d", (int)getpid());
    RB_TRY(open_sim(f, sim));
    sim->options.checkpoint_file = path;
    RB_TRY(rb_sim_run(sim));
    rb_sim_free(sim);
    RB_TRY(rb_file_read(path, 0, &f->arena, &f->diag, &bytes));
    remove(path);
    RbUnpacker in = rb_unpacker(bytes.data + MAGIC_SIZE, bytes.size - MAGIC_SIZE);
    rb_unpack_text(&in, &f->arena);
    rb_unpack_text(&in, &f->arena);
    head_size = MAGIC_SIZE + in.at;
    if (!in.ok || head_size > sizeof head) abort();
    memcpy(head, bytes.data, head_size);
    const char *example = getenv("RB_FUZZ_WRITE");
    if (!example) return RB_OK;
    return rb_file_write(example, bytes.data + head_size, bytes.size - head_size - CRC_SIZE,
                         &f->diag);
}

typedef struct Resume {
    RbSim sim;
    RbBytes bytes;
} Resume;

static RbStatus resume_protected(void *argument) {
    Resume *r = argument;
    r->sim.keep = rb_arena(r->sim.heap);
    r->sim.scratch = rb_arena(r->sim.heap);
    r->sim.trial = rb_arena(r->sim.heap);
    return rb_checkpoint_resume_bytes(&r->sim, &r->bytes, &(bool){false});
}

// A rod may have many elements however short the file is, so running out of memory is a good answer
// here.
static RbStatus resume(Fuzz *f, const unsigned char *data, size_t size) {
    Resume *r = rb_new(&f->arena, Resume);
    RB_TRY(open_sim(f, &r->sim));
    r->sim.options.resume_file = "fuzz.rbc";
    r->bytes = (RbBytes){data, size};
    RbStatus status = rb_protect(&f->heap, resume_protected, r);
    rb_sim_free(&r->sim);
    return status == RB_ERROR_MEMORY ? RB_OK : status;
}

static RbStatus body_plain(Fuzz *f) {
    return resume(f, f->data, f->size);
}

static RbStatus body_framed(Fuzz *f) {
    RbPacker p = rb_packer(&f->arena);
    rb_pack_bytes(&p, head, head_size);
    rb_pack_bytes(&p, f->data, f->size);
    rb_pack_u64(&p, rb_crc32(0, p.bytes.data, (size_t)p.bytes.count));
    return resume(f, (const unsigned char *)p.bytes.data, (size_t)p.bytes.count);
}

enum { FACTOR = 20000 }; // bytes of memory per byte of input

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (head_size == 0) fuzz_run(data, size, FACTOR, learn_head); // says nothing about the input
    fuzz_run(data, size, FACTOR, body_plain);
    fuzz_run(data, size, FACTOR, body_framed);
    return 0;
}
