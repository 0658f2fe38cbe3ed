package P
  constant Real a = 1;
  model Engine
  end Engine;
end P;
model Other "its imports do not matter"
  import Nowhere.Else;
end Other;
model import_missing
  import Nowhere.Thing;
  import P.Engin;
  import B = P.Engine;
  import Q.*;
  Real x = 1;
end import_missing;
