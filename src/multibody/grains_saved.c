// SPDX-License-Identifier: MIT
// The cloud of a scene in checkpoints.
#include "component/saver.h"
#include "multibody/grains.h"
#include "multibody/matter.h"

static RbStatus fits_not(RbDiag *diag) {
    return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE,
                   "the checkpoint does not fit the grains of the model");
}

static int carried_doubles(void) {
    return (int)(sizeof(RbCarriedBody) / sizeof(double));
}

static int molecule_doubles(const struct Grains *g) {
    return g->molecule_count * (int)(sizeof(CarriedPoint) / sizeof(double));
}

static void save_fillings(const Mechanism *m, RbSaver *saver) {
    rb_save_int(saver, m->scene->grains.count);
    for (int k = 0; k < m->scene->grains.count; k++)
        rb_save_int(saver, (int64_t)rb_fill_hash(&m->scene->grains.data[k].fill));
}

// A run goes on with the grains that it has; others, of a file that has changed, would be passed over in silence.
static RbStatus check_fillings(const Mechanism *m, RbLoader *loader, RbDiag *diag) {
    int64_t count, hash;
    if (!rb_load_int(loader, &count) || count != m->scene->grains.count) return fits_not(diag);
    for (int k = 0; k < count; k++) {
        const RbFill *f = &m->scene->grains.data[k].fill;
        if (rb_load_int(loader, &hash) && (uint64_t)hash == rb_fill_hash(f)) continue;
        return rb_fail(
            diag, RB_ERROR_USAGE, f->at,
            "the checkpoint does not fit this run: the particles '%s' are not those that "
            "it was written with; resume with the old %s, or start the run anew",
            f->name, f->kind == RB_FILL_LIST ? "file or list" : "numbers");
    }
    return RB_OK;
}

void rb_mechanism_save_grains(const Mechanism *m, RbSaver *saver) {
    struct Grains *g = m->grains;
    if (!g || rb_grains_engine_look(g) != RB_OK) return; // the run ends with what it says
    save_fillings(m, saver);
    rb_save_int(saver, g->substeps);
    rb_save_int(saver, g->told);
    rb_save_int(saver, g->body_count);
    rb_save_int(saver, g->molecule_count);
    rb_save_doubles(saver, (double[]){g->from, g->until, g->gap}, 3);
    rb_save_doubles(saver, g->before, FIGURES);
    rb_save_doubles(saver, g->after, FIGURES);
    for (int k = 0; k < g->body_count; k++)
        rb_save_doubles(saver, (const double *)&g->bodies[k], carried_doubles());
    if (g->molecule_count > 0)
        rb_save_doubles(saver, (const double *)g->molecules, molecule_doubles(g));
    for (int k = 0; k < m->scene->grains.count; k++) {
        rb_save_int(saver, (int64_t)g->rains[k].rng.state);
        rb_save_int(saver, g->rains[k].fallen);
        rb_save_int(saver, g->rains[k].refused);
    }
    rb_regions_save(m, saver);
    rb_cloud_save(g->cloud, saver);
}

static bool load_rains(struct Grains *g, int count, RbLoader *loader) {
    for (int k = 0; k < count; k++) {
        int64_t state, fallen, refused;
        if (!rb_load_int(loader, &state) || !rb_load_int(loader, &fallen) ||
            !rb_load_int(loader, &refused))
            return false;
        g->rains[k] = (RbRain){{(uint64_t)state}, (int)fallen, (int)refused};
    }
    return true;
}

static bool load(struct Grains *g, RbLoader *loader) {
    int64_t substeps, told, bodies, molecules;
    double times[3];
    if (!rb_load_int(loader, &substeps) || !rb_load_int(loader, &told) ||
        !rb_load_int(loader, &bodies) || bodies != g->body_count ||
        !rb_load_int(loader, &molecules) || molecules != g->molecule_count)
        return false;
    g->substeps = substeps;
    g->told = told != 0;
    bool good = rb_load_doubles(loader, times, 3) && rb_load_doubles(loader, g->before, FIGURES) &&
                rb_load_doubles(loader, g->after, FIGURES);
    g->from = times[0], g->until = times[1], g->gap = times[2];
    for (int k = 0; good && k < g->body_count; k++)
        good = rb_load_doubles(loader, (double *)&g->bodies[k], carried_doubles());
    if (good && g->molecule_count > 0)
        good = rb_load_doubles(loader, (double *)g->molecules, molecule_doubles(g));
    return good && load_rains(g, g->fillings, loader) && rb_regions_load(g, g->regions, loader) &&
           rb_cloud_load(g->cloud, loader);
}

RbStatus rb_grains_resume(const Mechanism *m, RbDiag *diag) {
    struct Grains *g = m->grains;
    RbLoader loader = {.unpacker = rb_unpacker(g->restored, g->restored_size)};
    g->restored = NULL;
    RB_TRY(check_fillings(m, &loader, diag));
    return load(g, &loader) ? RB_OK : fits_not(diag);
}

// The cloud is made when the segment starts: until then its bytes are kept.
bool rb_mechanism_restore_grains(Mechanism *m, RbLoader *loader) {
    RbUnpacker *in = &loader->unpacker;
    size_t size = in->size - in->at;
    if (size == 0) return true; // without grains nothing is saved
    if (!m->grains) m->grains = rb_new(m->arena, struct Grains);
    unsigned char *bytes = rb_new_array(m->arena, unsigned char, size + 1);
    if (!rb_unpack_bytes(in, bytes, size)) return false;
    m->grains->restored = bytes;
    m->grains->restored_size = size;
    m->grains->cloud = NULL;
    return true;
}
