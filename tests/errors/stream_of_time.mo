model A
  Real x = inStream(time);
end A;
