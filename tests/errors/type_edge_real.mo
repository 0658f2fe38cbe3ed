model A
  Boolean b = edge(time);
end A;
