model A parameter Real p = 1; Real x(start = 0) = p*time; end A;
model B extends A(final p = 3); end B;
model C A a(final p = 3); end C;
model D A a[2](each final p = 3); end D;
model F final parameter Real p = 1; end F;
model G extends F(p = 2); end G;
model Test
  B b(p = 4);
  C c(a(p = 4));
  D d(a(p = {4, 5}));
  G g;
end Test;
