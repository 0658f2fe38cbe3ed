package class_in_package
  model RC
  end RC;
  package Inner
    block RL
    end RL;
    partial model Base
    end Base;
    function f
    end f;
  end Inner;
end class_in_package;
