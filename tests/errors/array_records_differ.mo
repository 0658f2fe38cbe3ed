model ArrayRecordsDiffer
  record Table
    parameter Integer n;
    parameter Real m[n];
  end Table;
  function f
    input Table t[2];
    output Real y = 1;
  end f;
  parameter Table p(n = 3, m = {1, 2, 3}), q(n = 2, m = {1, 2});
  Real y = f({p, q});
end ArrayRecordsDiffer;
