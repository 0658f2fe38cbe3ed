model A
  extends A;
end A;
