// SPDX-License-Identifier: MIT
// A cloud as the input of LIGGGHTS, which computes it with its own laws, walls and steps.
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "liggghts.h"
#include "io/stl.h"

static double restitution_of(const RbGrainLaw *law) {
    double beta = law->normal_damping / sqrt(5.0);
    return beta < 1 ? exp(-M_PI * beta / sqrt(1 - beta * beta)) : 0;
}

typedef struct Domain {
    Vec3 low, high; // [m]
} Domain;

static Domain box_of_wall(const RbCloud *cloud, const RbLiggghtsJob *job, int k) {
    Domain d = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (int v = 0; !cloud->walls.data[k].absent && v < job->walls[k].vertex_count; v++) {
        Vec3 p = pose_point(cloud->walls.data[k].X, job->walls[k].vertices[v]);
        d.low = v3_min(d.low, p), d.high = v3_max(d.high, p);
    }
    return d;
}

static double largest_radius(const RbCloud *cloud) {
    double radius = 0;
    for (int i = 0; i < cloud->count; i++) radius = fmax(radius, cloud->r[i].w);
    return radius;
}

// ---------------------------------------------------------------------------------------------------
// data

// With room for what flies.
static Domain domain_of(const RbCloud *cloud, const RbLiggghtsJob *job) {
    Domain d = {v3(INFINITY, INFINITY, INFINITY), v3(-INFINITY, -INFINITY, -INFINITY)};
    for (int i = 0; i < cloud->count; i++) {
        Vec3 r = v3(cloud->r[i].x, cloud->r[i].y, cloud->r[i].z);
        d.low = v3_min(d.low, r), d.high = v3_max(d.high, r);
    }
    for (int k = 0; k < cloud->walls.count; k++) {
        Domain box = box_of_wall(cloud, job, k);
        d.low = v3_min(d.low, box.low), d.high = v3_max(d.high, box.high);
    }
    double margin = 0.2 * v3_norm(v3_sub(d.high, d.low)) + 4 * largest_radius(cloud);
    Vec3 by = v3(margin, margin, margin);
    return (Domain){v3_sub(d.low, by), v3_add(d.high, by)};
}

static double density_of(const RbCloud *cloud, int i) {
    double radius = cloud->r[i].w;
    return cloud->v[i].w / (4.0 / 3.0 * M_PI * radius * radius * radius);
}

// In the order of their identities: atoms are numbered from 1.
static void write_grains(const RbCloud *cloud, const Domain *d, RbText *out) {
    rb_text_printf(out, "grains\n\n%d atoms\n%d atom types\n", cloud->count,
                   cloud->options.materials);
    rb_text_printf(out,
                   "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n%.17g %.17g zlo zhi\n\nAtoms\n\n",
                   d->low.x, d->high.x, d->low.y, d->high.y, d->low.z, d->high.z);
    for (int i = 0; i < cloud->count; i++) {
        RbQuad r = cloud->r[i];
        Vec3 at = rb_cloud_place_of(cloud, i);
        rb_text_printf(out, "%d %d %.17g %.17g %.17g %.17g %.17g\n", cloud->id[i] + 1,
                       (int)cloud->w[i].w + 1, 2 * r.w, density_of(cloud, i), at.x, at.y, at.z);
    }
    rb_text_printf(out, "\nVelocities\n\n");
    for (int i = 0; i < cloud->count; i++) {
        RbQuad v = cloud->v[i], w = cloud->w[i];
        rb_text_printf(out, "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", cloud->id[i] + 1, v.x, v.y,
                       v.z, w.x, w.y, w.z);
    }
}

// Two walls never touch; the number must be possible all the same.
static double possible_restitution(const RbGrainLaw *law) {
    return law->normal > 0 ? fmin(restitution_of(law), 1) : 0.5;
}

static double sliding_of(const RbGrainLaw *law) {
    return law->sliding;
}

static double rolling_of(const RbGrainLaw *law) {
    return law->rolling;
}

static void write_pairs(const RbCloud *cloud, const char *fix, const char *name,
                        double (*value)(const RbGrainLaw *law), RbText *out) {
    int n = cloud->options.materials;
    rb_text_printf(out, "fix %s all property/global %s peratomtypepair %d", fix, name, n);
    for (int k = 0; k < n * n; k++) rb_text_printf(out, " %.17g", value(&cloud->options.laws[k]));
    rb_text_printf(out, "\n");
}

// Its rolling spring and limit are ours; it has no damper beside the spring.
static const char *model_of(const RbCloud *cloud) {
    return cloud->turning ? "hertz tangential history rolling_friction epsd2"
                          : "hertz tangential history";
}

static void write_materials(const RbCloud *cloud, const RbLiggghtsJob *job, RbText *out) {
    rb_text_printf(out, "fix m1 all property/global youngsModulus peratomtype");
    for (int k = 0; k < cloud->options.materials; k++)
        rb_text_printf(out, " %.17g", job->solid[k].youngs_modulus);
    rb_text_printf(out, "\nfix m2 all property/global poissonsRatio peratomtype");
    for (int k = 0; k < cloud->options.materials; k++)
        rb_text_printf(out, " %.17g", job->solid[k].poissons_ratio);
    rb_text_printf(out, "\n");
    write_pairs(cloud, "m3", "coefficientRestitution", possible_restitution, out);
    write_pairs(cloud, "m4", "coefficientFriction", sliding_of, out);
    if (cloud->turning) write_pairs(cloud, "m5", "coefficientRollingFriction", rolling_of, out);
}

static void write_walls(const RbCloud *cloud, RbText *out) {
    int count = 0;
    for (int k = 0; k < cloud->walls.count; k++) {
        if (cloud->walls.data[k].absent) continue;
        rb_text_printf(out, "fix w%d all mesh/surface file wall%d.stl type %d\n", k, k,
                       cloud->walls.data[k].material + 1);
        count++;
    }
    if (count == 0) return;
    rb_text_printf(out, "fix walls all wall/gran model %s mesh n_meshes %d meshes", model_of(cloud),
                   count);
    for (int k = 0; k < cloud->walls.count; k++) {
        if (!cloud->walls.data[k].absent) rb_text_printf(out, " w%d", k);
    }
    rb_text_printf(out, "\n");
}

// It takes a Young's modulus beyond these limits only on request.
static void write_limits(const RbCloud *cloud, const RbLiggghtsJob *job, RbText *out) {
    const double least = 5e6, most = 1e9; // [Pa]
    bool soft = false, hard = false;
    for (int k = 0; k < cloud->options.materials; k++) {
        soft = soft || job->solid[k].youngs_modulus < least;
        hard = hard || job->solid[k].youngs_modulus > most;
    }
    if (soft) rb_text_printf(out, "soft_particles yes\n");
    if (hard) rb_text_printf(out, "hard_particles yes\n");
}

static void write_script(const RbCloud *cloud, const RbLiggghtsJob *job, RbText *out) {
    Vec3 g = cloud->options.gravity;
    double size = v3_norm(g), skin = 0.2 * cloud->radius_sum / cloud->count;
    write_limits(cloud, job, out);
    rb_text_printf(out, "atom_style granular\nboundary f f f\nnewton off\n"
                        "communicate single vel yes\nunits si\nread_data data.liggghts\n");
    rb_text_printf(out, "neighbor %.9g bin\nneigh_modify delay 0\n", skin);
    write_materials(cloud, job, out);
    rb_text_printf(out, "pair_style gran model %s\npair_coeff * *\ntimestep %.17g\n",
                   model_of(cloud), cloud->options.step);
    if (size > 0)
        rb_text_printf(out, "fix g all gravity %.17g vector %.17g %.17g %.17g\n", size, g.x / size,
                       g.y / size, g.z / size);
    write_walls(cloud, out);
    rb_text_printf(out,
                   "fix move all nve/sphere\nthermo %ld\nthermo_modify lost error norm no\n"
                   "dump frames all custom %ld frame.*.txt id x y z vx vy vz omegax omegay omegaz "
                   "ix iy iz\n"
                   "dump_modify frames format \"%%d %%.17g %%.17g %%.17g %%.17g %%.17g %%.17g "
                   "%%.17g %%.17g %%.17g %%d %%d %%d\"\nrun %ld\n",
                   job->frame_steps, job->frame_steps, job->frame_steps * job->frames);
}

// ----------------------------------------------------------------------------------------------------
// files

static RbStatus write_text(const char *folder, const char *name, const RbText *text,
                           RbArena *scratch, RbDiag *diag) {
    const char *path = rb_arena_printf(scratch, "%s/%s", folder, name);
    return rb_file_write(path, text->data, strlen(text->data), diag);
}

static RbStatus write_wall(const RbCloud *cloud, const RbLiggghtsJob *job, int k, RbArena *scratch,
                           RbDiag *diag) {
    RbMesh mesh = job->walls[k];
    Vec3 *vertices = rb_new_array(scratch, Vec3, mesh.vertex_count);
    for (int v = 0; v < mesh.vertex_count; v++)
        vertices[v] = pose_point(cloud->walls.data[k].X, mesh.vertices[v]);
    mesh.vertices = vertices;
    RbText text = rb_text(scratch);
    rb_stl_write_ascii(&mesh, "wall", &text);
    return write_text(job->folder, rb_arena_printf(scratch, "wall%d.stl", k), &text, scratch, diag);
}

RbStatus rb_liggghts_write(const RbCloud *cloud, const RbLiggghtsJob *job, RbArena scratch,
                           RbDiag *diag) {
    if (mkdir(job->folder, 0777) != 0 && errno != EEXIST)
        return rb_fail(diag, RB_ERROR_IO, RB_NOWHERE, "cannot make the folder '%s': %s",
                       job->folder, strerror(errno));
    Domain domain = domain_of(cloud, job);
    RbText data = rb_text(&scratch);
    write_grains(cloud, &domain, &data);
    RB_TRY(write_text(job->folder, "data.liggghts", &data, &scratch, diag));
    for (int k = 0; k < cloud->walls.count; k++) {
        if (!cloud->walls.data[k].absent) RB_TRY(write_wall(cloud, job, k, &scratch, diag));
    }
    RbText script = rb_text(&scratch);
    write_script(cloud, job, &script);
    return write_text(job->folder, "in.liggghts", &script, &scratch, diag);
}
