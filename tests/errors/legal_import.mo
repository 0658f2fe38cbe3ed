package P
  constant Real x = 1;
protected
  constant Real hidden = 1;
end P;
package Q
  constant Real x = 2;
end Q;
model M
  constant Real k = 1;
end M;
model A
  import P.hidden;
  import M.k;
  import P.*;
  import Q.*;
  Real y = x + hidden + k;
end A;
