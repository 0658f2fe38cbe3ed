package Modelica "Of the standard library what RattlebackContact uses, in few words: as another tool has it"
  package Units
    package SI
      type Length = Real(unit = "m", min = 0);
      type Position = Real(unit = "m");
      type Angle = Real(unit = "rad");
      type AngularVelocity = Real(unit = "rad/s");
      type Mass = Real(unit = "kg", min = 0);
      type Energy = Real(unit = "J");
      type Force = Real(unit = "N");
      type Torque = Real(unit = "N.m");
    end SI;
  end Units;
  package Utilities
    package Files
      function loadResource
        input String uri;
        output String fileReference;
      algorithm
        fileReference := uri;
      end loadResource;
    end Files;
  end Utilities;
  package Mechanics
    package MultiBody
      package Frames
        record Orientation
          Real T[3, 3] "From the axes of the world to those of the frame";
          Units.SI.AngularVelocity w[3] "In the axes of the frame";
          encapsulated function equalityConstraint
            import Modelica.Mechanics.MultiBody.Frames.Orientation;
            input Orientation R1;
            input Orientation R2;
            output Real residue[3];
          protected
            Real T[3, 3] = R2.T*transpose(R1.T);
          algorithm
            residue := {atan2(T[2, 3], T[3, 3]), atan2(T[3, 1], T[1, 1]), atan2(T[1, 2], T[2, 2])};
          end equalityConstraint;
        end Orientation;
        function axesRotations "About three axes, one after the other"
          input Integer sequence[3];
          input Real angles[3];
          input Real der_angles[3];
          output Orientation R;
        protected
          Real T[3, 3] = identity(3);
          Real e[3];
        algorithm
          for i in 1:3 loop
            e := {if sequence[i] == k then 1 else 0 for k in 1:3};
            T := (matrix(e)*transpose(matrix(e)) + (identity(3) - matrix(e)*transpose(matrix(e)))*cos(angles[i]) - skew(e)*sin(angles[i]))*T;
          end for;
          R := Orientation(T, zeros(3));
        end axesRotations;
        function resolve1 "From the axes of the frame to those around it"
          input Orientation R;
          input Real v2[3];
          output Real v1[3];
        algorithm
          v1 := transpose(R.T)*v2;
        end resolve1;
      end Frames;
      package Interfaces
        connector Frame
          Units.SI.Position r_0[3];
          Frames.Orientation R;
          flow Units.SI.Force f[3];
          flow Units.SI.Torque t[3];
        end Frame;
        connector Frame_a = Frame;
        connector Frame_b = Frame;
      end Interfaces;
      package Visualizers
        package Advanced
          model Shape
            parameter String shapeType = "box";
            input Frames.Orientation R;
            input Real r[3];
            input Real r_shape[3];
            input Real lengthDirection[3];
            input Real widthDirection[3];
            input Real length;
            input Real width;
            input Real height;
            input Real extra;
            input Real color[3];
          end Shape;
        end Advanced;
      end Visualizers;
    end MultiBody;
  end Mechanics;
end Modelica;
