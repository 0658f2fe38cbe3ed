# label: normal
# Scenes of soft bodies that are wrong: each is refused with its line, none of them harms.
. "$(dirname "$0")/expect.sh"

head='<come>
<scene gY="-9.81">
<patient><materials><material description="gel" density="1000" youngs_modulus="10000"/></materials>
<molecule_organ description="one">'
tail='</molecule_organ></patient></scene></come>'

# molecule X Y [attributes]
molecule() {
    printf '<molecule x="%s" y="%s" z="0" material="gel" radius="0.01"%s/>\n' "$1" "$2" "${3:+ $3}"
}

scene() { # scene FILE: molecules from the input
    { printf '%s\n' "$head"; cat; printf '%s\n' "$tail"; } >"$1"
}

{ molecule 0 0; molecule 0.01 0; molecule 0.01 0; } | scene place.xml
expect 1 "place.xml:7:1: error: two molecules of 'one' stand at one place, (0.01, 0, 0) m*" simulate place.xml
{ molecule 0 0; molecule 0.01 0; molecule 1 0; } | scene alone.xml
expect 1 "alone.xml:7:1: error: a molecule of 'one' at (1, 0, 0) m has no neighbour*" simulate alone.xml
{ molecule 0 0; molecule 0.01 0; printf '</molecule_organ><molecule_organ description="two">\n'; molecule 0.005 0.004; } |
    scene overlap.xml
expect 1 "overlap.xml:8:1: error: the objects 'one' and 'two' overlap by * m at the start, at * m; move them apart*" simulate overlap.xml
molecule 0 0 'colour="red"' | scene attribute.xml
expect 1 "attribute.xml:5:1: error: <molecule> has no attribute 'colour'; it has: x, y, z,*" simulate attribute.xml
printf '<molecule x="0" y="0" z="0" material="gell" radius="0.01"/>\n' | scene material.xml
expect 1 "material.xml:5:1: error: there is no material 'gell'; did you mean 'gel'?*" simulate material.xml
printf '<molecule x="0" y="0" z="0" material="gel" radius="-1"/>\n' | scene range.xml
expect 1 "range.xml:5:1: error: the radius \[m] of a molecule of 'one' is -1; it must lie between*" simulate range.xml

# What does not touch cannot be glued, here as in Modelica.
{ molecule 0 0; molecule 0.01 0; printf '</molecule_organ><molecule_organ description="two">\n'; molecule 0 1; molecule 0.01 1; } |
    scene apart.xml
sed -i 's|</patient>|&<glue time="0.05" organ="one" to="two"/>|' apart.xml
expect 5 "*apart.xml:10:*: error: component * at t = 0.05 s: cannot glue 'one' and 'two': they do not touch; choose another time*" simulate apart.xml --stop-time 0.1

# A thin body is told how stiff it is, once.
for x in 0 0.01 0.02; do for y in 0 0.01; do molecule $x $y; printf '<molecule x="%s" y="%s" z="0.01" material="gel" radius="0.01"/>\n' $x $y; done; done |
    scene thin.xml
expect 0 "thin.xml:4:1: warning: 'one' is 2 molecules thick: in bending its springs are 85 % stiffer than Young's modulus says; six*" simulate thin.xml --stop-time 0.01

# A thousand million laughs, and a file of 1 GB that is nearly all holes.
{ printf '<!DOCTYPE come [<!ENTITY a0 "ha">'
  for i in 1 2 3 4 5 6 7 8 9; do
      printf '<!ENTITY a%d "' $i
      for k in 1 2 3 4 5 6 7 8 9 10; do printf '&a%d;' $((i - 1)); done
      printf '">'
  done
  printf ']>\n<come>&a9;</come>\n'; } >bomb.xml
expect 1 "bomb.xml:1:*: error: the entity 'a0' is declared; entities are not read*" simulate bomb.xml
truncate -s 1G large.xml
expect 6 "large.xml: error: the file has 1073741824 bytes; at most 67108864 can be read*" simulate large.xml
rm large.xml

# Stiff bodies by an implicit solver, resumed where molecules touch: the same bits.
expect 0 "" simulate "$source/examples/soft/steel_rubber_gel.xml" --solver cvode --stop-time 0.06 --checkpoint-interval 0.05 --output-file whole.rbj --quiet
cp whole.rbj resumed.rbj
expect 0 "" simulate "$source/examples/soft/steel_rubber_gel.xml" --solver cvode --stop-time 0.06 --checkpoint-interval 0.05 --output-file resumed.rbj --resume whole.rbc --quiet
cmp -s whole.rbj resumed.rbj || complain "a stiff soft scene that was resumed differs"
expect 0 "" simulate "$source/examples/soft/steel_rubber_gel.xml" --override detection=1 --solver cvode --stop-time 0.06 --checkpoint-interval 0.05 --output-file whole.rbj --quiet
cp whole.rbj resumed.rbj
expect 0 "" simulate "$source/examples/soft/steel_rubber_gel.xml" --override detection=1 --solver cvode --stop-time 0.06 --checkpoint-interval 0.05 --output-file resumed.rbj --resume whole.rbc --quiet
cmp -s whole.rbj resumed.rbj || complain "a stiff scene of surfaces that was resumed differs"

# Who watches is told how many molecules there are, alone and among rigid bodies.
expect 0 '*"molecules":300,"elapsed":*' simulate "$source/examples/soft/box_on_ground.xml" --stop-time 0.01 --output-file told.csv --progress json
expect 0 '*"molecules":[1-9]*' simulate Rattleback.Examples.SoftLanding --stop-time 0.001 --output-file told.csv --progress json

# From XML to Modelica and back: the same bits; the model itself moves alike, by another solver.
box="$source/examples/soft/box_on_ground.xml"
expect 0 "" convert "$box" Box.mo
expect 0 "" convert Box.mo back.xml
for scene in "$box" back.xml; do "$program" simulate "$scene" --stop-time 0.35 --output-file "$(basename "$scene" .xml).csv" --quiet >/dev/null 2>&1; done
cmp -s box_on_ground.csv back.csv || complain "a scene that was converted to Modelica and back moves differently"
"$program" simulate Box.mo --stop-time 0.35 --tolerance 1e-8 --output-file model.csv --quiet >/dev/null 2>&1
"$program" simulate "$box" --stop-time 0.35 --tolerance 1e-8 --output-file fine.csv --quiet >/dev/null 2>&1
last() { awk -F, -v name='"?box[.]r\\[2\\]"?' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ "^" name "$") column = i } END { print $column }' "$1"; }
awk -v a="$(last model.csv)" -v b="$(last fine.csv)" 'BEGIN { d = a - b; exit !(a > 0 && d < 2e-8 && d > -2e-8) }' ||
    complain "the model of a scene moves differently: $(last model.csv), $(last fine.csv)"

# Likewise an object of three materials, whose name is no identifier, on one of two.
{ cat <<'END'
<come><scene gY="-9.81"><simulation fps="100" duration="0.2"/><patient><materials>
<material description="gel" density="1000" youngs_modulus="20000" damping_const="0.3"/>
<material description="core" density="3000" youngs_modulus="60000" damping_const="0.5" medium_density="1.2"/>
<material description="skin" density="1200" youngs_modulus="40000" damping_const="0.2" breaking_strain="2"/>
</materials><molecule_organ description="ground">
END
  for x in -0.02 -0.01 0 0.01 0.02; do for z in -0.02 -0.01 0 0.01 0.02; do
      printf '<molecule x="%s" y="0" z="%s" material="%s" friction_const="0.3" radius="0.0075" fixed="true"/>\n' $x $z "$([ $x = 0 ] && echo skin || echo gel)"
  done; done
  printf '</molecule_organ><molecule_organ description="a box">\n'
  for x in -0.012 -0.002 0.008; do for y in 0.03 0.04 0.05; do for z in -0.008 0.002 0.012; do
      case "$x $y $z" in "-0.002 0.04 0.002") m=core ;; *0.04*) m=gel ;; *) m=skin ;; esac
      printf '<molecule x="%s" y="%s" z="%s" vx="0.1" material="%s" friction_const="0.3" radius="0.0075"/>\n' $x $y $z $m
  done; done; done
  printf '</molecule_organ></patient></scene></come>\n'; } >several.xml
expect 0 "" convert several.xml Several.mo
expect 0 "" convert Several.mo there.xml
expect 0 "" convert there.xml There.mo
is "materials of the objects" "$(sed -n 's/.*<material description="\([^"]*\)".*/\1/p' there.xml | tr '\n' ',')" "ground,ground.materials[1],a box,a box.materials[1],a box.materials[2],"
is "the model, there and back" "$(sed 's/Several/There/' Several.mo | cmp - There.mo && echo same)" same
for scene in several there; do "$program" simulate $scene.xml --output-file $scene.csv --quiet >/dev/null 2>&1; done
cmp -s several.csv there.csv || complain "objects of several materials that were converted to Modelica and back move differently"
"$program" simulate Several.mo --tolerance 1e-9 --output-file model.csv --quiet >/dev/null 2>&1
"$program" simulate several.xml --tolerance 1e-9 --output-file fine.csv --quiet >/dev/null 2>&1
box() { awk -F, -v k=$2 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ "a box.*[.]r\\[" k "\\]") column = i } END { print $column }' "$1"; }
for k in 1 2 3; do
    awk -v a="$(box model.csv $k)" -v b="$(box fine.csv $k)" 'BEGIN { d = a - b; exit !(a != 0 && d < 1e-7 && d > -1e-7) }' ||
        complain "the model of objects of several materials moves differently: $(box model.csv $k), $(box fine.csv $k)"
done

# Cells that are too small are told at the object.
{ molecule 0 0; molecule 0.01 0; } | scene fine.xml
sed -i 's/<scene/<scene detection="meshes" mesh_resolution="1e-9"/' fine.xml
expect 1 "fine.xml:[0-9]*:[0-9]*: error: the surface of 'one' with cells of 1e-09 m needs*" simulate fine.xml

# What the other side has no words for.
{ molecule 0 0; molecule 0.01 0 'friction_const="0.5"'; } | scene rough.xml
expect 1 "rough.xml:6:1: error: the molecules of 'one' have different frictions; a SoftBody in Modelica has one for all of them: make several objects of it*" convert rough.xml Rough.mo
cat >Rigid.mo <<'END'
model Rigid
  inner Rattleback.World world(g = 9.81);
  Rattleback.Parts.Solid ground(shape = Rattleback.Shapes.HalfSpace(), fixed = true);
  Rattleback.Parts.SoftBody gel(r_start = {0, 0.05, 0}, sphereMasses = true);
end Rigid;
END
expect 1 "rattleback: error: the model has the rigid part 'ground': a scene of soft bodies has nothing else*" convert Rigid.mo rigid.xml
cat >Cells.mo <<'END'
model Cells
  inner Rattleback.World world(g = 9.81);
  Rattleback.Parts.SoftBody gel;
end Cells;
END
expect 2 "*has masses of cells, and a file has those of spheres: set sphere_masses*" convert Cells.mo cells.xml

# A sensor of contacts says what it does not see.
cat >Felt.mo <<'END'
model Felt
  inner Rattleback.World world(g = 9.81);
  Rattleback.Parts.Solid ground(shape = Rattleback.Shapes.HalfSpace(), fixed = true);
  Rattleback.Parts.SoftBody gel(r_start = {0, 0.05, 0});
  Rattleback.Sensors.Contact c(a = "ground");
end Felt;
END
expect 0 "Felt.mo:5:30: warning: 'c' measures contacts with solids; what soft bodies exert is not in it*" simulate Felt.mo --stop-time 0.001 --output-file felt.csv --quiet

# What is recorded does not change the run: stiff blocks touch anew, and the solver starts anew with them at the same times.
hash_of() {
    "$program" simulate "$source/examples/soft/steel_rubber_gel.xml" --stop-time 0.06 --output-file gel.csv "$@" 2>&1 | sed -n 's/.*state hash //p'
}
all=$(hash_of)
[ -n "$all" ] || complain "no state hash"
is "state hash without integrals" "$(hash_of --variable-filter '.*r\[1\]' 2>/dev/null)" "$all"
is "state hash of a run that records nothing" "$(hash_of --variable-filter none)" "$all"

finish
