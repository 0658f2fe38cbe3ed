expandable connector Bus
end Bus;
model A
  Bus a;
  Bus b;
equation
  connect(a, b);
end A;
