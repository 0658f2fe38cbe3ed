// SPDX-License-Identifier: MIT
// material.h: palettes of solid materials and of pairs of materials in contact. data/materials.json
// is the first; files of the user add to it or override it.
//
//     RbMaterials materials = {0};
//     RB_TRY(rb_materials_read(&materials, "data/materials.json", arena, diag));
//     RB_TRY(rb_materials_read(&materials, "mine.json", arena, diag));
//     RB_TRY(rb_materials_pair(&materials, ball, table, at, diag, &contact));
#pragma once

#include "base/diag.h"
#include "contact/law.h"

typedef struct RbSolidMaterial {
    const char *name;
    RbPos at;                 // the file it came from
    double density;           // [kg/m3]
    RbElastic elastic;        // a modulus of 0: no elastic contact
    double melting_point;     // [K] 0: not given, as for all below
    double heat_capacity;     // [J/(kg K)]
    double heat_conductivity; // [W/(m K)]
    double thermal_expansion; // [1/K]
    const char *sources;      // "density Gere, modulus CRC"; NULL: not said, as everywhere below
} RbSolidMaterial;

typedef struct RbPairMaterial {
    const char *a, *b; // the order does not matter
    RbPos at;
    RbPairLaw law;
    double restitution_range[2], friction_range[2]; // what was published; both 0: not given
    const char *sources;
} RbPairMaterial;

typedef struct RbMaterialSource {
    const char *name, *what;
} RbMaterialSource;

typedef struct RbMaterials {
    RB_ARRAY(RbSolidMaterial) solids;
    RB_ARRAY(RbPairMaterial) pairs;
    RB_ARRAY(RbMaterialSource) sources; // what their names mean
} RbMaterials;

// Add a palette in JSON. An entry with a known name (pair: the same two names) replaces the old one
// as a whole. Nothing changes if there is an error. The text of rb_materials_parse must live as
// long as the diagnostics.
RbStatus rb_materials_read(RbMaterials *materials, const char *file, RbArena *keep, RbDiag *diag);
RbStatus rb_materials_parse(RbMaterials *materials, const char *file, const char *text,
                            size_t length, RbArena *keep, RbDiag *diag);

// Text of data/materials.json, which is compiled in so that nothing has to be found at run time.
extern const char rb_builtin_materials[];

// By code instead of JSON; the checks know the limits that hold for files.
RbStatus rb_materials_check_solid(const RbSolidMaterial *solid, RbArena *keep, RbDiag *diag);
RbStatus rb_materials_check_pair(const RbPairMaterial *pair, RbArena *keep, RbDiag *diag);
void rb_materials_add_solid(RbMaterials *materials, RbArena *keep, RbSolidMaterial solid);
void rb_materials_add_pair(RbMaterials *materials, RbArena *keep, RbPairMaterial pair);

// The known name that differs least, if it is near enough to be meant, or the shortest one that contains it; otherwise NULL.
const char *rb_materials_near(const RbMaterials *materials, const char *name);

// The material of an object; unknown: a message with the names that are near.
RbStatus rb_materials_solid(const RbMaterials *materials, const char *material, const char *object,
                            RbPos at, RbDiag *diag, const RbSolidMaterial **out);

// Is it the name of a solid, or of one side of a pair? Otherwise a message.
RbStatus rb_materials_check_contact(const RbMaterials *materials, const char *contact,
                                    const char *object, RbPos at, RbDiag *diag);

// One side of a contact.
typedef struct RbContactSide {
    const char *object;
    const char *solid;   // material for elastic constants
    const char *contact; // material for the pair table; NULL: solid
    RbPos at;            // where the user defined the object
} RbContactSide;

// Under which name the table of pairs knows a side.
const char *rb_contact_name(const RbContactSide *side);

// The same for people: a part that has laws of its own is known by its material and name (members/materials.c), but has the material that was typed.
const char *rb_contact_title(const RbContactSide *side);

// What is said about missing data: two names of contact materials; a material and its modulus.
#define RB_ADD_PAIR                                                                                \
    "add the pair [\"%s\", \"%s\"] to a material file, or a Rattleback.Materials.Pair to the "     \
    "model"
#define RB_NO_MODULUS                                                                              \
    "Young's modulus of the material '%s' is %g Pa; it must be > 0 for the elastic contact"
#define RB_GIVE_MODULUS                                                                            \
    "give it, or a Rattleback.Materials.Pair with a stiffness of its own or a response without "   \
    "force"

// Where the contact data of two names were said; RB_NOWHERE: they are an average.
RbPos rb_materials_pair_at(const RbMaterials *materials, const char *a, const char *b);

// Contact data of two objects, without their dissipation, which takes a while to find. A missing pair is the average of both materials with themselves, if
// these exist and use the same laws; otherwise a message names the two objects.
RbStatus rb_materials_pair(const RbMaterials *materials, RbContactSide side_1, RbContactSide side_2,
                           RbPos at, RbDiag *diag, RbContactMaterial *out);

// The material of the two whose modulus is missing, if their law is known and needs one; otherwise NULL.
const RbSolidMaterial *rb_materials_lack_modulus(const RbMaterials *materials, RbContactSide side_1,
                                                 RbContactSide side_2);
