record Bad "what a record cannot hold"
  flow Real f;
  input Real u;
protected
  Real hidden;
equation
  hidden = 1;
end Bad;
model A
  Bad r(f = 1, u = 2);
end A;
