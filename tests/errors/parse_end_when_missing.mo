model A
  discrete Real x;
equation
  when time > 1 then
    x = 1;
end A;
