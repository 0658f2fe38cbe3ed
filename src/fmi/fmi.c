// SPDX-License-Identifier: MIT
#include "fmi/fmi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"

enum { MOST_INDICATORS = 1000000 };

static const char *text_of(RbXml *e, const char *name) {
    const char *value = rb_xml_attribute(e, name);
    return value ? value : "";
}

static bool flag(RbXml *e, const char *name) {
    const char *value = rb_xml_attribute(e, name);
    return value && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

// The identifier is the name of a file in the archive, and part of that of a folder.
static RbStatus read_kind(RbFmi *f, RbXml *root, const char *element, RbDiag *diag, RbFmiKind *k) {
    int version = f->version;
    RbXml *e = rb_xml_child(root, element);
    if (!e) return RB_OK;
    RB_TRY(rb_xml_needed(e, "modelIdentifier", &k->identifier, diag));
    if (strpbrk(k->identifier, "/\\") || k->identifier[0] == '.')
        return rb_fail(diag, RB_ERROR_MODEL, e->at, "the modelIdentifier '%.60s' is no name in C",
                       k->identifier);
    k->can_state = flag(e, version == 2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    k->can_serialize =
        k->can_state && flag(e, version == 2 ? "canSerializeFMUstate" : "canSerializeFMUState");
    k->completed_step =
        k == &f->exchange && (version == 2 ? !flag(e, "completedIntegratorStepNotNeeded")
                                           : flag(e, "needsCompletedIntegratorStep"));
    k->event_mode = flag(e, "hasEventMode");
    k->directional =
        flag(e, version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
    k->any_step = flag(e, "canHandleVariableCommunicationStepSize");
    k->once = flag(e, "canBeInstantiatedOnlyOncePerProcess");
    return RB_OK;
}

static RbStatus read_experiment(RbFmi *f, RbXml *root, RbDiag *diag) {
    RbXml *e = rb_xml_child(root, "DefaultExperiment");
    f->start_time = f->stop_time = f->tolerance = f->step = NAN;
    if (!e) return RB_OK;
    RB_TRY(rb_xml_number(e, "startTime", &f->start_time, diag));
    RB_TRY(rb_xml_number(e, "stopTime", &f->stop_time, diag));
    RB_TRY(rb_xml_number(e, "tolerance", &f->tolerance, diag));
    return rb_xml_number(e, "stepSize", &f->step, diag);
}

// Those that the standard has for what went wrong.
static void read_categories(RbFmi *f, RbXml *root) {
    static const char *const known[] = {"logStatusWarning", "logStatusDiscard", "logStatusError",
                                        "logStatusFatal"};
    enum { KNOWN = sizeof known / sizeof *known };
    f->log_categories = rb_new_array(f->arena, const char *, KNOWN + 1);
    RbXml *all = rb_xml_child(root, "LogCategories");
    for (RbXml *e = rb_xml_child(all, "Category"); e; e = rb_xml_next(e)) {
        const char *name = text_of(e, "name");
        for (int i = 0; i < KNOWN && f->log_category_count < KNOWN; i++)
            if (strcmp(name, known[i]) == 0) f->log_categories[f->log_category_count++] = known[i];
    }
}

static RbStatus read_root(RbFmi *f, RbXml *root, RbDiag *diag) {
    const char *version;
    if (strcmp(root->name, "fmiModelDescription") != 0)
        return rb_fail(
            diag, RB_ERROR_MODEL, root->at,
            "<%.60s> is no description of an FMU; that begins with <fmiModelDescription>",
            root->name);
    RB_TRY(rb_xml_needed(root, "fmiVersion", &version, diag));
    f->version = version[0] == '2' || version[0] == '3' ? version[0] - '0' : 0;
    if (f->version == 0 || version[1] != '.')
        return rb_fail(diag, RB_ERROR_MODEL, root->at,
                       "this is an FMU of FMI %.20s; 2.0 and 3.0 are imported", version);
    RB_TRY(rb_xml_needed(root, "modelName", &f->name, diag));
    RB_TRY(rb_xml_needed(root, f->version == 2 ? "guid" : "instantiationToken", &f->token, diag));
    f->description = text_of(root, "description");
    f->tool = text_of(root, "generationTool");
    f->author = text_of(root, "author");
    f->date = text_of(root, "generationDateAndTime");
    RB_TRY(read_kind(f, root, "ModelExchange", diag, &f->exchange));
    RB_TRY(read_kind(f, root, "CoSimulation", diag, &f->cosimulation));
    RB_TRY(read_experiment(f, root, diag));
    read_categories(f, root);
    if (!f->exchange.identifier && !f->cosimulation.identifier)
        return rb_fail(diag, RB_ERROR_MODEL, root->at,
                       "the FMU is neither for model exchange nor for co-simulation%s",
                       rb_xml_child(root, "ScheduledExecution")
                           ? "; scheduled execution is not known here"
                           : "");
    double indicators = 0;
    RB_TRY(rb_xml_number(root, "numberOfEventIndicators", &indicators, diag));
    if (!(indicators >= 0 && indicators <= MOST_INDICATORS))
        return rb_fail(diag, RB_ERROR_MODEL, root->at,
                       "numberOfEventIndicators is %g; it must be from 0 to %d", indicators,
                       MOST_INDICATORS);
    f->indicator_count = (int)indicators;
    RB_TRY(rb_fmi_read_variables(f, root, diag));
    return rb_fmi_read_structure(f, root, diag);
}

RbStatus rb_fmi_read(const char *path, RbBytes bytes, RbArena *arena, RbDiag *diag, RbFmi **out) {
    enum { MOST = 256 << 20 }; // [bytes] of the description
    const char *slash = strrchr(path, '/');
    RbBlob xml;
    RbXml *root;
    RbFmi *f = rb_new(arena, RbFmi);
    *f = (RbFmi){.path = rb_arena_text(arena, path),
                 .arena = arena,
                 .hash = rb_hash_bytes(RB_HASH_START, bytes.data, bytes.size)};
    f->file = rb_arena_text(arena, slash ? slash + 1 : path);
    RB_TRY(rb_unzip(f->path, (RbBlob){bytes.data, bytes.size}, arena, diag, &f->zip));
    const RbZipFile *description = rb_unzip_find(&f->zip, "modelDescription.xml");
    if (!description)
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(f->path),
                       "this is no FMU: there is no modelDescription.xml in the archive");
    if (description->size > MOST)
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(f->path),
                       "modelDescription.xml has more than 256 MiB");
    RB_TRY(rb_unzip_read(&f->zip, description, arena, diag, &xml));
    const char *name = rb_arena_join(arena, f->path, "/", "modelDescription.xml");
    RB_TRY(rb_xml_read(name, (RbBytes){xml.bytes, xml.size}, arena, diag, &root));
    RB_TRY(read_root(f, root, diag));
    *out = f;
    return RB_OK;
}

RbStatus rb_fmi_open(const char *path, RbArena *arena, RbDiag *diag, RbFmi **out) {
    RbBytes bytes;
    RB_TRY(rb_file_read(path, 0, arena, diag, &bytes));
    return rb_fmi_read(path, bytes, arena, diag, out);
}
