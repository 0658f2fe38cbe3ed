model BreakOutsideLoop
  Real x;
algorithm
  x := 1;
  if time > 1 then
    break;
  end if;
end BreakOutsideLoop;
