model A
equation
  connect(a, 1 + 2);
end A;
