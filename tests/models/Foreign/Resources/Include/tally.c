#include <stdio.h>
#include <stdlib.h>

struct Tally {
    FILE *file;
    double value;
};

static int open_tallies; // shared by all functions that include this text

void *tally_open(const char *file, double start) {
    struct Tally *t = malloc(sizeof *t);
    t->file = fopen(file, "a");
    t->value = start;
    fprintf(t->file, "open %d %g\n", ++open_tallies, start);
    fflush(t->file);
    return t;
}

void tally_close(void *tally) {
    struct Tally *t = tally;
    fprintf(t->file, "close %d %g\n", open_tallies--, t->value);
    fclose(t->file);
    free(t);
}

double tally_add(void *tally, double step) {
    return ((struct Tally *)tally)->value += step;
}
