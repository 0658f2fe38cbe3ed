// SPDX-License-Identifier: MIT
// Finite-element meshes from gmsh and Abaqus files: nodes, the order of the edges, sets, messages with place and remedy.
#include "testing.h"

#include <string.h>

#include "io/tet_file.h"

typedef RbStatus Reader(RbBytes, const char *, RbArena *, RbArena, RbDiag *, RbTetMesh *);

static RbStatus read(Fixture *f, Reader *reader, const char *text, RbTetMesh *mesh) {
    return reader((RbBytes){(const unsigned char *)text, strlen(text)}, "part", &f->arena,
                  f->scratch, &f->diag, mesh);
}

static const char nodes_msh[] =
    "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n7 0 .5 0\n"
    "8 0 0 .5\n9 .5 0 .5\n10 0 .5 .5\n77 9 9 9\n";
static const char nodes_inp[] =
    "1, 0, 0, 0\n2,1,0,0\n3,0,1,0\n4,0,0,1\n5,.5,0,0\n6,.5,.5,0\n7,0,.5,0\n"
    "8,0,0,.5\n9,.5,0,.5\n10,0,.5,.5\n77,9,9,9\n";

// A tetrahedron with straight edges: its gradients are constant and its volume 1/6 only if edges are in our order.
static void check_straight(const RbTetMesh *m) {
    ENSURE(m->node_count == 10 && m->tet_count == 1 && m->order == 2);
    Vec3 places[10], slope[10];
    for (int i = 0; i < 10; i++) places[i] = m->nodes[m->tets[0][i]];
    for (int p = 0; p < 4; p++) {
        double L[4] = {0.1, 0.1, 0.1, 0.1};
        L[p] = 0.7;
        ENSURE_NEAR(rb_tet_gradients(places, 10, L, slope), 1, 1e-14);
    }
    ENSURE(m->set_count == 1 && m->sets[0].count == 6);
    assert_string_equal(m->sets[0].name, "foot");
}

static void both_formats_hold_the_same(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbTetMesh mesh;
    char *text = rb_arena_printf(
        &f.arena,
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 7 \"foot\"\n3 1 \"all\"\n"
        "$EndPhysicalNames\n$Nodes\n11\n%s$EndNodes\n$Elements\n3\n1 15 2 0 1 77\n"
        "2 9 2 7 3 1 2 3 5 6 7\n3 11 2 1 1 1 2 3 4 5 6 7 8 10 9\n$EndElements\n",
        nodes_msh);
    ENSURE(read(&f, rb_msh_read, text, &mesh) == RB_OK);
    check_straight(&mesh);
    text = rb_arena_printf(
        &f.arena,
        "** part\n*Heading\n anything, at all\n*NODE, NSET=Nall\n%s*Element, type=C3D10, ELSET=E\n"
        "1, 1, 2, 3, 4, 5, 6,\n7, 8, 9, 10\n*NSET, NSET=foot\n1,2,3,5,\n6, 7, 77, 7\n*STEP\n",
        nodes_inp);
    ENSURE(read(&f, rb_inp_read, text, &mesh) == RB_OK);
    check_straight(&mesh);
    fixture_close(&f);
}

static void check_message(Reader *reader, const char *text, int line, const char *message) {
    Fixture f;
    fixture_open(&f);
    RbTetMesh mesh;
    ENSURE(read(&f, reader, text, &mesh) == RB_ERROR_IO);
    const RbMessage *m = &f.diag.messages.data[0];
    if (!strstr(m->text, message) || m->at.line != line) fail_msg("%d: %s", m->at.line, m->text);
    fixture_close(&f);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    check_message(rb_msh_read, "", 0, "mesh the volume");
    check_message(rb_msh_read, "$MeshFormat\n4.1 0 8\n", 2, "save it as text of version 2.2");
    check_message(rb_msh_read, "$Nodes\n1\n1 0 0\n", 3, "the line ends where a coordinate");
    check_message(rb_msh_read, "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n", 7,
                  "has node 2, which");
    check_message(rb_msh_read, "$Nodes\n1\n1 0 0 0\n1 1 0 0\n", 4, "stands in the file twice");
    check_message(rb_inp_read, "*NODE\n1, 0, x, 0\n", 2, "found 'x' where a coordinate");
    check_message(rb_inp_read, "*ELEMENT, TYPE=C3D4\n1, 1, 2,\n*STEP\n", 2, "has 2 nodes of 4");
    check_message(rb_inp_read, "*ELEMENT, TYPE=C3D8\n1, 1, 2,3,4,5,6,7,8\n", 0, "no tetrahedra");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats_hold_the_same),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
