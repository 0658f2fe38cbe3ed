// plot: y2[1] y2[2]
// Arrays stay arrays: der(y2) = A2*y2 is one equation, whatever the size of A2 is, and that may change after translation. The
// size of A1 is a number in the text, so y1 is taken apart into its elements, and their number stays.
//
//     rattleback simulate examples/modelica/LinearOdes.mo
//     rattleback simulate examples/modelica/LinearOdes.mo --override "A2=[-1, 0, 0; 0, -2, 0; 0, 0, -3]" --override "y2={1.1, 2.1, 3.1}"
//     rattleback dump --stage=sorted examples/modelica/LinearOdes.mo
model LinearOdes "Linear differential equations of a fixed and of a free size"
  parameter Real A1[2, 2] = [-1, 0; 0, -2];
  parameter Real A2[:, :] = [-1, 0; 0, -2];
  Real y1[2](start = {1, 2}, each fixed = true);
  Real y2[size(A2, 1)](start = {1, 2}, each fixed = true);
equation
  der(y1) = A1*y1;
  der(y2) = A2*y2;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end LinearOdes;
