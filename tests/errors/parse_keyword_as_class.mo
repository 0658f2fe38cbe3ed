model equation
end equation;
