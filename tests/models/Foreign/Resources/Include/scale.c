#include <stddef.h>

void scale(double a, const double *x, size_t n, double *y, double *sum, int *count) {
    *sum = 0;
    for (size_t i = 0; i < n; i++) {
        y[i] = a * x[i];
        *sum += y[i];
    }
    *count = (int)n;
}

double trace(const double *a, size_t rows, size_t columns) {
    double t = 0;
    for (size_t i = 0; i < rows && i < columns; i++) t += a[i * columns + i];
    return t;
}

void pick(const int *index, const int *use, int *chosen, size_t n) {
    for (size_t i = 0; i < n; i++) chosen[i] = use[i] ? index[i] : -1;
}
