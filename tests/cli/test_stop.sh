# label: fast
# Long operations end within a second of SIGTERM, whatever they calculate, and files that grow beyond
# the limit of the system are errors with a message.
. "$(dirname "$0")/expect.sh"

cat >Stop.mo <<'END'
package Stop
  function wait "Of n times n turns"
    input Real n;
    output Real y;
  protected
    Real k;
  algorithm
    y := 0;
    k := 0;
    while k < n*n loop
      k := k + 1;
      y := y + sin(k);
    end while;
  end wait;
  function fibonacci
    input Integer n;
    output Real y;
  algorithm
    y := if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2);
  end fibonacci;
  function grown "An array that a loop makes longer"
    input Integer n;
    output Real y;
  protected
    Real all[:] = zeros(1);
  algorithm
    while size(all, 1) < n loop
      all := cat(1, all, {1});
    end while;
    y := sum(all);
  end grown;
  model While
    Real x(start = 1, fixed = true);
  equation
    der(x) = wait(1e6 + x);
  end While;
  model Recursion
    Real x(start = 1, fixed = true);
  equation
    der(x) = fibonacci(integer(60 + x));
  end Recursion;
  model Growing
    Real x(start = 1, fixed = true);
  equation
    der(x) = grown(integer(100000000 + x));
  end Growing;
  model Constant
    parameter Real p = fibonacci(60) annotation(Evaluate = true);
    Real x[if p > 2 then 1 else 2](each start = 1, each fixed = true);
  equation
    der(x) = -x;
  end Constant;
  model Grains
    inner Rattleback.World world;
    Rattleback.Particles.Random grains(n = 20000000, radius = 1e-4, high = {1, 1, 1});
  end Grains;
end Stop;
END

# stop SIGNAL SECONDS ARGUMENTS...: after SECONDS the signal, and a second for the end.
stop() {
    signal=$1 wait=$2
    shift 2
    "$program" "$@" >stdout.txt 2>stderr.txt &
    pid=$!
    sleep "$wait"
    kill "-$signal" $pid 2>/dev/null ||
        complain "$*: ended before it was to: $(cat stderr.txt)"
    tries=0
    while kill -0 $pid 2>/dev/null && [ $tries -lt 15 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -9 $pid 2>/dev/null && complain "$*: SIG$signal did not end it within 1.5 s"
    wait $pid 2>/dev/null
    code=$?
    case $code in
        130 | 143) ;; # by the program, or by the system before it began to calculate
        *) complain "$*: exit code $code after SIG$signal: $(cat stderr.txt)" ;;
    esac
}

for class in While Recursion Growing Constant Grains; do
    stop TERM 0.6 simulate Stop.mo Stop.$class --quiet
done

# Files of at most 512 bytes.
cat >Ball.mo <<'END'
model Ball
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
end Ball;
END
expect 0 "" simulate Ball.mo Ball --quiet --output-file ball.rbj
while read -r command; do
    # shellcheck disable=SC2086 # words
    (ulimit -f 1 && exec "$program" $command >stdout.txt 2>stderr.txt)
    code=$?
    is "exit code of '$command' with a small limit of files" $code 6
    grep -q "error: " stderr.txt || complain "$command: no message: $(cat stderr.txt)"
done <<'END'
convert ball.rbj ball.csv
plot ball.rbj h --output-file ball.svg
view ball.rbj --output-file ball.html
report ball.rbj --output-file ball.html
END
finish
