// SPDX-License-Identifier: MIT
// Any bytes as a finite-element mesh, of gmsh or, after a first letter i, of Abaqus: what is read refers to nodes that there are.
#include "fuzz.h"

#include "io/tet_file.h"

static RbStatus body(Fuzz *f) {
    bool inp = f->size > 0 && f->data[0] == 'i';
    RbBytes bytes = {f->data + inp, f->size - inp};
    RbTetMesh m;
    RB_TRY((inp ? rb_inp_read : rb_msh_read)(bytes, "fuzz", &f->arena, f->scratch, &f->diag, &m));
    for (int e = 0; e < m.tet_count; e++)
        for (int i = 0; i < rb_tet_mesh_corners(&m); i++)
            if (m.tets[e][i] < 0 || m.tets[e][i] >= m.node_count) abort();
    for (int s = 0; s < m.set_count; s++)
        for (int i = 0; i < m.sets[s].count; i++)
            if (m.sets[s].node[i] < 0 || m.sets[s].node[i] >= m.node_count) abort();
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 2000, body);
    return 0;
}
