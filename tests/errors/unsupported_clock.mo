model A
  Clock c = Clock(0.1);
end A;
