model A
  A a;
end A;
