// SPDX-License-Identifier: MIT
#include "component/saver.h"

void rb_save_doubles(RbSaver *saver, const double *values, int count) {
    rb_pack_doubles(saver->packer, values, count);
}

void rb_save_int(RbSaver *saver, int64_t value) {
    rb_pack_u64(saver->packer, (uint64_t)value);
}

bool rb_load_doubles(RbLoader *loader, double *values, int count) {
    rb_unpack_doubles(&loader->unpacker, values, count);
    return loader->unpacker.ok;
}

bool rb_load_int(RbLoader *loader, int64_t *value) {
    *value = (int64_t)rb_unpack_u64(&loader->unpacker);
    return loader->unpacker.ok;
}
