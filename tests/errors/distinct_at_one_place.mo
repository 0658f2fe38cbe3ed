package P
end P;
model A
  import P.{u, w};
  Real x = y;
end A;
model distinct_at_one_place "each error once, although there are three instances"
  A a, b[2];
end distinct_at_one_place;
