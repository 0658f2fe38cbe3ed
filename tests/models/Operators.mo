// SPDX-License-Identifier: MIT
// Operator records: complex numbers and what circuits of phasors make of them.
package Operators
  operator record Phasor "A complex number"
    replaceable Real re;
    replaceable Real im;

    encapsulated operator 'constructor'
      function fromReal
        import Operators.Phasor;
        input Real re;
        input Real im = 0;
        output Phasor z(re = re, im = im);
      algorithm
      end fromReal;
    end 'constructor';

    encapsulated operator function '0'
      import Operators.Phasor;
      output Phasor z;
    algorithm
      z := Phasor(0);
    end '0';

    encapsulated operator function '+'
      import Operators.Phasor;
      input Phasor a;
      input Phasor b;
      output Phasor c = Phasor(a.re + b.re, a.im + b.im);
    algorithm
    end '+';

    encapsulated operator '-'
      function negate
        import Operators.Phasor;
        input Phasor a;
        output Phasor b;
      algorithm
        b := Phasor(-a.re, -a.im);
      end negate;

      function subtract
        import Operators.Phasor;
        input Phasor a;
        input Phasor b;
        output Phasor c;
      algorithm
        c := Phasor(a.re - b.re, a.im - b.im);
      end subtract;
    end '-';

    encapsulated operator function '*'
      import Operators.Phasor;
      input Phasor a;
      input Phasor b;
      output Phasor c;
    algorithm
      c := Phasor(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end '*';

    encapsulated operator function '/'
      import Operators.Phasor;
      input Phasor a;
      input Phasor b;
      output Phasor c;
    protected
      Real square = b.re*b.re + b.im*b.im;
    algorithm
      c := Phasor((a.re*b.re + a.im*b.im)/square, (a.im*b.re - a.re*b.im)/square);
    end '/';

    encapsulated operator '^'
      function power "By repeated products"
        import Operators.Phasor;
        input Phasor a;
        input Integer n;
        output Phasor c;
      algorithm
        c := Phasor(1);
        for i in 1:n loop
          c := c*a;
        end for;
      end power;
    end '^';

    encapsulated operator function '=='
      import Operators.Phasor;
      input Phasor a;
      input Phasor b;
      output Boolean same = a.re == b.re and a.im == b.im;
    algorithm
    end '==';

    encapsulated operator function 'String'
      import Operators.Phasor;
      input Phasor a;
      input Integer digits = 6;
      output String text = String(a.re, digits) + " + " + String(a.im, digits) + " j";
    algorithm
    end 'String';
  end Phasor;

  operator record Voltage = Phasor(redeclare Real re(unit = "V"), redeclare Real im(unit = "V"));
  operator record Current = Phasor(redeclare Real re(unit = "A"), redeclare Real im(unit = "A"));

  constant Phasor j = Phasor(0, 1);

  // --- circuits ----------------------------------------------------------------------------------

  connector Pin
    Voltage v;
    flow Current i;
  end Pin;

  partial model TwoPin
    Pin p;
    Pin n;
    Voltage v = p.v - n.v;
    Current i = p.i;
  equation
    p.i + n.i = Phasor(0);
  end TwoPin;

  model Impedance
    extends TwoPin;
    input Phasor z;
  equation
    v = z*i;
  end Impedance;

  model Source
    extends TwoPin;
    parameter Real amplitude;
  equation
    v = Phasor(amplitude);
  end Source;

  model Ground
    Pin p;
  equation
    p.v = Phasor(0);
  end Ground;

  model Series "R, L and C in series: i = u / (R + j (w L - 1/(w C)))"
    parameter Real R = 2, L = 0.5, C = 0.02;
    Real w = 1 + 14*time;
    Source source(amplitude = 10);
    Impedance resistor(z = Phasor(R));
    Impedance inductor(z = j*w*L);
    Impedance capacitor(z = 1/(j*w*C));
    Ground ground;
  equation
    connect(source.p, resistor.p);
    connect(resistor.n, inductor.p);
    connect(inductor.n, capacitor.p);
    connect(capacitor.n, source.n);
    connect(source.n, ground.p);
  end Series;

  model Ladder "Impedances in two meshes: [z1 + z2, -z2; -z2, z2 + z3] i = {u, 0}"
    parameter Phasor z1 = 1 + 2*j, z2 = 3 - j, z3 = Phasor(2);
    parameter Phasor Z[2, 2] = [z1 + z2, -z2; -z2, z2 + z3];
    Phasor i[2], back[2] = Z*i, twice[2] = 2*i, total = sum(i), power = conjugate(i)*i;
  equation
    Z*i = {Phasor(12), Phasor(0)};
  end Ladder;

  function conjugate
    input Phasor a;
    output Phasor b = Phasor(a.re, -a.im);
  algorithm
    annotation(Inline = true);
  end conjugate;

  // --- roots -------------------------------------------------------------------------------------

  function root "A root of z^n = 1 by Newton's iteration"
    input Phasor start;
    input Integer n;
    output Phasor z = start;
  algorithm
    for k in 1:20 loop
      z := z - (z^n - 1)/(n*z^(n - 1));
    end for;
  end root;

  model Roots
    parameter Integer n = 3;
    Phasor z = root(Phasor(-1, 1), n), w[4] = {j^k for k in 1:4}, nothing = sum(w[k] for k in 1:4);
    Phasor empty = sum(fill(j, 0));
    Boolean same = w[4] == Phasor(1);
    String text = String(z, digits = 3);
  end Roots;

  model Dynamics "z' = j w z: a circle, integrated by its parts"
    parameter Real w = 3;
    Phasor z(re(start = 1, fixed = true), im(start = 0, fixed = true)), dz = j*w*z;
  equation
    der(z.re) = dz.re;
    der(z.im) = dz.im;
  end Dynamics;
end Operators;
