model Base
  replaceable constant Real c = 1;
  final replaceable Real f = 1;
  Real fixed_one = 1;
  replaceable Real open = 1;
end Base;
model A
  extends Base;
  redeclare Real c = 2;
  redeclare Real f = 2;
  redeclare Real fixed_one = 2;
protected
  redeclare Real open = 2;
end A;
