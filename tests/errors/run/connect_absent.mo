model M "A source is connected to a pin that its neighbour does not have"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Box
    parameter Boolean useGround = false;
    Pin pin;
    Pin ground if useGround;
  equation
    pin.i = pin.v;
  end Box;
  model Source
    Pin pin;
  equation
    pin.i = 1;
  end Source;
  Box box;
  Source source;
equation
  connect(source.pin, box.ground);
end M;
