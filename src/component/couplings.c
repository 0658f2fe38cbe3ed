// SPDX-License-Identifier: MIT
#include "component/couplings.h"

const double *rb_couplings_discrete(const RbCouplings *c) {
    return c->discrete;
}

bool rb_couplings_residual(const RbCouplings *c) {
    return c->residual;
}

void rb_couplings_derivative_state(RbCouplings *c, int row, int column) {
    rb_array_push(&c->derivative_state, c->arena, (RbEntry){row, column});
}

void rb_couplings_given(RbCouplings *c, int row, int column) {
    rb_array_push(&c->given, c->arena, (RbEntry){row, column});
}

void rb_couplings_given_unknown(RbCouplings *c, int row, int column) {
    rb_couplings_given(c, row, column);
    c->unknown_slopes = true;
}

void rb_couplings_indicator_state(RbCouplings *c, int row, int column) {
    rb_array_push(&c->indicator_state, c->arena, (RbEntry){row, column});
}

void rb_couplings_derivative_input(RbCouplings *c, int row, int variable) {
    rb_array_push(&c->derivative_input, c->arena, (RbEntry){row, variable});
}

void rb_couplings_output_state(RbCouplings *c, int variable, int column) {
    rb_array_push(&c->output_state, c->arena, (RbEntry){variable, column});
}

void rb_couplings_output_input(RbCouplings *c, int output, int input) {
    rb_array_push(&c->output_input, c->arena, (RbEntry){output, input});
}

const double *rb_links_discrete(const RbLinks *links) {
    return links->discrete;
}

const int *rb_links_groups(const RbLinks *links, int *count) {
    *count = links->group_count;
    return links->groups;
}

void *rb_links_workspace(const RbLinks *links) {
    return links->workspace;
}

void rb_link(RbLinks *links, int group_a, int group_b) {
    links->link(links->user, group_a, group_b);
}
