model A
  discrete Real x;
equation
  when time then
    x = 1;
  end when;
end A;
