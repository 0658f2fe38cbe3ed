struct Inner {
    int i;
    double x;
};
struct Outer {
    int n;
    struct Inner inner;
    int b;
    const char *name;
};
double measure(void *outer);
void twist(void *in, void *out);
