model A
  replaceable model B
    Real x = 1;
  end B;
  extends B;
end A;
