// SPDX-License-Identifier: MIT
// What a component declares for a segment, and what it may ask while it does.
#include "testing.h"

#include "component/segment.h"

typedef struct Part {
    int parameter;
    int mistake;
    RbStatus answer;
    int old_count;
    double old_first;
} Part;

static RbStatus build(void *self, RbBuild *b) {
    Part *p = self;
    p->parameter = rb_build_parameter(b, &(RbParameterSpec){"k", 7});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Part *p = self;
    const double *old = rb_segment_old_states(s, &p->old_count);
    p->old_first = old ? old[0] : NAN;
    if (p->mistake == 1) return rb_segment_fail(s, "the %s is cold", "engine");
    if (p->mistake == 2) return RB_ERROR_INIT;
    rb_segment_state(s, &(RbStateSpec){"x", rb_segment_parameter(s, p->parameter), .group = -3});
    rb_segment_state(s, &(RbStateSpec){"v", p->mistake == 3 ? NAN : 0, .nominal = 5, .group = 2});
    if (p->mistake == 4) rb_segment_indicator(s, &(RbIndicatorSpec){"z"});
    if (p->mistake == 5) rb_segment_result(s, &(RbResultSpec){"r"});
    rb_segment_quadrature(s, &(RbQuadratureSpec){"E", 1, "J"});
    rb_segment_discrete(s, &(RbDiscreteSpec){"mode", 2});
    rb_segment_constant(s, &(RbResultSpec){"c"}, 3);
    rb_segment_time_event(s, rb_segment_time(s) + 1);
    rb_segment_workspace(s, 100);
    ENSURE(((char *)rb_segment_memory(s, 64))[63] == 0);
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *in,
                             double *out) {
    return (void)self, (void)e, (void)function, (void)in, (void)out, RB_EVAL_OK;
}

static const RbComponentType part_type = {RB_COMPONENT_VERSION, "Part",
                                          "for tests",          sizeof(Part),
                                          .build = build,       .start_segment = start_segment,
                                          .evaluate = evaluate};

static RbStatus start(Fixture *f, int mistake, const RbOldValues *old, RbInstance *c,
                      RbSegment **s) {
    fixture_open(f);
    ENSURE(rb_instance_create(&part_type, "part", NULL, &f->arena, &f->diag, c) == RB_OK);
    ((Part *)c->self)->mistake = mistake;
    return rb_segment_start(c, 2.5, old, NULL, &f->arena, f->scratch, &f->diag, s);
}

static void declarations_are_kept(void **state) {
    (void)state;
    Fixture f;
    RbInstance c;
    RbSegment *s;
    ENSURE(start(&f, 0, NULL, &c, &s) == RB_OK);
    ENSURE(rb_segment_is_first(s) && rb_segment_time(s) == 2.5);
    ENSURE(s->states.count == 2 && s->quadratures.count == 1 && s->discretes.count == 1);
    ENSURE(s->states.data[0].start == 7 && s->states.data[0].nominal == 1); // none given
    ENSURE(s->states.data[1].nominal == 5);
    assert_string_equal(s->states.data[0].unit, "");
    ENSURE(s->states.data[0].group == 0 && s->group_count == 3); // groups are counted from 0
    ENSURE(s->constants.count == 1 && s->constant_values.data[0] == 3);
    ENSURE(s->next_time == 3.5 && s->workspace == 100);
    const Part *p = c.self;
    ENSURE(p->old_count == 0 && isnan(p->old_first));
    fixture_close(&f);
}

static void the_segment_before_is_visible(void **state) {
    (void)state;
    Fixture f;
    RbInstance c;
    RbSegment *s;
    const double x[] = {4, 5, 6};
    ENSURE(start(&f, 0, &(RbOldValues){.x = x, .x_count = 3}, &c, &s) == RB_OK);
    const Part *p = c.self;
    ENSURE(!rb_segment_is_first(s) && p->old_count == 3 && p->old_first == 4);
    fixture_close(&f);
}

static void what_cannot_start_is_named(void **state) {
    (void)state;
    static const struct {
        RbStatus status;
        const char *message;
    } want[] = {
        {RB_ERROR_INIT, "rattleback: error: component 'part' cannot start at t = 2.5 s: the engine "
                        "is cold [initialisation]\n"},
        {RB_ERROR_INIT, "rattleback: error: component 'part' of type 'Part' cannot start at t = "
                        "2.5 s [initialisation]\n"},
        {RB_ERROR_INIT,
         "rattleback: error: start value of 'part.v' is nan at t = 2.5 s [initialisation]\n"},
        {RB_ERROR_MODEL, "rattleback: error: component 'part' of type 'Part' declares event "
                         "indicators or results but has "
                         "no function that computes them [model]\n"},
        {RB_ERROR_MODEL, "rattleback: error: component 'part' of type 'Part' declares event "
                         "indicators or results but has "
                         "no function that computes them [model]\n"},
    };
    for (int i = 0; i < 5; i++) {
        Fixture f;
        RbInstance c;
        RbSegment *s;
        ENSURE(start(&f, i + 1, NULL, &c, &s) == want[i].status);
        assert_int_equal(f.diag.error_count, 1);
        assert_string_equal(fixture_message(&f, 0), want[i].message);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_are_kept),
        cmocka_unit_test(the_segment_before_is_visible),
        cmocka_unit_test(what_cannot_start_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
