// SPDX-License-Identifier: MIT
#include "component/registry.h"

#include <dlfcn.h>
#include <string.h>

#include "base/file.h"
#include "component/builtin/builtin_types.h"

RbRegistry rb_registry(RbArena *arena) {
    RbRegistry registry = {.arena = arena};
    for (int i = 0; rb_builtin_components[i]; i++) {
        rb_array_push(&registry.types, arena, rb_builtin_components[i]);
    }
    return registry;
}

static const RbComponentType *find(const RbRegistry *registry, const char *name) {
    for (int i = 0; i < registry->types.count; i++) {
        if (strcmp(registry->types.data[i]->name, name) == 0) return registry->types.data[i];
    }
    return NULL;
}

RbStatus rb_registry_add(RbRegistry *registry, const RbComponentType *type, const char *origin,
                         RbDiag *diag) {
    RbPos at = rb_in_file(origin);
    if (type->version != RB_COMPONENT_VERSION) {
        return rb_fail(
            diag, RB_ERROR_USAGE, at,
            "a component was built for version %d of the component contract; this program has "
            "version %d. Build the plugin again with its headers",
            type->version, RB_COMPONENT_VERSION);
    }
    if (!type->name || !type->name[0] || !type->build || !type->start_segment || !type->evaluate) {
        return rb_fail(
            diag, RB_ERROR_USAGE, at,
            "component '%s' lacks a name or one of the functions build, start_segment, evaluate",
            type->name ? type->name : "");
    }
    if (find(registry, type->name)) {
        return rb_fail(diag, RB_ERROR_USAGE, at, "there is already a component named '%s'",
                       type->name);
    }
    rb_array_push(&registry->types, registry->arena, type);
    return RB_OK;
}

static void close_plugin(void *handle) {
    dlclose(handle);
}

RbStatus rb_registry_load_plugin(RbRegistry *registry, const char *path, RbDiag *diag) {
    RbPos at = rb_in_file(path);
    const char *name = strchr(path, '/') ? path : rb_arena_printf(registry->arena, "./%s", path);
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return rb_fail(diag, RB_ERROR_USAGE, at, "cannot load the plugin: %s", dlerror());
    rb_arena_defer(registry->arena, close_plugin, handle);
    RbPluginFunction next = NULL;
    *(void **)&next = dlsym(handle, RB_PLUGIN_SYMBOL);
    if (!next) {
        return rb_fail(diag, RB_ERROR_USAGE, at,
                       "this is not a plugin: it does not export the function %s",
                       RB_PLUGIN_SYMBOL);
    }
    for (int i = 0;; i++) {
        const RbComponentType *type = next(i);
        if (!type) return RB_OK;
        RB_TRY(rb_registry_add(registry, type, path, diag));
    }
}

const RbComponentType *rb_registry_find(const RbRegistry *registry, const char *name,
                                        RbDiag *diag) {
    const RbComponentType *type = find(registry, name);
    if (type) return type;
    RbNear near = {.wanted = name};
    for (int i = 0; i < registry->types.count; i++)
        rb_text_try_near(&near, registry->types.data[i]->name);
    rb_fail(diag, RB_ERROR_MODEL, RB_NOWHERE, "there is no component '%s'%s", name,
            rb_text_near_question(&near, "", diag->arena));
    return NULL;
}

uint64_t rb_component_library_hash(const RbComponentType *type) {
    Dl_info own, theirs;
    uint64_t hash;
    const void *mine = &rb_builtin_components;
    if (!dladdr(mine, &own) || !dladdr(type, &theirs) || own.dli_fbase == theirs.dli_fbase)
        return 0;
    return rb_file_hash(theirs.dli_fname, &hash) ? hash : 0;
}
