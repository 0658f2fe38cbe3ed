# Names of soft bodies that no other language would have, from XML to Modelica and back; an order that springs do not have; a time of which there is no picture.
. "$(dirname "$0")/expect.sh"

scene() { # NAME ORDER
    cat <<END
<come><scene gY="-10"><simulation fps="100" duration="0.02"/><patient>
<materials><material description="h" density="1000" youngs_modulus="20000" order="$2"/></materials>
<molecule_organ description="$1">
<molecule x="0" y="0" z="0" radius="0.0075" material="h"/>
<molecule x="0.01" y="0" z="0" radius="0.0075" material="h"/>
</molecule_organ></patient></scene></come>
END
}
name="a b.c[1],&quot;x&#10;y&#9;z'\\"
scene "$name" 1 >odd.xml
expect 0 "" convert odd.xml Odd.mo
expect 0 "" simulate Odd.mo --quiet --output-file odd.csv
expect 0 "" convert Odd.mo back.xml
is "the name, there and back" "$(grep -cF "<molecule_organ description=\"$name\"" back.xml)" 1

scene block 2 >two.xml
expect 1 "two.xml:2:*error: 'h' is of order 2, but springs have no order; elements have: corotated or neo_hookean*" \
    simulate two.xml --quiet --output-file two.csv

expect 0 "" simulate odd.xml --quiet --output-file odd.rbj
expect 2 "odd.rbj: error: the time 5 s is outside of the result, which goes from 0 s to 0.02 s*" \
    render odd.rbj --time 5 --output-file odd.png
# Actions that name a soft body that does not exist, and one where none can be.
cat >Acts.mo <<'END'
model Acts
  import Rattleback.*;
  inner World world;
  Parts.Fixed f;
  Parts.SoftBody b(shape = Shapes.Box(0.03, 0.03, 0.03), gridSize = 0.01, E = 2e4);
  Actions.ChangeMaterial c(at = 0.1, a = "bb");
  Actions.Remove r(at = 0.1, a = "b");
  Actions.Attach t(at = 0.1, a = "f", b = "b");
  Actions.Glue g(at = 0.1, a = "b", b = "f");
end Acts;
END
expect 1 "Acts.mo:6:*error: an action names the soft body 'bb', which does not exist; did you mean 'b'?*
Acts.mo:7:*error: an action names 'b', which is a soft body: it wants a part or a frame*
Acts.mo:8:*error: an action names 'b', which is a soft body: it wants a part or a frame*
Acts.mo:9:*error: an action names 'f', which is a part: it wants a soft body*" check Acts.mo

finish
