model A "Two fixed start values of one quantity"
  model Capacity
    Real T(start = 300, fixed = true), Q;
  equation
    der(T) = Q;
  end Capacity;
  Capacity a, b(T(start = 350));
  Real y(start = -300, fixed = true);
equation
  a.T = b.T;
  a.Q + b.Q = 0;
  y = -a.T;
end A;
