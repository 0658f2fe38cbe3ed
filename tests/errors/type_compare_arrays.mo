model A
  Boolean b = {1, 2} == {1, 2};
end A;
