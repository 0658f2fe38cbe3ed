// SPDX-License-Identifier: MIT
// A plugin whose number of states changes while it runs: a row of cells that a lamp heats at one end, now
// and then. When the heat has spread it goes to sleep, without any state, and it wakes up with its last
// temperatures when the lamp goes on. While the lamp is on there are twice as many cells.
//
//     cc -shared -fPIC -I include -o sleeper.so examples/plugin/sleeper.c
//     rattleback simulate Sleeper --plugin ./sleeper.so --stop-time 1000 --output-file sleeper.rbj
//     rattleback info sleeper.rbj
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rattleback/component.h"

enum { MOST = 200 };                 // cells while the lamp is on
enum { LAMP, PULSE };                // discrete values: 1 while it is on; pulses so far
enum { EVEN };                       // indicator: the largest difference, less what counts as none
static const double capacity = 250;  // [J/K] of the whole row
static const double conductance = 1; // [W/K] from one end to the other
static const double period = 200;    // [s] from pulse to pulse
static const double on = 10;         // [s] length of a pulse
static const double small = 0.05;    // [K]

typedef enum Change { SAME, SLEEP, DIVIDE, UNITE } Change;

typedef struct Sleeper {
    int p_power, p_cells; // numbers of parameters
    double power;         // [W]
    int cells;            // that there are; without states if it sleeps
    bool asleep;
    Change next;    // what an event has asked for; the next segment does it
    double T[MOST]; // [K] when the last segment ended
    bool restored;  // these come from a checkpoint
} Sleeper;

static RbStatus build(void *self, RbBuild *b) {
    Sleeper *s = self;
    s->p_power = rb_build_parameter(
        b, &(RbParameterSpec){"power", 100, "W", "of the lamp", .min = 0, .max = 1e6});
    s->p_cells =
        rb_build_parameter(b, &(RbParameterSpec){"cells", 5, "1", "while the lamp is off", .min = 2,
                                                 .max = MOST / 2, .integer = true});
    rb_build_function(
        b, &(RbFunctionSpec){
               .name = "heat", .after = RB_NONE, .derivative = RB_NONE, .state_derivatives = true});
    return RB_OK;
}

// Each cell becomes two of its temperature, or two become one of their mean: the heat stays.
static void divide(Sleeper *s) {
    for (int i = s->cells - 1; i >= 0; i--) s->T[2 * i] = s->T[2 * i + 1] = s->T[i];
    s->cells *= 2;
}

static void unite(Sleeper *s) {
    s->cells /= 2;
    for (int i = 0; i < s->cells; i++) s->T[i] = 0.5 * (s->T[2 * i] + s->T[2 * i + 1]);
}

static void change(Sleeper *s) {
    if (s->next == DIVIDE) divide(s);
    if (s->next == UNITE) unite(s);
    if (s->next != SAME) s->asleep = s->next == SLEEP;
    s->next = SAME;
}

static RbStatus start_segment(void *self, RbSegment *g) {
    Sleeper *s = self;
    int count;
    const double *d = rb_segment_old_discrete(g, &count),
                 *q = rb_segment_old_quadratures(g, &count);
    s->power = rb_segment_parameter(g, s->p_power);
    if (rb_segment_is_first(g) && !s->restored) { // a run begins
        s->cells = (int)rb_segment_parameter(g, s->p_cells);
        s->asleep = true;
        s->next = SAME;
        for (int i = 0; i < s->cells; i++) s->T[i] = 293.15;
    }
    change(s);
    s->restored = false;
    for (int i = 0; !s->asleep && i < s->cells; i++) {
        char name[32];
        snprintf(name, sizeof name, "T[%d]", i + 1);
        rb_segment_state(g, &(RbStateSpec){name, s->T[i], .nominal = 300, .unit = "K"});
    }
    double lamp = d ? d[LAMP] : 0, pulse = d ? d[PULSE] : 0;
    rb_segment_discrete(g, &(RbDiscreteSpec){"lamp", lamp, "", "1: it is on", false});
    rb_segment_discrete(g, &(RbDiscreteSpec){"pulses", pulse, "", "so far", false});
    rb_segment_quadrature(g, &(RbQuadratureSpec){.name = "heat_in",
                                                 .start = q ? q[0] : 0,
                                                 .unit = "J",
                                                 .description = "from the lamp"});
    rb_segment_indicator(g, &(RbIndicatorSpec){"difference", .direction = -1});
    rb_segment_result(g, &(RbResultSpec){"heat", "J", "above 293.15 K", false});
    rb_segment_result(g, &(RbResultSpec){"warmest", "K", "temperature at the lamp", false});
    rb_segment_time_event(g, lamp != 0 ? period * pulse + on : period * (pulse + 1));
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    const Sleeper *s = self;
    double in = e->discrete[LAMP] * s->power, C = capacity / s->cells, G = conductance * s->cells;
    e->dq[0] = in;
    for (int i = 0; !s->asleep && i < s->cells; i++) {
        double out = i + 1 < s->cells ? G * (e->x[i] - e->x[i + 1]) : 0;
        e->dx[i] = (in - out) / C;
        in = out;
    }
    return RB_EVAL_OK;
}

static RbEvalStatus indicators(void *self, const RbEval *e, double *z) {
    const Sleeper *s = self;
    bool spreads = !s->asleep && e->discrete[LAMP] == 0;
    z[EVEN] = spreads ? e->x[0] - e->x[s->cells - 1] - small : 1;
    return RB_EVAL_OK;
}

// The lamp is switched, or the heat has spread. What is recorded after the event still belongs to this
// segment: the cells change when the next one starts.
static RbRestart at_event(void *self, RbEvent *event) {
    Sleeper *s = self;
    bool spread = event->fired[EVEN] != 0;
    if (!event->time_event && !spread) return RB_NO_RESTART;
    if (!s->asleep) memcpy(s->T, event->x, (size_t)s->cells * sizeof *s->T);
    if (!event->time_event) {
        s->next = SLEEP;
        rb_event_because(event, "the heat has spread: it sleeps");
    } else if (event->discrete[LAMP] != 0) {
        s->next = UNITE;
        event->discrete[LAMP] = 0;
        rb_event_because(event, "the lamp goes off");
    } else {
        s->next = DIVIDE;
        event->discrete[LAMP] = 1;
        event->discrete[PULSE] += 1;
        rb_event_because(event, "the lamp goes on");
    }
    return RB_FULL_RESTART;
}

static void record(void *self, const RbEval *e, double *results) {
    const Sleeper *s = self;
    const double *T = s->asleep ? s->T : e->x;
    results[0] = 0;
    for (int i = 0; i < s->cells; i++) results[0] += capacity / s->cells * (T[i] - 293.15);
    results[1] = T[0];
}

static void save(void *self, RbSaver *saver) {
    const Sleeper *s = self;
    rb_save_int(saver, s->cells);
    rb_save_int(saver, s->asleep);
    rb_save_doubles(saver, s->T, s->cells);
}

static bool restore(void *self, RbLoader *loader) {
    Sleeper *s = self;
    int64_t cells, asleep;
    if (!rb_load_int(loader, &cells) || !rb_load_int(loader, &asleep)) return false;
    if (cells < 1 || cells > MOST) return false;
    s->cells = (int)cells;
    s->asleep = asleep != 0;
    s->restored = true;
    return rb_load_doubles(loader, s->T, s->cells);
}

static const RbComponentType sleeper_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Sleeper",
    .description = "a row of cells that sleeps while its temperature is even",
    .memory = sizeof(Sleeper),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .indicators = indicators,
    .at_event = at_event,
    .record = record,
    .save = save,
    .restore = restore,
};

RB_API const RbComponentType *rb_plugin_component(int index);

const RbComponentType *rb_plugin_component(int index) {
    return index == 0 ? &sleeper_type : NULL;
}
