package Vanishing "Derivatives whose coefficient is zero; what must come out is in tests/unit/translate/test_vanishing.c"

  model Capacity "R C with a capacity that may be zero"
    parameter Real R = 2;
    parameter Real C = 0;
    Real u = 3*sin(time);
    Real v(start = 1);
    Real i;
  equation
    R*i = u - v;
    C*der(v) = i;
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Capacity;

  model Charged "The same, but there is one"
    extends Capacity(C = 0.5, v(fixed = true), u = 3);
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Charged;

  function junction "Capacity of a junction"
    input Real v;
    input Real c0;
    output Real c;
  algorithm
    if v < 0.5 then
      c := c0/sqrt(1 - v);
    else
      c := c0*sqrt(2)*(0.5 + v);
    end if;
  end junction;

  model Junction "A capacity that is a function of the voltage, and zero because of a parameter"
    parameter Real c0 = 0;
    Real c = junction(v, c0);
    Real v, i;
  equation
    2*i = 3*sin(time) - v;
    c*der(v) = i;
    annotation(experiment(StopTime = 2, Tolerance = 1e-8));
  end Junction;

  model Late "A capacity that is not zero where nobody looked"
    Real c = noEvent(if v > 1000 then v - 1000 else 0);
    Real v, i;
  equation
    2*i = 2000*time - v;
    c*der(v) = i;
    annotation(experiment(StopTime = 1));
  end Late;
end Vanishing;
