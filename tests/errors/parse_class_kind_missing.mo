partial A
end A;
