model A
equation
  connect(a);
end A;
