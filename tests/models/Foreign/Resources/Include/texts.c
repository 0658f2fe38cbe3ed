#include <string.h>

#include "ModelicaUtilities.h"

const char *hail(const char *name) {
    char *text = ModelicaAllocateString(strlen(name) + 6);
    strcpy(text, "hello ");
    strcat(text, name);
    ModelicaFormatMessage("%s was hailed\n", name);
    return text;
}

double strict(double x) {
    if (x > 0.5) ModelicaFormatError("%g is more than one half", x);
    return x;
}
