// SPDX-License-Identifier: MIT
// Files for ParaView, read back by what their format says (VTK XML, arrays appended as raw bytes), not by our writer.
#include "dem/cloud_vtk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "grains.h"

static const double R = 0.005, G = 9.81;
enum { N = 4 };

static RbBytes read_back(Fixture *f, const char *folder, const char *name) {
    RbBytes bytes = {0};
    const char *path = rb_arena_printf(&f->arena, "%s/%s", folder, name);
    ENSURE(rb_file_read(path, 0, &f->arena, &f->diag, &bytes) == RB_OK);
    return bytes;
}

// The bytes of an array: where its entry says they are, behind their number.
static const void *array_of(RbBytes file, const char *name, size_t want) {
    const char *text = (const char *)file.data, *end = text + file.size;
    char wanted[60];
    snprintf(wanted, sizeof wanted, "Name=\"%s\"", name);
    const char *entry = strstr(text, wanted), *data = strstr(text, "<AppendedData");
    ENSURE(entry && data && entry < data);
    data = strchr(data, '_') + 1;
    const char *offset = strstr(entry, "offset=\"") + strlen("offset=\"");
    const char *at = data + strtoul(offset, NULL, 10);
    uint64_t size;
    memcpy(&size, at, sizeof size);
    ENSURE(size == want);
    ENSURE(at + sizeof size + size < end);
    return at + sizeof size;
}

// A column at rest: every contact carries the weight above it, so the file says.
static void test_column(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    char folder[] = "/tmp/rb_vtk_XXXXXX";
    ENSURE(mkdtemp(folder) != NULL);
    RbCloud *cloud = cloud_of(&f.arena, GLASS, 1e-5, 1);
    cloud->options.gravity = v3(0, 0, -G);
    add_ground(cloud, &f.arena);
    for (int k = 0; k < N; k++)
        rb_cloud_add(cloud, grain(GLASS, R, v3(0.25, 0, (2 * k + 1) * R), V3_ZERO));
    rb_cloud_start(cloud);
    ENSURE(rb_cloud_write_vtk(cloud, folder, 0, f.scratch, &f.diag) == RB_OK);
    run(cloud, 200000);
    ENSURE(rb_cloud_write_vtk(cloud, folder, 7, f.scratch, &f.diag) == RB_OK);

    RbBytes grains = read_back(&f, folder, "grains_000007.vtp");
    const float *place = array_of(grains, "place", N * 3 * sizeof *place);
    const float *radius = array_of(grains, "radius", N * sizeof *radius);
    const int *id = array_of(grains, "id", N * sizeof *id);
    const int *ends = array_of(grains, "offsets", sizeof *ends);
    array_of(grains, "velocity", N * 3 * sizeof *place);
    int end, seen = 0;
    memcpy(&end, ends, sizeof end);
    ENSURE(end == N);
    for (int i = 0; i < N; i++) {
        float xyz[3], r;
        int number;
        memcpy(xyz, place + 3 * i, sizeof xyz);
        memcpy(&r, radius + i, sizeof r);
        memcpy(&number, id + i, sizeof number);
        ENSURE_NEAR(r, R, 1e-9);
        ENSURE_NEAR(xyz[0], 0.25, 1e-7);
        ENSURE_NEAR(xyz[2], (2 * number + 1) * R, 0.02 * R * N);
        seen |= 1 << number;
    }
    ENSURE(seen == (1 << N) - 1);

    RbBytes contacts = read_back(&f, folder, "contacts_000007.vtp");
    const float *force = array_of(contacts, "force", N * 3 * sizeof *force);
    const int *wall = array_of(contacts, "wall", N * sizeof *wall);
    const float *line = array_of(contacts, "place", N * 6 * sizeof *line);
    double weight = mass_of(GLASS, R) * G;
    for (int k = 0; k < N; k++) {
        float along[3], from[6];
        int of;
        memcpy(along, force + 3 * k, sizeof along);
        memcpy(from, line + 6 * k, sizeof from);
        memcpy(&of, wall + k, sizeof of);
        // What lies on the contact is all from its upper end on.
        double upper = fmax(from[2], from[5]), above = N - floor(upper / (2 * R));
        ENSURE_NEAR(fabs(along[2]), above * weight, 1e-5 * weight);
        ENSURE((of == 0) == (upper < 2 * R));
    }

    // The list has both; a frame that is written once more replaces what was after it.
    const char *list = (const char *)read_back(&f, folder, "grains.pvd").data;
    ENSURE(strstr(list, "timestep=\"0\" file=\"grains_000000.vtp\""));
    ENSURE(strstr(list, "timestep=\"2\" file=\"grains_000007.vtp\""));
    ENSURE(rb_cloud_write_vtk(cloud, folder, 3, f.scratch, &f.diag) == RB_OK);
    list = (const char *)read_back(&f, folder, "grains.pvd").data;
    ENSURE(strstr(list, "grains_000000.vtp") && strstr(list, "grains_000003.vtp"));
    ENSURE(!strstr(list, "grains_000007.vtp"));

    ENSURE(rb_cloud_write_vtk(cloud, "/proc/no/folder", 0, f.scratch, &f.diag) == RB_ERROR_IO);
    ENSURE(strstr(fixture_message(&f, 0), "cannot make the folder '/proc/no/folder'"));
    for (int k = 0; k <= 7; k++) {
        unlink(rb_arena_printf(&f.arena, "%s/grains_%06d.vtp", folder, k));
        unlink(rb_arena_printf(&f.arena, "%s/contacts_%06d.vtp", folder, k));
    }
    unlink(rb_arena_printf(&f.arena, "%s/grains.pvd", folder));
    unlink(rb_arena_printf(&f.arena, "%s/contacts.pvd", folder));
    ENSURE(rmdir(folder) == 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
