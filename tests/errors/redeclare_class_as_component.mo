model B
  replaceable model M
    Real x = 1;
  end M;
  M m;
end B;
model A
  B b(redeclare Real M);
end A;
