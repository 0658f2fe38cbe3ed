// SPDX-License-Identifier: MIT
#include "contact/describe.h"

#include <stdio.h>
#include <string.h>

#include "contact/impact.h"

static const double ball_radius = 0.01; // [m]
static const double ball_speed = 1;     // [m/s]

// ORDER RbFrictionLaw
static const char *friction_names[] = {"sliding", "static", "curve", "bristle", "auto"};

static void describe_constants(const RbPairLaw *law, RbText *out) {
    if (law->normal == RB_NORMAL_FUNCTION) {
        rb_text_printf(out, "  force by a function\n");
    } else if (law->normal == RB_NORMAL_SPRING_DAMPER) {
        rb_text_printf(out, "  spring %g N/m^%g, damper %g N s/m\n", law->stiffness, law->exponent,
                       law->damper);
    } else {
        rb_text_printf(out, "  restitution %g%s\n", law->restitution,
                       law->damping == RB_DAMPING_FLORES ? " (formula of Flores: delivers less)"
                                                         : "");
    }
    rb_text_printf(out, "  sliding friction %g (%s), rolling resistance %g\n", law->mu_k,
                   friction_names[law->friction], law->mu_r);
}

static void describe_impact(const RbContactLaw *law, double mass, const char *ball, RbText *out) {
    RbImpact impact = rb_contact_impact(law, mass, ball_speed);
    rb_text_printf(out, "  a ball of %s, %g mm across, at %g m/s:\n", ball, 2e3 * ball_radius,
                   ball_speed);
    rb_text_printf(out, "    contact time %.3g s, depth %.3g m, force %.3g N\n",
                   impact.contact_time, impact.peak_depth, impact.peak_force);
    rb_text_printf(out, "    returns with %.3g of its speed\n", impact.restitution);
}

static void describe_creep(const RbPairLaw *law, RbText *out) {
    double creep = rb_contact_creep_speed(law);
    if (law->friction == RB_FRICTION_BRISTLE) {
        rb_text_printf(out, "  held by friction it sticks\n");
    } else if (creep > 0) {
        bool automatic = law->friction == RB_FRICTION_AUTO;
        rb_text_printf(out, "  held by half of the largest friction it creeps at %.3g m/s%s\n",
                       creep, automatic ? "; bodies with faces and edges stick" : "");
    }
}

RbStatus rb_materials_describe(const RbMaterials *materials, const char *ball, const char *plate,
                               RbDiag *diag, RbText *out) {
    RbContactMaterial contact;
    const RbSolidMaterial *solid;
    RB_TRY(rb_materials_solid(materials, ball, "ball", RB_NOWHERE, diag, &solid));
    RB_TRY(rb_materials_pair(materials, (RbContactSide){.object = "ball", .solid = ball},
                             (RbContactSide){.object = "plate", .solid = plate}, RB_NOWHERE, diag,
                             &contact));
    rb_text_printf(out, "%s on %s\n", ball, plate);
    if (contact.law.response != RB_RESPONSE_ELASTIC) {
        rb_text_printf(out, "  no forces\n");
        return RB_OK;
    }
    RbContactScene scene = rb_contact_scene();
    double mass = solid->density * 4 / 3 * acos(-1.0) * ball_radius * ball_radius * ball_radius;
    contact = rb_contact_material(&contact.law, contact.elastic_1, contact.elastic_2);
    RbContactLaw law =
        rb_contact_law(&contact, ball_radius, &scene, (RbBlow){.mass = mass, .speed = ball_speed});
    describe_constants(&contact.law, out);
    if (mass > 0) describe_impact(&law, mass, ball, out);
    describe_creep(&contact.law, out);
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// the table

// "0.42 to 0.8", or nothing.
static const char *range_text(const double range[2], char *text, size_t size) {
    text[0] = 0;
    if (range[1] > 0) snprintf(text, size, "%g to %g", range[0], range[1]);
    return text;
}

static void list_solids(const RbMaterials *m, RbText *out) {
    rb_text_printf(out, "%-20s %10s %12s %10s  %s\n", "solid", "density", "modulus", "Poisson's",
                   "sources");
    rb_text_printf(out, "%-20s %10s %12s %10s\n", "", "[kg/m3]", "[Pa]", "ratio");
    for (int i = 0; i < m->solids.count; i++) {
        const RbSolidMaterial *s = &m->solids.data[i];
        rb_text_printf(out, "%-20s %10g %12g %10g  %s\n", s->name, s->density,
                       s->elastic.youngs_modulus, s->elastic.poissons_ratio,
                       s->sources ? s->sources : "");
    }
}

static void list_pairs(const RbMaterials *m, RbText *out) {
    char e[64], mu[64];
    rb_text_printf(out, "%-42s %11s %-14s %8s %-14s %s\n", "pair", "restitution", "published",
                   "friction", "published", "sources");
    for (int i = 0; i < m->pairs.count; i++) {
        const RbPairMaterial *p = &m->pairs.data[i];
        int length = (int)(strlen(p->a) + strlen(p->b)) + 4;
        rb_text_printf(out, "%s on %s%*s", p->a, p->b, length < 42 ? 42 - length : 0, "");
        if (p->law.response != RB_RESPONSE_ELASTIC) {
            rb_text_printf(out, "   no forces\n");
            continue;
        }
        rb_text_printf(out, " %11g %-14s %8g %-14s %s\n", p->law.restitution,
                       range_text(p->restitution_range, e, sizeof e), p->law.mu_k,
                       range_text(p->friction_range, mu, sizeof mu), p->sources ? p->sources : "");
    }
}

void rb_materials_list(const RbMaterials *m, RbText *out) {
    list_solids(m, out);
    rb_text_printf(out, "\n");
    list_pairs(m, out);
    if (m->sources.count > 0) rb_text_printf(out, "\nSources:\n");
    for (int i = 0; i < m->sources.count; i++)
        rb_text_printf(out, "  %-16s %s\n", m->sources.data[i].name, m->sources.data[i].what);
}
