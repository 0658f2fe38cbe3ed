// SPDX-License-Identifier: MIT
#include "instance.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// messages

static void say(Fmu *f, FmuStatus status, const char *category, const char *text) {
    if (f->log.write) f->log.write(f->log.user, status, category, text);
}

FmuStatus fmu_fail(Fmu *f, const char *format, ...) {
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    say(f, FMU_ERROR, "logStatusError", text);
    return FMU_ERROR;
}

FmuStatus fmu_check(Fmu *f, RbStatus status) {
    for (int n = rb_context_message_count(f->context); f->reported < n; f->reported++) {
        RbMessage m;
        if (rb_context_message_data(f->context, f->reported, &m) != RB_OK) continue;
        const char *text = rb_context_message(f->context, f->reported);
        if (m.severity == RB_ERROR) say(f, FMU_ERROR, "logStatusError", text);
        if (m.severity == RB_WARNING) say(f, FMU_WARNING, "logStatusWarning", text);
    }
    return status == RB_OK ? FMU_OK : FMU_ERROR;
}

// A line of the library's own log.
static void pass_on(void *user, const char *topic, const char *line) {
    Fmu *f = user;
    for (int i = 0; rb_log_topic(i); i++) {
        bool wanted = f->log.on && (f->log.topics >> i & 1);
        if (wanted && strcmp(topic, rb_log_topic(i)) == 0) say(f, FMU_OK, topic, line);
    }
}

void fmu_choose_log(Fmu *f, bool on, size_t count, const char *const categories[]) {
    f->log.on = on;
    f->log.topics = count == 0 ? ~(uint64_t)0 : 0;
    for (int i = 0; on && rb_log_topic(i); i++) {
        for (size_t k = 0; k < count; k++) {
            if (categories && categories[k] && strcmp(categories[k], rb_log_topic(i)) == 0)
                f->log.topics |= (uint64_t)1 << i;
        }
        if (f->log.topics >> i & 1) rb_context_log(f->context, rb_log_topic(i), pass_on, f);
    }
}

static const char *mode_name(FmuMode mode) {
    switch (mode) {
        case FMU_INSTANTIATED: return "before the initialization mode";
        case FMU_INITIALIZING: return "in the initialization mode";
        case FMU_STEPPING: return "in the step mode";
        case FMU_AT_EVENT: return "in the event mode";
        case FMU_TERMINATED: return "after the end";
        case FMU_FAILED: return "after a failure";
        case FMU_CONTINUOUS: return "in the continuous-time mode";
    }
    return "";
}

bool fmu_allows(Fmu *f, const char *function, int modes) {
    if (!f) return false;
    if ((int)f->mode & modes) return true;
    fmu_fail(f, "%s: this call is not allowed %s", function, mode_name(f->mode));
    return false;
}

// -------------------------------------------------------------------------------------------------
// the card

static char *read_file(const char *path) {
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    long size = -1;
    if (in && fseek(in, 0, SEEK_END) == 0) size = ftell(in);
    if (size >= 0 && fseek(in, 0, SEEK_SET) == 0) text = malloc((size_t)size + 1);
    if (text && fread(text, 1, (size_t)size, in) != (size_t)size) {
        free(text);
        text = NULL;
    }
    if (text) text[size] = 0;
    if (in) fclose(in);
    return text;
}

// "r p name", "s p name<TAB>text"
static bool read_variable(Fmu *f, char *line) {
    if (strlen(line) < 5 || line[1] != ' ' || line[3] != ' ') return false;
    char *tab = strchr(line, '\t');
    if (tab) *tab = 0;
    f->variables[f->variable_count++] = (FmuVariable){.name = line + 4,
                                                      .type = line[0],
                                                      .access = line[2],
                                                      .number = -1,
                                                      .count = 1,
                                                      .input = -1,
                                                      .start = tab ? tab + 1 : ""};
    return true;
}

// "first count"
static bool read_array(Fmu *f, const char *line) {
    char *next;
    unsigned long first = strtoul(line, &next, 10), count = strtoul(next, NULL, 10);
    if (count == 0 || first >= f->variable_count || count > f->variable_count - first) return false;
    for (size_t i = 0; i < count; i++) f->variables[first + i].count = i == 0 ? count : 0;
    return true;
}

static bool read_line(Fmu *f, char *line) {
    char *value = strchr(line, ' ');
    if (!value) return line[0] == 0;
    *value++ = 0;
    if (strcmp(line, "variable") == 0) return read_variable(f, value);
    if (strcmp(line, "array") == 0) return read_array(f, value);
    if (strcmp(line, "set") == 0) f->settings[f->setting_count++] = value;
    if (strcmp(line, "token") == 0) f->token = value;
    if (strcmp(line, "file") == 0) f->file = value;
    if (strcmp(line, "class") == 0) f->class_name = value;
    if (strcmp(line, "solver") == 0) f->solver = value;
    if (strcmp(line, "types") == 0) f->types = value;
    if (strcmp(line, "states") == 0) f->states = atoi(value);
    if (strcmp(line, "indicators") == 0) f->indicators = atoi(value);
    if (strcmp(line, "multibody") == 0) f->engine = strcmp(value, "engine") == 0;
    if (strcmp(line, "residual") == 0)
        f->residual_systems = strcmp(value, "always") == 0 ? RB_RESIDUAL_ALWAYS : RB_RESIDUAL_NEVER;
    return true;
}

// For what a master integrates; inputs are variables.
static bool make_room(Fmu *f) {
    int name_indicators = 0;
    if (f->states < 0 || f->indicators < 0) return false;
    for (size_t i = 0; i < f->variable_count; i++) {
        if (f->variables[i].type == FMU_INDICATOR) f->variables[i].input = name_indicators++;
    }
    f->x = calloc((size_t)f->states + 1, sizeof *f->x);
    f->z = calloc((size_t)f->indicators + 1, sizeof *f->z);
    f->u = calloc(f->variable_count + 1, sizeof *f->u);
    return f->x && f->z && f->u && name_indicators <= f->indicators;
}

static bool read_card(Fmu *f) {
    char path[4096];
    snprintf(path, sizeof path, "%srattleback.txt", f->folder);
    f->card = read_file(path);
    if (!f->card) return false;
    size_t lines = 1;
    for (const char *c = f->card; *c; c++) lines += *c == '\n';
    f->variables = calloc(lines, sizeof *f->variables);
    f->settings = calloc(lines, sizeof *f->settings);
    f->numbers = calloc(lines, sizeof *f->numbers);
    f->values = calloc(lines, sizeof *f->values);
    f->elements = calloc(2 * lines, sizeof *f->elements);
    if (!f->variables || !f->settings || !f->numbers || !f->values || !f->elements) return false;
    for (char *line = f->card, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (!read_line(f, line)) return false;
    }
    return f->token && f->class_name && f->solver && f->types && make_room(f);
}

// -------------------------------------------------------------------------------------------------
// opening and closing

static FmuStatus translate(Fmu *f) {
    char folder[4096], file[8192];
    snprintf(folder, sizeof folder, "%smodelica", f->folder);
    const char *libraries[] = {folder, NULL};
    RbModelica source = rb_modelica_default();
    if (f->file) {
        snprintf(file, sizeof file, "%s/%s", folder, f->file);
        source.file = file;
    }
    source.class_name = f->class_name;
    source.libraries = libraries;
    source.multibody_engine = f->engine;
    source.residual_systems = f->residual_systems;
    source.no_external = true;
    if (fmu_check(f, rb_modelica_translate(f->context, &source, &f->model)) != FMU_OK)
        return FMU_ERROR;
    for (size_t i = 0; i < f->setting_count; i++) {
        char name[1000];
        const char *value = strchr(f->settings[i], '=');
        if (!value || (size_t)(value - f->settings[i]) >= sizeof name) continue;
        snprintf(name, sizeof name, "%.*s", (int)(value - f->settings[i]), f->settings[i]);
        RbStatus status = rb_model_set_text(f->model, name, value + 1);
        if (fmu_check(f, status) != FMU_OK) return FMU_ERROR;
    }
    return FMU_OK;
}

static void forget_texts(Fmu *f, bool journal) {
    for (size_t i = 0; i < f->variable_count; i++) {
        FmuVariable *v = &f->variables[i];
        if ((v->type == FMU_JOURNAL) != journal) continue;
        free(v->text);
        v->text = NULL;
    }
}

// The journal belongs to the instance, not to the state of the model.
static void forget_given(Fmu *f) {
    forget_texts(f, false);
    for (size_t i = 0; i < f->variable_count; i++) {
        f->variables[i].given = false;
        f->variables[i].number = -1;
    }
}

static void close_run(Fmu *f) {
    f->saved = NULL; // goes with the run
    rb_run_close(f->run, NULL);
    f->run = NULL;
}

FmuStatus fmu_reload(Fmu *f) {
    rb_context_free(f->context);
    f->run = NULL;
    f->saved = NULL;
    f->model = NULL;
    f->reported = 0;
    forget_given(f);
    f->context = rb_context_create(NULL);
    if (!f->context) return fmu_fail(f, "there is no memory for another instance");
    for (int i = 0; f->log.on && rb_log_topic(i); i++) {
        if (f->log.topics >> i & 1) rb_context_log(f->context, rb_log_topic(i), pass_on, f);
    }
    return translate(f);
}

static bool has_type_of(const Fmu *f, bool exchange) {
    return strcmp(f->types, "both") == 0 || strcmp(f->types, exchange ? "me" : "cs") == 0;
}

Fmu *fmu_open(const char *token, const char *resources, bool exchange, FmuLog log) {
    Fmu none = {.log = log};
    Fmu *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    *f = (Fmu){.log = log, .mode = FMU_INSTANTIATED, .start = NAN, .stop = NAN, .tolerance = NAN};
    size_t length = strlen(resources);
    f->folder = malloc(length + 2);
    if (f->folder)
        snprintf(f->folder, length + 2, "%s%s", resources,
                 length > 0 && resources[length - 1] == '/' ? "" : "/");
    bool good = f->folder && length < 4000 && read_card(f);
    if (!good) fmu_fail(&none, "the resources of the FMU cannot be read in '%s'", resources);
    if (good && (!token || strcmp(token, f->token) != 0)) {
        fmu_fail(&none, "the token '%s' of modelDescription.xml is not that of this FMU, '%s'",
                 token ? token : "", f->token);
        good = false;
    }
    if (good && !has_type_of(f, exchange)) {
        fmu_fail(&none, "this FMU is for %s only; export it with --type both",
                 exchange ? "co-simulation" : "model exchange");
        good = false;
    }
    f->exchange = exchange;
    if (good && fmu_reload(f) == FMU_OK) return f;
    fmu_close(f);
    return NULL;
}

void fmu_close(Fmu *f) {
    if (!f) return;
    rb_context_free(f->context);
    forget_given(f);
    forget_texts(f, true);
    free(f->variables);
    free(f->settings);
    free(f->numbers);
    free(f->elements);
    free(f->values);
    free(f->x);
    free(f->z);
    free(f->u);
    free(f->card);
    free(f->folder);
    free(f);
}

// -------------------------------------------------------------------------------------------------
// the run

// NULL: none is wanted.
static const char *journal_of(const Fmu *f) {
    for (size_t i = 0; i < f->variable_count; i++) {
        const FmuVariable *v = &f->variables[i];
        if (v->type == FMU_JOURNAL && v->text && v->text[0]) return v->text;
    }
    return NULL;
}

// Without a stop time of the master the run may last a thousand times as long as the model says, with
// steps as it would make by itself.
static RbSimOptions options_of(const Fmu *f) {
    const double longest = 1000, parts = 500;
    RbSimOptions o = rb_model_options(f->model);
    double span = o.stop_time > o.start_time ? o.stop_time - o.start_time : 1;
    if (!isnan(f->start)) o.start_time = f->start;
    if (!isnan(f->tolerance)) o.tolerance = f->tolerance;
    o.stop_time = isnan(f->stop) ? o.start_time + longest * span : f->stop;
    if (isnan(f->stop)) o.max_step = span / parts;
    o.journal_file = journal_of(f);
    if (!o.journal_file) o.output_interval = 0;
    if (strcmp(f->solver, "auto") != 0) o.solver = f->solver;
    if (f->exchange) o.solver = "caller";
    return o;
}

static FmuStatus apply_given(Fmu *f) {
    for (size_t i = 0; i < f->variable_count; i++) {
        const FmuVariable *v = &f->variables[i];
        if (!v->given) continue;
        RbStatus status = v->type == FMU_STRING ? rb_model_set_text(f->model, v->name, v->text)
                                                : rb_model_set(f->model, v->name, v->value);
        if (fmu_check(f, status) != FMU_OK) return FMU_ERROR;
    }
    return FMU_OK;
}

FmuStatus fmu_start(Fmu *f) {
    if (f->run) return FMU_OK;
    if (apply_given(f) != FMU_OK) return FMU_ERROR;
    RbSimOptions o = options_of(f);
    if (fmu_check(f, rb_run_open(f->context, f->model, &o, &f->run)) != FMU_OK) return FMU_ERROR;
    for (size_t i = 0; i < f->variable_count; i++) {
        FmuVariable *v = &f->variables[i];
        v->number = strchr("stzj", v->type) ? -1 : rb_run_find(f->run, v->name); // of FMU_...
    }
    f->step_start = f->last_time = rb_run_time(f->run);
    f->ended = false;
    FmuStatus status = fmu_check(f, RB_OK);
    return f->exchange && status == FMU_OK ? fmu_open_exchange(f) : status;
}

// -------------------------------------------------------------------------------------------------
// values

double *fmu_room(Fmu *f, size_t count) {
    return f && count <= f->variable_count ? f->values : NULL;
}

bool fmu_elements(Fmu *f, int which, const uint32_t *references, size_t count, size_t values,
                  const uint32_t **elements) {
    if (!f) return false;
    uint32_t *out = f->elements + (which ? f->variable_count : 0);
    size_t total = 0;
    for (size_t i = 0; references && i < count; i++) {
        uint32_t first = references[i];
        size_t own = first < f->variable_count ? f->variables[first].count : 1;
        if (own == 0) {
            fmu_fail(f, "the value reference %u is none of a variable", (unsigned)first);
            return false;
        }
        for (size_t k = 0; k < own && total + k < f->variable_count; k++)
            out[total + k] = first + (uint32_t)k;
        total += own;
    }
    *elements = out;
    if ((references || count == 0) && total == values && total <= f->variable_count) return true;
    fmu_fail(f, "%zu value references stand for %zu values, and there are %zu", count, total, values);
    return false;
}

// Time is a Real, and so are event indicators; the name of a journal is a String.
static bool has_type(const FmuVariable *v, char type) {
    return v->type == type ||
           (type == FMU_REAL && (v->type == FMU_TIME || v->type == FMU_INDICATOR)) ||
           (type == FMU_STRING && v->type == FMU_JOURNAL);
}

static FmuStatus check_references(Fmu *f, char type, const uint32_t *references, size_t count,
                                  const void *values) {
    if (count > 0 && (!references || !values)) return fmu_fail(f, "an array of a call is NULL");
    if (count > f->variable_count) return fmu_fail(f, "more values than there are variables");
    for (size_t i = 0; i < count; i++) {
        if (references[i] < f->variable_count && has_type(&f->variables[references[i]], type))
            continue;
        return fmu_fail(f, "the value reference %u is none of a variable of this type",
                        (unsigned)references[i]);
    }
    return FMU_OK;
}

enum {
    READABLE = FMU_INITIALIZING | FMU_STEPPING | FMU_AT_EVENT | FMU_CONTINUOUS | FMU_TERMINATED |
               FMU_FAILED
};

// One that is no variable of the run.
static double own_value(const Fmu *f, const FmuVariable *v) {
    switch (v->type) {
        case FMU_TIME: return rb_run_time(f->run);
        case FMU_INDICATOR: return f->z[v->input];
        default: return NAN;
    }
}

FmuStatus fmu_get(Fmu *f, char type, const uint32_t *references, size_t count, double *values) {
    if (!fmu_allows(f, "get a value", READABLE)) return FMU_ERROR;
    if (check_references(f, type, references, count, values) != FMU_OK) return FMU_ERROR;
    if (!f->run && f->mode != FMU_INITIALIZING)
        return fmu_fail(f, "there is no run whose values could be read");
    if (fmu_start(f) != FMU_OK) return FMU_ERROR;
    if (fmu_place(f) != FMU_OK) return FMU_ERROR;
    size_t wanted = 0;
    bool indicators = false;
    for (size_t i = 0; i < count; i++) {
        const FmuVariable *v = &f->variables[references[i]];
        if (v->number >= 0) f->numbers[wanted++] = v->number;
        indicators |= v->type == FMU_INDICATOR;
    }
    RbStatus status = rb_run_get(f->run, f->numbers, (int)wanted, values);
    if (indicators && status == RB_OK) status = rb_run_indicators(f->run, NULL, f->z);
    // From the last to the first, since some have no number.
    for (size_t i = count; i-- > 0;) {
        const FmuVariable *v = &f->variables[references[i]];
        values[i] = v->number >= 0 ? values[--wanted] : own_value(f, v);
    }
    return fmu_check(f, status);
}

static FmuStatus check_access(Fmu *f, const uint32_t *references, size_t count) {
    bool runs = f->mode & (FMU_STEPPING | FMU_AT_EVENT), integrates = f->mode == FMU_CONTINUOUS;
    for (size_t i = 0; i < count; i++) {
        const FmuVariable *v = &f->variables[references[i]];
        if (integrates && v->access != '-' && (v->access != 'u' || v->type != FMU_REAL))
            return fmu_fail(f, "'%s' can only be set in the event mode", v->name);
        if (strchr(runs ? "pu" : "pxuv", v->access)) continue;
        return fmu_fail(f, "'%s' cannot be set%s", v->name,
                        v->access == '-' ? ": it follows from the model" : " while the model runs");
    }
    return FMU_OK;
}

enum {
    WRITABLE = FMU_INSTANTIATED | FMU_INITIALIZING | FMU_STEPPING | FMU_AT_EVENT | FMU_CONTINUOUS
};

// While the model runs.
static FmuStatus set_now(Fmu *f, const uint32_t *references, size_t count, const double *values) {
    for (size_t i = 0; i < count; i++) {
        const FmuVariable *v = &f->variables[references[i]];
        f->numbers[i] = v->number;
        if (v->input >= 0) f->u[v->input] = values[i];
    }
    if (f->mode == FMU_CONTINUOUS) {
        f->moved = true;
        return FMU_OK;
    }
    f->event_due = true;
    return fmu_check(f, rb_run_set(f->run, f->numbers, (int)count, values));
}

FmuStatus fmu_set(Fmu *f, char type, const uint32_t *references, size_t count,
                  const double *values) {
    if (!fmu_allows(f, "set a value", WRITABLE)) return FMU_ERROR;
    if (check_references(f, type, references, count, values) != FMU_OK) return FMU_ERROR;
    if (check_access(f, references, count) != FMU_OK) return FMU_ERROR;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return fmu_fail(f, "'%s' cannot be set to %g", f->variables[references[i]].name,
                            values[i]);
    }
    if (f->mode & (FMU_STEPPING | FMU_AT_EVENT | FMU_CONTINUOUS))
        return set_now(f, references, count, values);
    for (size_t i = 0; i < count; i++) {
        f->variables[references[i]].given = true;
        f->variables[references[i]].value = values[i];
    }
    if (f->run) close_run(f);
    return FMU_OK;
}

FmuStatus fmu_get_texts(Fmu *f, const uint32_t *references, size_t count, const char **values) {
    if (!fmu_allows(f, "get a String", READABLE)) return FMU_ERROR;
    if (check_references(f, FMU_STRING, references, count, values) != FMU_OK) return FMU_ERROR;
    for (size_t i = 0; i < count; i++) {
        const FmuVariable *v = &f->variables[references[i]];
        values[i] = v->text ? v->text : v->start;
    }
    return FMU_OK;
}

FmuStatus fmu_set_texts(Fmu *f, const uint32_t *references, size_t count,
                        const char *const *values) {
    if (!fmu_allows(f, "set a String", FMU_INSTANTIATED | FMU_INITIALIZING)) return FMU_ERROR;
    if (check_references(f, FMU_STRING, references, count, values) != FMU_OK) return FMU_ERROR;
    if (check_access(f, references, count) != FMU_OK) return FMU_ERROR;
    if (f->run) close_run(f); // which knows the texts
    for (size_t i = 0; i < count; i++) {
        FmuVariable *v = &f->variables[references[i]];
        char *copy = values[i] ? strdup(values[i]) : NULL;
        if (!copy) return fmu_fail(f, "'%s' cannot be set to no text", v->name);
        free(v->text);
        v->text = copy;
        v->given = v->type != FMU_JOURNAL;
    }
    return FMU_OK;
}

// -------------------------------------------------------------------------------------------------
// modes

FmuStatus fmu_set_up(Fmu *f, double tolerance, double start, double stop) {
    if (!isfinite(start)) return fmu_fail(f, "the start time is %g", start);
    if (!isnan(stop) && !(stop > start))
        return fmu_fail(f, "the stop time %g s is not after the start time %g s", stop, start);
    f->tolerance = tolerance > 0 ? tolerance : NAN;
    f->start = start;
    f->stop = isinf(stop) ? NAN : stop;
    return FMU_OK;
}

FmuStatus fmu_enter_initialization(Fmu *f) {
    if (!fmu_allows(f, "enter the initialization mode", FMU_INSTANTIATED)) return FMU_ERROR;
    f->mode = FMU_INITIALIZING;
    return FMU_OK;
}

FmuStatus fmu_exit_initialization(Fmu *f, bool event_mode) {
    if (!fmu_allows(f, "exit the initialization mode", FMU_INITIALIZING)) return FMU_ERROR;
    FmuStatus status = fmu_start(f);
    event_mode |= f->exchange;
    f->mode = status != FMU_OK ? FMU_FAILED : event_mode ? FMU_AT_EVENT : FMU_STEPPING;
    f->event_due = false; // the run has settled
    return status;
}

FmuStatus fmu_terminate(Fmu *f) {
    if (!fmu_allows(f, "terminate", FMU_STEPPING | FMU_AT_EVENT | FMU_CONTINUOUS | FMU_FAILED))
        return FMU_ERROR;
    f->mode = FMU_TERMINATED;
    return FMU_OK;
}

FmuStatus fmu_reset(Fmu *f) {
    f->start = f->stop = f->tolerance = NAN;
    f->mode = FMU_INSTANTIATED;
    forget_texts(f, true);
    FmuStatus status = fmu_reload(f);
    if (status != FMU_OK) f->mode = FMU_FAILED;
    return status;
}

// -------------------------------------------------------------------------------------------------
// a step

static FmuStatus check_step(Fmu *f, double now, double size) {
    double slack = 1e-9 * (fabs(now) + size), stop = isnan(f->stop) ? INFINITY : f->stop;
    if (!(size > 0) || !isfinite(now) || !isfinite(size))
        return fmu_fail(f, "a communication step of %g s at %g s", size, now);
    if (fabs(now - f->last_time) > slack)
        return fmu_fail(f,
                        "the communication point %.12g s is not the end of the last step, %.12g s",
                        now, f->last_time);
    if (now + size > stop + slack)
        return fmu_fail(f, "the step to %.12g s goes beyond the stop time %.12g s", now + size,
                        stop);
    return FMU_OK;
}

FmuStatus fmu_step(Fmu *f, double now, double size, bool at_events, FmuStep *step) {
    *step = (FmuStep){0};
    if (!fmu_allows(f, "make a step", FMU_STEPPING)) return FMU_ERROR;
    step->time = f->last_time;
    step->ended = f->ended;
    if (check_step(f, now, size) != FMU_OK) return FMU_ERROR;
    double target = now + size;
    RbStopped stopped;
    RbStatus status =
        rb_run_step(f->run, at_events ? RB_UNTIL_EVENT : RB_UNTIL_TIME, target, &stopped);
    if (fmu_check(f, status) != FMU_OK) {
        step->time = f->last_time = rb_run_time(f->run);
        f->mode = FMU_FAILED;
        return FMU_ERROR;
    }
    bool short_of = stopped.time < target - 1e-9 * (fabs(target) + size);
    step->event = at_events && stopped.event;
    step->ended = f->ended = stopped.finished && short_of;
    step->time = f->last_time = short_of ? stopped.time : target;
    return step->ended ? FMU_DISCARD : FMU_OK;
}
