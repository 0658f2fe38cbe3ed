package P
  constant Real k = 2;
  encapsulated model A
    Real x = k;
  end A;
end P;
model B
  P.A a;
end B;
