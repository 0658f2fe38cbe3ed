// SPDX-License-Identifier: MIT
// frame.h: the memory that generated code works on. The same text is at the top of every generated
// C file (emit_c.c), so it uses only what every C compiler knows without headers.
#pragma once

// An array in a compiled function: `count` numbers, row by row. ORDER RB_FRAME_TEXT below
typedef struct RbCodeArray {
    double *data; // NULL: no value yet
    int dims[4];
    int rank, count;
    int room; // numbers it may hold
} RbCodeArray;

// ORDER RB_FRAME_TEXT below
typedef struct RbCodeFrame RbCodeFrame;
typedef void RbSystemFunction(RbCodeFrame *f, const double *y, double *r, double *a);
struct RbCodeFrame {
    double t;     // [s] time
    double *p;    // parameters
    double *x;    // states
    double *dx;   // their derivatives
    double *u;    // inputs
    double *d;    // discrete variables
    double *q;    // their left limits
    double *w;    // algebraic variables
    double *o;    // output of sections that are lists of values
    double *h;    // what follows from parameters
    double *v;    // workspace for arrays
    const int *n; // per whole array: where it begins in its area, number of elements, of rows, of
                  // columns (layout.h)
    void (*product)(double *c, const double *a, const double *b, int rows, int inner,
                    int columns);                                               // of matrices
    void (*gather)(RbCodeFrame *f, int number, double *to, const double *from); // part of an array
    void (*divide)(RbCodeFrame *f, int number, double *x, const double *a, const double *b,
                   int columns); // a x = b
    // a call with whole arrays: scalars s, arrays v; scalar results rs, arrays to[k] of count[k]
    void (*call_whole)(RbCodeFrame *f, int site, const double *s, const RbCodeArray *v, double *rs,
                       double **to, const int *count);
    int (*solve)(RbCodeFrame *f, int system, RbSystemFunction *evaluate); // 0: solved
    void (*call)(RbCodeFrame *f, int site, const double *in, double *out);
    double (*element)(RbCodeFrame *f, const double *array, int count,
                      double index);                          // with a check of the index
    double (*delay)(RbCodeFrame *f, int number, double time); // a value of the past
    int failed;                                               // a call failed in this evaluation
    double homotopy; // 0: homotopy(actual, simplified) is simplified, 1: actual
    // for compiled functions (emit_function.h); the calls answer 0 if all went well
    int bad;                   // a subscript was wrong
    int depth;                 // of calls
    double *stack, *stack_end; // free memory for arrays
    int (*apply)(RbCodeFrame *f, int node, const RbCodeArray *args, RbCodeArray *value);
    int (*store)(RbCodeFrame *f, int node, RbCodeArray *array, const RbCodeArray *subscripts,
                 const RbCodeArray *value);
    int (*invoke)(RbCodeFrame *f, int function, const double *s, const RbCodeArray *v, double *rs,
                  RbCodeArray *rv);
};

#define RB_FRAME_TEXT                                                                              \
    "typedef struct A { double *d; int n[4], r, c, room; } A;\n"                                   \
    "typedef struct F F;\n"                                                                        \
    "typedef void S(F *f, const double *y, double *r, double *a);\n"                               \
    "struct F { double t; double *p, *x, *dx, *u, *d, *q, *w, *o, *h, *v;\n"                       \
    "    const int *n;\n"                                                                          \
    "    void (*product)(double *c, const double *a, const double *b, int, int, int);\n"           \
    "    void (*gather)(F *f, int number, double *to, const double *from);\n"                      \
    "    void (*divide)(F *f, int number, double *x, const double *a, const double *b, int);\n"    \
    "    void (*call_whole)(F *f, int site, const double *s, const A *v, double *rs,\n"            \
    "                       double **to, const int *count);\n"                                     \
    "    int (*solve)(F *f, int system, S *evaluate);\n"                                           \
    "    void (*call)(F *f, int site, const double *in, double *out);\n"                           \
    "    double (*element)(F *f, const double *array, int count, double index);\n"                 \
    "    double (*delay)(F *f, int number, double time);\n"                                        \
    "    int failed; double homotopy; int bad, depth; double *stack, *stack_end;\n"                \
    "    int (*apply)(F *f, int node, const A *args, A *value);\n"                                 \
    "    int (*store)(F *f, int node, A *array, const A *subscripts, const A *value);\n"           \
    "    int (*invoke)(F *f, int function, const double *s, const A *v, double *rs, A *rv); };\n"
