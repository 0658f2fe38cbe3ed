// SPDX-License-Identifier: MIT
// frontend.h: what instantiation, expressions, functions, equations and connections share while one
// model is flattened. Only for src/modelica; others include flatten.h.
#pragma once

#include "expr/eval.h"
#include "classes/class.h"
#include "flatten/contribution.h"

typedef enum RbInstKind {
    RB_INST_COMPONENT, // of a class with components: children
    RB_INST_LEAF,      // of a predefined type, maybe an array: a variable of the flat model
    RB_INST_ARRAY,     // of components: items
    RB_INST_ABSENT,    // its condition is false
    RB_INST_BROKEN,    // was reported
} RbInstKind;

// A component, once per place where it appears in the model.
struct RbInst {
    RbInstKind kind;
    RbInst *parent;
    RbClass *class;
    RbElem *elem;   // NULL: the model itself, or a package
    RbName path;    // "motor.inertia[2].phi"
    RbMods mods;    // all that apply, strongest first
    bool is_static; // in a package: only constants, no variables of the flat model
    bool is_item;   // of an array
    bool is_protected;
    bool checked;   // its modifications were checked
    bool is_member; // of an expandable connector, by a connection
    bool is_sparse; // ARRAY on an expandable connector: grows, and some items are absent
    RbAstVariability variability;
    RbAstCausality causality;
    RbAstFlow flow;
    RbInst **children; // COMPONENT: by number of the element, made when needed
    int rank;          // ARRAY and LEAF
    int dims[RB_RANK_MAX];
    int count; // ARRAY: items, row by row
    RbInst **items;
    int var;               // LEAF: in the flat model; -1: none
    int node;              // LEAF: first of its nodes in the connection graph plus one
    int connections;       // connector: how many connect equations name it (cardinality)
    int subs[RB_RANK_MAX]; // item: its subscripts
    int sub_count;
    RbInst *joined;        // opaque connector: another one of its connection set; NULL: it is last
    int set;               // ... number of the set plus one, once asked for
    bool in_component;     // LEAF: a component in C has declared it
    struct RbVal *binding; // once lowered; NULL before or if there is none
    bool binding_done, units_lost;
    enum { RB_EVAL_NOT, RB_EVAL_BUSY, RB_EVAL_DONE, RB_EVAL_FAILED } evaluation;
    RbExprValue *value; // of a constant or parameter that was evaluated
};

typedef enum RbValKind {
    RB_VAL_ERROR, // was reported; silences what follows from it
    RB_VAL_EXPR,
    RB_VAL_RECORD, // fields, one per component of class; an array of records is a record of arrays
    RB_VAL_CLASS,  // a name that means a class (function argument, type)
    RB_VAL_FUNCTION, // class with, by number of its component, what an input is bound to; ERROR:
                     // open
    RB_VAL_INST,     // a component that has no value: a model, block or connector
    RB_VAL_TUPLE,    // results of a function call
    RB_VAL_ABSENT,   // a conditional component that does not exist
} RbValKind;

// An expression with all that is known about it.
typedef struct RbVal {
    RbValKind kind;
    RbType type;
    RbClass *class; // of an enumeration, record or external object, or what a CLASS is
    int rank;
    int dims[RB_RANK_MAX]; // -1: not known before the function is called
    const RbExpr *e;
    struct RbVal *fields;
    int field_count;
    RbAstVariability variability;
    RbInst *inst;
    int element; // of a LEAF instance, from 0, if e names only an element of it
} RbVal;

// A for-loop or reduction around an expression.
typedef struct RbLoopVar {
    RbName name;
    RbVal value;
    const struct RbLoopVar *outer;
} RbLoopVar;

// What stays an expression where the size of an array may change later, and is no number.
typedef struct RbKeeping {
    bool sizes;  // size(A, 1)
    bool slices; // 2:end in a subscript of A; cat and comprehensions over it
} RbKeeping;

// A function whose text is being lowered: its components as locals, or as the arguments of a call.
typedef struct RbFunctionFrame {
    RbClass *class;
    RbVal *locals; // by number of the component
    bool *known;   // is locals[i] set; otherwise it is lowered from its declaration when needed
    RbFunction *function; // NULL: only sizes are wanted
    RbInst *around;       // of a call: where it stands, or the component over which it was found
    RbPos at;             // of a call: where it stands
    RbKeeping keeps;      // of a call: as where it stands
    struct RbFunctionFrame *outer;
} RbFunctionFrame;

// A list of statements in a when-clause that calls actions of a component: the calls are steps of a
// program, which a signal starts whenever the list is executed (action.c).
typedef struct RbActionList {
    int number;  // from 1; 0: no action is called there
    int counter; // variable: how often the list was executed
} RbActionList;

// pre, edge or change of a Real outside a when-clause, which is allowed if the variable turns out to be
// discrete.
typedef struct RbLeftLimit {
    int var;
    const char *function;
    RbPos at;
} RbLeftLimit;

// Where an expression stands.
typedef struct RbPlace {
    RbInst *inst; // whose text it is
    RbClassPart *scope;
    RbFunctionFrame *frame; // inside a function
    const RbLoopVar *loops;
    const RbVal *indexed; // the array around `end`
    int indexed_dim;      // from 0
    bool indexed_is_free; // its size may change later: `end` and ranges stay expressions
    RbKeeping keeps;
    bool wants_text; // an unknown name may be a text without its quotes
    bool in_algorithm, in_when, in_initial;
    bool in_part; // of equations, in an if- or when-equation that is not decided at translation
    RbEquations *equations;   // where equations go
    RbStatements *statements; // where statements go
    RbActionList *program;    // in_when: of the list at hand; NULL: it must not call actions
    RbStatements *calls; // in_when: calls whose results are assigned together; NULL: one by one
} RbPlace;

// A connection of which one end does not exist.
typedef struct RbLeftOut {
    RbPos at;
    const RbInst *there, *absent;
} RbLeftOut;

typedef struct RbFrontEnd {
    RbClasses *classes;
    RbLibrary *library;
    RbFlatModel *flat;
    RbExprs *x;
    RbArena *arena; // of the flat model
    RbArena *work;  // for what is gone when the model is flat: instances, values, connections
    RbArena *temp;  // for lists that are gone with the variable at hand; never copied
    RbArena *scratch;
    RbNames *names;
    RbDiag *diag;
    RbInst *root;
    RB_ARRAY(RbInst *) by_var; // instance of each variable
    RbMap var_of;              // name -> variable, as far as vars_named
    int vars_named;
    RbMap array_values;   // modification of an array of components -> its values (binding.c)
    RbMap enumerations;   // definition -> index in the flat model
    RbMap function_cases; // what a function is called with -> index in the flat model plus one
    RbMap strings;  // literal in the text -> its value, for attributes that many variables share
    int depth;      // of nested instances or calls
    RbPos use_at;   // of the text that uses sizes and values as numbers, for messages
    bool has_buses; // some expandable connector exists
    RbFunction *function; // whose text is lowered; NULL: none
    struct RbConnector *connector;
    const char *origin;  // instance whose equations are lowered
    long units_lost;     // constants with a unit that were replaced by their value so far
    RbMap without_units; // equations (pointer) and variables (index plus one) that contain such
                         // constants
    RbContribute *contribute; // see RbFlattenOptions
    RbFindRoles *find_roles;
    struct RbGather *gather; // gather.c
    struct RbClocking *clocks; // clock.h; NULL: the model has none
    struct RbMachines *machines; // machine.h; NULL: the model has none
    RB_ARRAY(RbLeftLimit) left_limits;
    RB_ARRAY(RbLeftOut) left_out;
    int program_count;
    void (*contributed)(void *user, const RbContribution *c);
    void *contribute_user;
    // names that are looked for often
    RbName n_time, n_start, n_fixed, n_unit, n_display_unit, n_quantity, n_min, n_max, n_nominal,
        n_state_select;
} RbFrontEnd;

// The variability of what depends on both.
static inline RbAstVariability rb_weaker(RbAstVariability a, RbAstVariability b) {
    return a < b ? a : b;
}

// The first result of a call with several, where one value is wanted.
static inline RbVal rb_val_single(RbVal v) {
    return v.kind == RB_VAL_TUPLE && v.field_count > 0 ? v.fields[0] : v;
}

static inline RbVal rb_val_scalar(const RbExpr *e, RbAstVariability variability) {
    return (RbVal){
        .kind = RB_VAL_EXPR, .type = (RbType)e->type, .e = e, .variability = variability};
}

// --- instances: inst.c, binding.c, inst_variable.c
// ------------------------------------------------

RbInst *rb_inst_root(RbFrontEnd *fe, RbClass *class);
RbInst *rb_inst_static(RbFrontEnd *fe, RbClass *class);
// The component of an instance; made when first asked for.
RbInst *rb_inst_child(RbFrontEnd *fe, RbInst *inst, RbElem *elem);
// Make everything below.
void rb_inst_all(RbFrontEnd *fe, RbInst *inst);
// The instance around (or equal to) inst whose class is the given one; the package itself if there
// is none.
RbInst *rb_inst_context(RbFrontEnd *fe, RbInst *inst, RbClass *owner);
// Binding and attributes of all variables.
void rb_inst_bindings(RbFrontEnd *fe, RbInst *inst);
// The declaration equation of a leaf or record; NULL if it has none.
RbVal *rb_inst_binding(RbFrontEnd *fe, RbInst *inst);
// What a value at translation is for.
typedef enum RbUse {
    RB_USE_STRUCTURE, // the parameters it follows from cannot be changed any more
    RB_USE_SIZE,      // of an array that may still change: they can
} RbUse;

// The value of a constant or parameter at translation; reports nothing.
bool rb_inst_value(RbFrontEnd *fe, RbInst *inst, RbUse use, RbExprValue *value);
// inner for an outer component.
RbInst *rb_inst_inner(RbFrontEnd *fe, RbInst *outer);
int rb_flat_enumeration(RbFrontEnd *fe, RbClass *class);
// Is this size(name, k) with a number k, as in A[:, size(A, 1)]? Answers k, or 0.
int rb_own_size(const RbAstExpr *e, RbName name);

// --- expressions: expression.c, reference.c, inst_value.c ----------------------------------------

RbVal rb_lower_expr(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
// As rb_lower_expr, but for a reference the component instead of its value (connect, cardinality).
RbVal rb_lower_component(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
// What a component is worth in an expression.
RbVal rb_val_of_inst(RbFrontEnd *fe, RbInst *inst);
// Why a component does not exist, as the end of a sentence.
const char *rb_inst_absence(const RbInst *inst);
const char *rb_expr_text(RbFrontEnd *fe, const RbAstExpr *e);

// --- values: value.c, operator.c, array_constructor.c, subscript.c -------------------------------

// Convert to a type for assignment: checks type and size; what = "the start value of 'x'" for
// messages.
RbVal rb_val_convert(RbFrontEnd *fe, RbVal v, const RbVal *wanted, RbPos at, const char *what);
// Would rb_val_convert accept it without a message? For simple values; false means only: perhaps
// not.
bool rb_val_fits(const RbVal *v, const RbVal *wanted);
RbVal rb_val_binary(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at);
RbVal rb_val_error(void);
RbVal rb_val_expr(RbFrontEnd *fe, const RbExpr *e, int rank, const int *dims,
                  RbAstVariability variability);
RbVal rb_val_array(RbFrontEnd *fe, const RbVal *elements, int count, RbPos at);
// Are there arrays in it whose sizes may change after translation?
bool rb_val_has_free_size(RbFrontEnd *fe, const RbVal *v);
// The size or value of a variable is used as a number, so that it must stay as it is.
void rb_note_size_use(RbFrontEnd *fe, int var, const char *why);
RbVal rb_val_element(RbFrontEnd *fe, const RbVal *v, const int *subs,
                     int count); // constant subscripts from 1
RbVal rb_val_subscript(RbFrontEnd *fe, const RbVal *v, const RbVal *subs, int count, RbPos at);
// Type as a user would write it: "Real[3]", "Modelica.Blocks.Types.Init".
const char *rb_val_type_name(RbFrontEnd *fe, const RbVal *v);

// --- values at translation: evaluate.c -----------------------------------------------------------

// Value at translation. With what != NULL a failure is reported.
bool rb_val_evaluate(RbFrontEnd *fe, const RbVal *v, RbExprValue *value, RbPos at,
                     const char *what);
// The same, and says what for.
bool rb_val_evaluate_for(RbFrontEnd *fe, const RbVal *v, RbUse use, RbExprValue *value, RbPos at,
                         const char *what);
// The value as a constant, if it is known and found without much effort; NULL otherwise.
const RbExpr *rb_val_constant(RbFrontEnd *fe, const RbVal *v);
bool rb_val_evaluate_integer(RbFrontEnd *fe, const RbVal *v, int64_t *value, RbPos at,
                             const char *what);
// The same for a size that stays in the expression: its parameters may still be changed.
bool rb_val_evaluate_size(RbFrontEnd *fe, const RbVal *v, int64_t *value, RbPos at,
                          const char *what);

// --- loop.c --------------------------------------------------------------------------------------

// The values that a loop runs over: known ranges are taken apart.
bool rb_lower_range(RbFrontEnd *fe, const RbPlace *ctx, const RbAstIterator *it,
                    const RbAstExpr *body, RbVal *range);
// A text in which the iterator is used as a subscript, to find its range.
const RbAstExpr *rb_loop_body(RbFrontEnd *fe, const RbAstEquation *eq);
// Go through a loop from its iterator number `level` on, with the body for every value.
typedef void (*RbLoopBody)(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list,
                           int count);
void rb_lower_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq, int level,
                   RbLoopBody body);

// In a function: {body(k) for k in 1:size(array, 1)} for an array of unknown size.
typedef RbVal RbElementBody(void *user, const RbVal *index);
RbVal rb_open_elements(RbFrontEnd *fe, const RbVal *array, RbElementBody *body, void *user);
// In a function: {v for k in 1:times}.
RbVal rb_open_repeat(RbFrontEnd *fe, const RbVal *v, const RbVal *times);

// --- call.c: calls -------------------------------------------------------------------------------

RbVal rb_lower_call(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
// function f(a = 1): a function as a value, some inputs of which are given already.
RbVal rb_lower_partial(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
// A call of a function with values instead of texts.
RbVal rb_call_values(RbFrontEnd *fe, RbClass *function, const RbVal *args, int count, RbPos at);

// --- machine_*.c: state machines -----------------------------------------------------------------

// The variable that a state has for one that is outer and an output; inner itself if that is none of a clock.
RbInst *rb_machine_own(RbFrontEnd *fe, RbInst *inst, RbInst *inner);
// State machines as clocked equations; before the clocks are resolved.
void rb_machines_resolve(RbFrontEnd *fe);

// --- clock_equations.c: clocks -------------------------------------------------------------------

// Clocked partitions as equations of held variables; before the balance is checked.
void rb_clocks_resolve(RbFrontEnd *fe);

// --- overload.c: operators of operator records
// ----------------------------------------------------

// Do operators on this value mean functions of its record?
bool rb_val_is_overloaded(RbFrontEnd *fe, const RbVal *v);
RbVal rb_overload_binary(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at);
RbVal rb_overload_unary(RbFrontEnd *fe, RbTokenKind op, RbVal v, RbPos at);
// The sum of the elements of an array; '0' for none.
RbVal rb_overload_sum(RbFrontEnd *fe, const RbVal *array, RbPos at);

// --- builtin.c: operators and functions of the language ------------------------------------------

// False if there is no such function.
bool rb_lower_builtin(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbName name,
                      RbVal *out);

// --- function.c ----------------------------------------------------------------------------------

// Index of a function in the flat model, or -1 if something is wrong with it (reported).
int rb_lower_function(RbFrontEnd *fe, RbClass *class, RbPos at);
// The same with the functions that some of its inputs are: a function of its own for each case.
// Values by number of the component; those that are no FUNCTION do not matter.
int rb_lower_function_case(RbFrontEnd *fe, RbClass *class, const RbVal *functions, RbPos at);
// The result of a call: type and size of every output for these arguments.
RbVal rb_function_results(RbFrontEnd *fe, RbClass *class, RbVal *args, const RbExpr *call);
RbVal rb_frame_local(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *elem);

// --- equations.c, statements.c -------------------------------------------------------------------

void rb_lower_equations(RbFrontEnd *fe, RbInst *inst);
void rb_lower_statements(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list, int count);

void rb_lower_equation_list(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list,
                            int count);

// --- component.c ---------------------------------------------------------------------------------

// What a component in C adds for an instance of a class that it implements; nothing for other
// classes.
void rb_component_equations(RbFrontEnd *fe, RbInst *inst);
// The same for many instances at once; names are paths from the model.
void rb_component_gathered(RbFrontEnd *fe, const char *type, RbPos at, const struct RbGathered *g);

// --- gather.c ------------------------------------------------------------------------------------

// Find the members of all components that gather classes, after connections were collected; ...
void rb_gather_find(RbFrontEnd *fe);
void rb_gather_print(RbFrontEnd *fe, RbText *out);
// ... and add what these components contribute, after all other equations but those of connections.
void rb_gather_contribute(RbFrontEnd *fe);

// A call that stands for a member: a step of a program, with its arguments as values.
typedef struct RbGatheredCall {
    RbClass *class; // the function: its annotation names component, role and kind
    const char *path;
    int program; // from 1
    bool starts; // it is the first step, which has the signal
    const char **names;
    int *vars; // parameters of the flat model
    int count;
    RbPos at;
} RbGatheredCall;
void rb_gather_call(RbFrontEnd *fe, const RbGatheredCall *call);
// Is this an opaque connector, which hands over its connections instead of equations?
bool rb_is_opaque(RbFrontEnd *fe, RbClass *class);

// Classes whose frames are equations, beside parts of ours; and what can be done about it.
bool rb_is_msl_multibody(const RbClass *class);
#define RB_MSL_BESIDE                                                                              \
    "let the option --multibody=engine run the classes of Modelica.Mechanics.MultiBody as parts "  \
    "of ours, or leave them equations, put Rattleback.Contact.CollisionBody on their frames, and " \
    "our parts into a component with an inner Rattleback.World of its own"
void rb_opaque_join(RbInst *a, RbInst *b);

// --- visual.c ------------------------------------------------------------------------------------

// List the instances that are drawn, after bindings are known.
void rb_visuals_find(RbFrontEnd *fe);

// --- connect.c -----------------------------------------------------------------------------------

// Find all connections; only then is known what cardinality, isRoot and rooted answer.
void rb_connect_collect(RbFrontEnd *fe);
void rb_connect_equations(RbFrontEnd *fe);
// Attributes of what connections added to expandable connectors: after rb_inst_bindings.
void rb_member_attributes(RbFrontEnd *fe);
// Why there are too few equations: signals of buses without a source. False: no such thing.
bool rb_sets_explain(RbFrontEnd *fe);
// actualStream(h) multiplied by its flow is continuous and needs no event: e without it, if e is an
// actualStream and factor its flow.
const RbExpr *rb_stream_quiet(RbFrontEnd *fe, const RbExpr *e, const RbExpr *factor);
// Connections.isRoot(...) and its relatives.
RbVal rb_lower_connections(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbName name);

// --- check.c -------------------------------------------------------------------------------------

void rb_check_balance(RbFrontEnd *fe);
// After all equations: which variables are discrete is known then.
void rb_check_left_limits(RbFrontEnd *fe);
