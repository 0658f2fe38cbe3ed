// SPDX-License-Identifier: MIT
#include "liggghts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "atom.h"
#include "atom_vec.h"
#include "comm.h"
#include "contact_models.h"
#include "domain.h"
#include "fix.h"
#include "force.h"
#include "granular_pair_style.h"
#include "input.h"
#include "integrate.h"
#include "irregular.h"
#include "lammps.h"
#include "modify.h"
#include "neigh_list.h"
#include "neighbor.h"
#include "pair_gran.h"
#include "update.h"

using namespace LAMMPS_NS;

namespace {

enum { MODEL = 40, MEMORIES = 64 }; // number of our model among theirs; contacts of a grain with walls

class FixGrains;

} // namespace

struct Engine::State {
    Part *part = nullptr;
    LAMMPS *lmp = nullptr;
    FixGrains *fix = nullptr;
    PairGran *pair = nullptr; // once there were pairs
    bool started = false;     // theirs has made lists
    bool coming = false;      // grains, in pieces
    std::vector<double> before; // sums before they came
    bool again = false;       // forces where they were computed before
    int rank = 0, ranks = 1;
    double largest = 0;
};

namespace {

Engine::State *engine; // theirs are created by name

bool is_again() {
    return engine->again || engine->lmp->update->setupflag;
}

double *flat(double **array) {
    return array ? &array[0][0] : nullptr;
}

// ------------------------------------------------------------------------------------------------
// walls and steps

class FixGrains : public Fix {
  public:
    std::vector<std::vector<PartContact>> memory; // per own grain, while there is no list
    bool kept = false;                            // it is what they remember
    std::vector<double> old;

    FixGrains(LAMMPS *l, int narg, char **arg) : Fix(l, narg, arg) {
        time_integrate = 1;
        create_attribute = 1;
        grow_arrays(atom->nmax);
        atom->add_callback(0);
    }
    ~FixGrains() {
        atom->delete_callback(id, 0);
    }
    int setmask() {
        return FixConst::INITIAL_INTEGRATE | FixConst::PRE_EXCHANGE | FixConst::PRE_NEIGHBOR |
               FixConst::POST_FORCE | FixConst::FINAL_INTEGRATE;
    }
    double max_rad(int) {
        return engine->largest;
    }

    PartAtoms atoms() {
        Atom *a = atom;
        PartAtoms p = {a->nlocal,      a->nlocal + a->nghost, flat(a->x), flat(a->v),
                       flat(a->omega), flat(a->f),            flat(a->torque), a->radius,
                       a->rmass,       a->type,               old.data()};
        return p;
    }

    // What grains remember goes with them.
    void grow_arrays(int most) {
        memory.resize(most), old.resize(6 * (size_t)most);
    }
    void copy_arrays(int i, int j, int) {
        memory[j] = memory[i];
        std::copy_n(&old[6 * (size_t)i], 6, &old[6 * (size_t)j]);
    }
    void set_arrays(int i) {
        memory[i].clear();
        std::fill_n(&old[6 * (size_t)i], 6, 0.0);
    }
    int pack_exchange(int i, double *to) {
        int n = 0;
        for (int k = 0; k < 6; k++) to[n++] = old[6 * (size_t)i + k];
        to[n++] = (double)memory[i].size();
        for (const PartContact &c : memory[i]) {
            to[n++] = c.with, to[n++] = c.touches;
            for (double x : c.spring) to[n++] = x;
        }
        return n;
    }
    int unpack_exchange(int i, double *from) {
        int n = 0;
        for (int k = 0; k < 6; k++) old[6 * (size_t)i + k] = from[n++];
        memory[i].resize((size_t)from[n++]);
        for (PartContact &c : memory[i]) {
            c.with = (int)from[n++], c.touches = (int)from[n++];
            for (double &x : c.spring) x = from[n++];
        }
        return n;
    }

    void pre_exchange() {
        if (kept) return;
        PartContact found[MEMORIES];
        part_collect(engine->part);
        for (int i = 0; i < atom->nlocal; i++) {
            int count = part_memories(engine->part, i, found, MEMORIES);
            memory[i].assign(found, found + count);
        }
        kept = true;
        comm->maxexchange_fix = std::max(comm->maxexchange_fix, 7 + 8 * MEMORIES);
    }
    void setup_pre_exchange() {
        pre_exchange();
    }
    void pre_neighbor() {
        std::vector<int> counts(atom->nlocal + 1);
        std::vector<PartContact> all;
        for (int i = 0; i < atom->nlocal; i++) {
            counts[i] = (int)memory[i].size();
            all.insert(all.end(), memory[i].begin(), memory[i].end());
        }
        PartAtoms a = atoms();
        part_refill(engine->part, &a, counts.data(), all.data());
        kept = false;
    }
    void setup_pre_neighbor() {
        pre_neighbor();
    }

    void initial_integrate(int) {
        PartAtoms a = atoms();
        part_predict(engine->part, &a);
        part_move(engine->part);
    }
    void post_force(int) {
        PartAtoms a = atoms();
        part_walls(engine->part, &a, is_again());
    }
    void setup(int) {
        post_force(0);
    }
    void final_integrate() {
        PartAtoms a = atoms();
        part_correct(engine->part, &a);
        loaded();
    }
    // One exchange for all: loads, and how long the next step may be. Each process adds up in the same order.
    void loaded() {
        int size = part_share_size(engine->part);
        std::vector<double> own(size), all(size * (size_t)engine->ranks);
        part_get_share(engine->part, own.data());
        if (engine->ranks > 1)
            MPI_Allgather(own.data(), size, MPI_DOUBLE, all.data(), size, MPI_DOUBLE, world);
        else
            all = own;
        part_loaded(engine->part, all.data(), engine->ranks);
    }
};

// ------------------------------------------------------------------------------------------------
// pairs

class Contacts : public LIGGGHTS::PairStyles::IGranularPairStyle {
    int64_t hash;

  public:
    explicit Contacts(int64_t h) : hash(h) {}
    void settings(int, char **, LIGGGHTS::IContactHistorySetup *setup) {
        const char *names[PART_MEMORY] = {"x", "y", "z", "turn_x", "turn_y", "turn_z", "grip"};
        for (int k = 0; k < PART_MEMORY; k++)
            setup->add_history_value(names[k], k < PART_SPRINGS ? "1" : "0"); // 1: as seen by the other
    }
    void init_granular() {}
    void write_restart_settings(FILE *) {}
    void read_restart_settings(FILE *, int64_t) {}
    int get_history_offset(const std::string) {
        return -1;
    }
    double stressStrainExponent() {
        return 1.5;
    }
    int64_t hashcode() {
        return hash;
    }
    bool contact_match(const std::string, const std::string) {
        return false;
    }
    void compute_force(PairGran *pair, int, int, int) {
        engine->pair = pair;
        PartAtoms a = engine->fix->atoms();
        PartPairs p = {pair->list->inum,
                       pair->list->ilist,
                       pair->list->numneigh,
                       pair->list->firstneigh,
                       pair->listgranhistory->firstneigh,
                       pair->listgranhistory->firstdouble};
        part_pairs(engine->part, &a, &p, is_again());
    }
};

LIGGGHTS::PairStyles::IGranularPairStyle *make_contacts(LAMMPS *, PairGran *, const int64_t hash) {
    return new Contacts(hash);
}

void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say(const char *format, ...) {
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    engine->lmp->input->one(text);
}

// ------------------------------------------------------------------------------------------------
// space

// How many processes along each axis: as even as may be, but none across gravity that need not be, as grains settle; and no slice thinner
// than a few grains.
void choose_grid(const double extent[3], const double g[3], double thin, int ranks, int grid[3]) {
    double best = INFINITY;
    double size = std::sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    grid[0] = ranks, grid[1] = grid[2] = 1;
    for (int x = 1; x <= ranks; x++) {
        for (int y = 1; ranks % x == 0 && y <= ranks / x; y++) {
            if (ranks / x % y != 0) continue;
            const int n[3] = {x, y, ranks / x / y};
            double cost = 0;
            for (int d = 0; d < 3; d++) {
                double along = size > 0 ? std::fabs(g[d]) / size : 0, slice = extent[d] / n[d];
                double face = extent[(d + 1) % 3] * extent[(d + 2) % 3];
                cost += (n[d] - 1) * face + (n[d] - 1) * along * 10 * (extent[0] + extent[1]) * extent[2];
                if (n[d] > 1 && slice < thin) cost += 1e6 * n[d] * (thin / slice);
            }
            if (cost < best) best = cost, grid[0] = n[0], grid[1] = n[1], grid[2] = n[2];
        }
    }
}

// Its borders follow the grains: those of the beginning are no limit later.
void let_shrink(Domain *domain) {
    double *low[3] = {&domain->minxlo, &domain->minylo, &domain->minzlo};
    double *high[3] = {&domain->minxhi, &domain->minyhi, &domain->minzhi};
    for (int d = 0; d < 3; d++) {
        double middle = 0.5 * (domain->boxlo[d] + domain->boxhi[d]);
        *low[d] = middle - engine->largest, *high[d] = middle + engine->largest;
    }
}

void set_up(Part *part) {
    bool periodic[3];
    double low[3], high[3], cell_low[3], cell_high[3], g[3], box[6], extent[3];
    int grid[3];
    part_extent(part, low, high);
    part_borders(part, periodic, cell_low, cell_high);
    part_gravity(part, g);
    double thin = 4 * engine->largest + 2 * part_skin(part);
    for (int d = 0; d < 3; d++) {
        box[2 * d] = periodic[d] ? cell_low[d] : low[d] - engine->largest;
        box[2 * d + 1] = periodic[d] ? cell_high[d] : high[d] + engine->largest;
        extent[d] = std::max(box[2 * d + 1] - box[2 * d], thin);
    }
    choose_grid(extent, g, thin, engine->ranks, grid);
    say("units si");
    say("atom_style granular");
    say("boundary %s %s %s", periodic[0] ? "p" : "m", periodic[1] ? "p" : "m", periodic[2] ? "p" : "m");
    say("newton off");
    say("communicate single vel yes");
    say("processors %d %d %d", grid[0], grid[1], grid[2]);
    say("region all block %.17g %.17g %.17g %.17g %.17g %.17g units box", box[0], box[1], box[2],
        box[3], box[4], box[5]);
    say("create_box %d all", part_materials(part));
    let_shrink(engine->lmp->domain);
    say("neighbor %.17g bin", part_skin(part));
    say("neigh_modify delay 0 every 1 check yes");
    say("pair_style gran model rattleback");
    say("pair_coeff * *");
    say("timestep %.17g", part_step(part));
    say("thermo 1000000000");
    say("thermo_modify lost error norm no");
    say("fix rattleback all store/state 0 x"); // whose place ours takes
}

} // namespace

Engine *Engine::open(Part *part) {
    State *s = new State;
    engine = s;
    s->part = part;
    MPI_Comm_rank(MPI_COMM_WORLD, &s->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s->ranks);
    double mean = part_mean(part);
    s->largest = part_largest(part);
    LIGGGHTS::ContactModels::Factory::instance().addNormalModel("rattleback", MODEL);
    LIGGGHTS::PairStyles::Factory::instance().addStyle("gran", MODEL, make_contacts);
    const char *arguments[] = {"rattleback-mpi", "-log", "none", "-echo", "none"};
    s->lmp = new LAMMPS(5, (char **)arguments, MPI_COMM_WORLD);
    set_up(part);
    if (part_reach(part) > 0 && mean > 0)
        s->lmp->neighbor->register_contact_dist_factor(1 + part_reach(part) / mean);
    Modify *modify = s->lmp->modify;
    int at = modify->find_fix("rattleback");
    delete modify->fix[at];
    modify->fix[at] = nullptr; // so that it is found which one is new
    const char *own[] = {"rattleback", "all", "rattleback"};
    s->fix = new FixGrains(s->lmp, 3, (char **)own);
    modify->fix[at] = s->fix;
    modify->fmask[at] = s->fix->setmask();
    Engine *e = new Engine;
    e->s = s;
    return e;
}

Engine::~Engine() {
    delete s->lmp;
    delete s;
}

// ----------------------------------------------------------------------------------------------------
// changes

// Does a place belong to this process? Outside of the box the nearest one has it.
static bool is_mine(const Domain *domain, const double *r) {
    for (int d = 0; d < 3; d++) {
        double x = std::max(r[d], domain->boxlo[d]);
        if (x >= domain->boxhi[d]) x = std::nextafter(domain->boxhi[d], domain->boxlo[d]);
        if (x < domain->sublo[d] || x >= domain->subhi[d]) return false;
    }
    return true;
}

static void add_grain(LAMMPS *lmp, const Grain &g, FixGrains *fix) {
    Atom *a = lmp->atom;
    double r[3] = {g.r[0], g.r[1], g.r[2]};
    a->avec->create_atom(g.material + 1, r);
    int i = a->nlocal - 1;
    a->tag[i] = g.id + 1;
    a->radius[i] = g.radius, a->rmass[i] = g.mass;
    a->density[i] = g.mass / (4.0 / 3 * M_PI * g.radius * g.radius * g.radius);
    a->mask[i] = 1;
    for (int d = 0; d < 3; d++) {
        a->v[i][d] = g.v[d], a->omega[i][d] = g.w[d];
        a->f[i][d] = g.f[d], a->torque[i][d] = g.t[d];
    }
    for (int k = 0; k < a->nextra_grow; k++) lmp->modify->fix[a->extra_grow[k]]->set_arrays(i);
    (void)fix;
}

static void remove_grains(LAMMPS *lmp, const std::vector<int> &gone) {
    Atom *a = lmp->atom;
    for (int i = 0; i < a->nlocal;) {
        if (!std::binary_search(gone.begin(), gone.end(), a->tag[i] - 1)) {
            i++;
            continue;
        }
        a->avec->copy(a->nlocal - 1, i, 1);
        a->nlocal--;
    }
}

static bool before(const Contact &a, const Contact &b) {
    return a.id != b.id ? a.id < b.id : a.with < b.with;
}

static const Contact *find(const Contact *contacts, size_t count, int id, int with) {
    Contact wanted = {};
    wanted.id = id, wanted.with = with;
    const Contact *at = std::lower_bound(contacts, contacts + count, wanted, before);
    return at < contacts + count && at->id == id && at->with == with ? at : nullptr;
}

// Contacts with walls, of grains that have come.
static void remember_walls(LAMMPS *lmp, FixGrains *fix, const Contact *contacts, size_t count) {
    for (int i = 0; i < lmp->atom->nlocal; i++) {
        int id = lmp->atom->tag[i] - 1;
        Contact first = {};
        first.id = id, first.with = -2147483647 - 1;
        const Contact *at = std::lower_bound(contacts, contacts + count, first, before);
        for (; at < contacts + count && at->id == id && at->with < 0; at++) {
            PartContact c = {at->with, (int)at->touches, {}};
            std::copy_n(at->spring, PART_SPRINGS, c.spring);
            fix->memory[i].push_back(c);
        }
    }
}

static void remember_pairs(LAMMPS *lmp, PairGran *pair, const Contact *contacts, size_t count) {
    NeighList *list = pair->list, *kept = pair->listgranhistory;
    const int *tag = lmp->atom->tag;
    for (int n = 0; n < list->inum; n++) {
        int i = list->ilist[n];
        for (int k = 0; k < list->numneigh[i]; k++) {
            int a = tag[i] - 1, b = tag[list->firstneigh[i][k]] - 1;
            const Contact *c = find(contacts, count, std::min(a, b), std::max(a, b));
            if (!c) continue;
            double *to = kept->firstdouble[i] + PART_MEMORY * k;
            for (int d = 0; d < PART_SPRINGS; d++) to[d] = a < b ? c->spring[d] : -c->spring[d];
            to[PART_SPRINGS] = (double)c->touches;
            kept->firstneigh[i][k] = 1;
        }
    }
}

// Who is where after many have come or gone at once.
static void settle(LAMMPS *lmp) {
    lmp->domain->pbc();
    lmp->domain->reset_box();
    lmp->comm->setup();
    Irregular irregular(lmp);
    if (irregular.migrate_check()) irregular.migrate_atoms();
}

static void list_anew(Engine::State *s) {
    if (s->lmp->atom->natoms == 0) {
        s->fix->pre_neighbor();
        s->fix->post_force(0);
        return;
    }
    if (!s->started) {
        s->lmp->input->one("run 0 post no");
        s->started = true;
        return;
    }
    s->lmp->update->integrate->setup_minimal(1);
}

void Engine::change(const std::vector<int> &gone, const Grain *come, size_t count,
                    const Contact *contacts, size_t contact_count, int start, bool more) {
    Atom *atom = s->lmp->atom;
    std::vector<double> after_all(part_sum_size(s->part));
    s->before.resize(after_all.size());
    double most[PART_MOST];
    if (!s->coming) sums(s->before.data(), most);
    s->coming = more;
    if (s->started && atom->natoms > 0)
        s->lmp->modify->setup_pre_exchange(); // what all remember; lists are made from that
    s->fix->kept = true;
    if (!gone.empty()) remove_grains(s->lmp, gone);
    for (size_t k = 0; k < count; k++) {
        if (is_mine(s->lmp->domain, come[k].r)) add_grain(s->lmp, come[k], s->fix);
    }
    if (more) return;
    if (contact_count > 0) remember_walls(s->lmp, s->fix, contacts, contact_count);
    bigint own = atom->nlocal;
    MPI_Allreduce(&own, &atom->natoms, 1, MPI_LMP_BIGINT, MPI_SUM, MPI_COMM_WORLD);
    if (atom->natoms > 0) settle(s->lmp);
    list_anew(s);
    if (contact_count > 0 && s->pair) {
        remember_pairs(s->lmp, s->pair, contacts, contact_count);
        list_anew(s);
    }
    sums(after_all.data(), most);
    if (start != 2)
        part_changed(s->part, s->before.data(), after_all.data(), start == 1, s->rank == 0);
}

// ----------------------------------------------------------------------------------------------------
// steps

// The step has changed: all springs are to be half of the new one ahead. Forces stay as they are.
static bool shift_springs(Engine::State *s, int halved) {
    Atom *atom = s->lmp->atom;
    size_t size = 3 * (size_t)atom->nlocal;
    std::vector<double> f(flat(atom->f), flat(atom->f) + size);
    std::vector<double> t(flat(atom->torque), flat(atom->torque) + size);
    s->lmp->comm->forward_comm();
    bool enough = part_halve(s->part, halved);
    s->again = true;
    s->lmp->force->pair->compute(0, 0);
    s->fix->post_force(0);
    s->again = false;
    part_shifted(s->part);
    std::copy(f.begin(), f.end(), flat(atom->f));
    std::copy(t.begin(), t.end(), flat(atom->torque));
    return enough;
}

void Engine::advance() {
    int64_t made = 0;
    bool too_fast = false;
    bool any = s->lmp->atom->natoms > 0;
    while (made < part_most(s->part) && !too_fast) {
        if (made > 0 && part_is_due(s->part)) break;
        int halved = part_halvings(s->part);
        if (any && halved != part_halved(s->part))
            too_fast = !shift_springs(s, halved);
        else
            too_fast = !part_halve(s->part, halved);
        if (any)
            s->lmp->update->integrate->run(1);
        else {
            part_move(s->part);
            s->fix->loaded();
        }
        made++;
    }
    part_made(s->part, made, too_fast, false);
}

void Engine::sums(double *all, double most[PART_MOST]) {
    Domain *domain = s->lmp->domain;
    Atom *a = s->lmp->atom;
    int size = part_sum_size(s->part);
    double g[3], own_most[PART_MOST];
    std::vector<double> own(size), height(a->nlocal + 1);
    part_gravity(s->part, g);
    for (int i = 0; i < a->nlocal; i++) {
        double r[3];
        domain->unmap(a->x[i], a->image[i], r);
        height[i] = -(g[0] * r[0] + g[1] * r[1] + g[2] * r[2]);
    }
    PartAtoms atoms = s->fix->atoms();
    part_sums(s->part, &atoms, height.data(), own.data(), own_most);
    MPI_Allreduce(own.data(), all, size, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(own_most, most, PART_MOST, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

void Engine::grains(std::vector<Grain> &out) {
    Atom *a = s->lmp->atom;
    for (int i = 0; i < a->nlocal; i++) {
        Grain g = {};
        g.id = a->tag[i] - 1, g.material = a->type[i] - 1;
        g.radius = a->radius[i], g.mass = a->rmass[i];
        for (int d = 0; d < 3; d++) {
            g.r[d] = a->x[i][d], g.v[d] = a->v[i][d], g.w[d] = a->omega[i][d];
            g.f[d] = a->f[i][d], g.t[d] = a->torque[i][d];
        }
        g.turns[0] = (int)(a->image[i] & IMGMASK) - IMGMAX;
        g.turns[1] = (int)(a->image[i] >> IMGBITS & IMGMASK) - IMGMAX;
        g.turns[2] = (int)(a->image[i] >> IMG2BITS) - IMGMAX;
        out.push_back(g);
    }
}

void Engine::contacts(std::vector<Contact> &out) {
    const Atom *a = s->lmp->atom;
    PartContact found[MEMORIES];
    if (a->nlocal > 0 || s->started) part_collect(s->part);
    for (int i = 0; i < a->nlocal; i++) {
        int count = part_memories(s->part, i, found, MEMORIES);
        for (int k = 0; k < count; k++) {
            Contact c = {a->tag[i] - 1, found[k].with, (unsigned long long)found[k].touches, {}};
            std::copy_n(found[k].spring, PART_SPRINGS, c.spring);
            out.push_back(c);
        }
    }
    if (!s->pair || a->natoms == 0) return;
    const NeighList *list = s->pair->list, *kept = s->pair->listgranhistory;
    for (int n = 0; n < list->inum; n++) {
        int i = list->ilist[n];
        for (int k = 0; k < list->numneigh[i]; k++) {
            int j = list->firstneigh[i][k], one = a->tag[i] - 1, two = a->tag[j] - 1;
            const double *from = kept->firstdouble[i] + PART_MEMORY * k;
            // A pair of two processes is told by the one that has the lower identity.
            if (!kept->firstneigh[i][k] || (j >= a->nlocal && one > two)) continue;
            Contact c = {std::min(one, two), std::max(one, two), (unsigned long long)from[6], {}};
            for (int d = 0; d < PART_SPRINGS; d++) c.spring[d] = one < two ? from[d] : -from[d];
            out.push_back(c);
        }
    }
}
