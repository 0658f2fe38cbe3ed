#include <stddef.h>
#include "collide/mpr.h"
RbMprOptions rb_mpr_options(void) { return (RbMprOptions){1e-20, 120}; }
void rb_mpr(const RbCore *a, const RbCore *b, Pose X_AB, RbMprOptions options, RbGap *out,
            RbMprReport *report) {(void)options;(void)report; rb_distance(a,b,X_AB,NULL,out);}
