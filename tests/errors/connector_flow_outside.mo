model A
  flow Real x = time;
end A;
