# label: fast
# A library that names an older version of another one is converted as it is read, by the script of that one: classes, elements,
# modifiers. The user's library is read from a folder, so that names are followed through imports in files around.
. "$(dirname "$0")/expect.sh"

mkdir -p 'lib/Parts 2.0.0/Scripts' user/Old/Deep lone
cat >'lib/Parts 2.0.0/package.mo' <<'END'
package Parts
  package Units
    package SI
      type Length = Real(unit = "m");
      type Mass = Real(unit = "kg");
    end SI;
    package Conversions
      function from_mm
        input Real mm;
        output SI.Length m = mm/1000;
      end from_mm;
    end Conversions;
  end Units;
  package Blocks
    model Gain "was Amplifier, with the gain g in dB"
      parameter Real k = 1;
      parameter Boolean inverted;
      Real u, y = (if inverted then -k else k)*u;
    end Gain;
    model Store "had wide instead of width"
      parameter Units.SI.Length width = 1;
      Units.SI.Length level = 2*width;
    end Store;
    function scale "had fac instead of factor"
      input Real u;
      input Real factor = 1;
      output Real y = factor*u;
    end scale;
  end Blocks;
  annotation(version = "2.0.0", conversion(noneFromVersion = "1.9.9",
    from(version = {"1.0.0", "1.1"}, script = "modelica://Parts/Scripts/convert.mos")));
end Parts;
END
cat >'lib/Parts 2.0.0/Scripts/convert.mos' <<'END'
// from 1.1
convertClass("Parts.SIunits", "Parts.Units.SI");
convertClass("Parts.SIunits.Conversions", "Parts.Units.Conversions");
convertClass({"Parts.Blocks.Amplifier", "Parts.Blocks.Reservoir"}, {"Parts.Blocks.Gain", "Parts.Blocks.Store"});
/* elements and modifiers name old classes */
convertElement({"Parts.Blocks.Store", "Parts.Blocks.Reservoir"}, {"wide"}, {"width"});
convertElement("Parts.Blocks.scale", "fac", "factor");
convertModifiers({"Parts.Blocks.Amplifier"}, {"g=0"}, {"k=10^(%g%/20)"});
convertModifiers("Parts.Blocks.Amplifier", fill("", 0), {"inverted=false"});
convertMessage("Parts.Blocks.Gone", "write it anew");
END
cat >user/Old/package.mo <<'END'
package Old
  import SI = Parts.SIunits;
  import Parts.Blocks.*;
  annotation(uses(Parts(version = "1.1+build.2")));
end Old;
END
printf 'Deep\nAll\nShadow\nMissing\n' >user/Old/package.order
echo 'within Old; package Deep end Deep;' >user/Old/Deep/package.mo
cat >user/Old/Deep/Model.mo <<'END'
within Old.Deep;
model Model "names over two folders"
  import Parts.SIunits;
  import Parts.SIunits.Conversions.from_mm;
  import Parts.SIunits.{Mass, Length};
  extends Reservoir(wide = from_mm(500));
  Amplifier a(g = 20, u = 3), b(u = 1), c(inverted = true, u = 1);
  Parts.Blocks.Reservoir tank[2](each wide = 4);
  SIunits.Length x = SI.Conversions.from_mm(7), y = Parts.SIunits.Conversions.from_mm(9);
  Mass m = Parts.Blocks.scale(2, fac = 5);
  replaceable Parts.Blocks.Store s constrainedby Parts.Blocks.Store(wide = 3);
  Real z = wide + tank[1].wide + s.wide;
equation
  when terminal() then
    assert(abs(level - 1) < 1e-12 and abs(tank[2].level - 8) < 1e-12, "elements: " + String(level));
    assert(abs(a.y - 30) < 1e-12 and abs(b.y - 1) < 1e-12 and abs(c.y + 1) < 1e-12, "modifiers: " + String(a.y));
    assert(abs(x - 0.007) < 1e-12 and abs(y - 0.009) < 1e-12 and m == 10 and abs(z - 7.5) < 1e-12, "names: " + String(z));
  end when;
end Model;
END
cat >user/Old/Shadow.mo <<'END'
within Old;
model Shadow "names of its own are left alone"
  model Reservoir
    parameter Real wide = 2;
  end Reservoir;
  record Own
    Real SIunits = 4;
  end Own;
  Reservoir r(wide = 3);
  Own Parts;
  Real x = r.wide + Parts.SIunits;
equation
  when terminal() then
    assert(x == 7, String(x));
  end when;
end Shadow;
END
echo 'within Old; model Missing Parts.Blocks.Gone g; end Missing;' >user/Old/Missing.mo
echo 'model Lone Parts.SIunits.Length x = 1; end Lone;' >lone/Lone.mo
echo 'package New model M Parts.Blocks.Store s(width = 2); end M; annotation(uses(Parts(version = "1.9.9"))); end New;' >lone/New.mo
echo 'package Other model M Parts.Blocks.Store s(width = 2); end M; annotation(uses(Parts(version = "0.5"))); end Other;' >lone/Other.mo

run() { expect "$1" "$2" simulate "$3" $4 --library lib --quiet --output-file o.csv; }
run 0 "" user/Old Old.Deep.Model
run 0 "" user/Old Old.Shadow
run 0 "" lone/New.mo New.M
run 0 "*made for version 0.5 of the library 'Parts', but version 2.0.0 was found*" lone/Other.mo Other.M
run 1 "*was not converted to the present version: write it anew*" user/Old Old.Missing
run 1 "*'Parts' has no 'SIunits'; it was of an older version of 'Parts', and is 'Parts.Units.SI.Length' now. A package with annotation(uses(Parts(version = \"...\"))) is converted*" lone/Lone.mo Lone

# The version that is asked for goes before a newer one.
mkdir -p 'lib/Parts 1.1'
echo 'package Parts "the old one" package Blocks model Reservoir parameter Real wide = 1; end Reservoir; end Blocks; annotation(version = "1.1"); end Parts;' \
    >'lib/Parts 1.1/package.mo'
echo 'package Side model M Parts.Blocks.Reservoir s(wide = 2); end M; annotation(uses(Parts(version = "1.1"))); end Side;' >lone/Side.mo
run 0 "" lone/Side.mo Side.M
run 0 "" lone/New.mo New.M
finish
