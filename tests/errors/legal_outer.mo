model Part
  outer parameter Real p = 2;
  outer Integer n;
  outer Real v[3];
end Part;
model A
  inner parameter Real p = 1;
  inner Real n = 1;
  inner Real v[2] = {1, 2};
  Part part;
end A;
