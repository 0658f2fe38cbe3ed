model A "The outflow of one tank is not said"
  model Tank
    Real h(start = 1, fixed = true), q_in, q_out;
  equation
    der(h) = q_in - q_out;
  end Tank;
  Tank a, b;
  Real other;
equation
  a.q_in = 1;
  other = a.h;
  a.q_out = 2*b.q_in;
  b.q_out = 0.1*b.h;
end A;
