type T = T;
model A
  T x;
end A;
