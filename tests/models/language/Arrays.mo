package Arrays "Arrays, slices, comprehension, array functions, matrix algebra"
  model Products
    Real A[3,3] = [1, 2, 3; 4, 5, 6; 7, 8, 10];
    Real b[3] = {1, 2, 3};
    Real right[3] = A*b, left[3] = b*A, scalar = b*b;
    Real outer_product[3,3] = outerProduct(b, b), skewed[3,3] = skew(b), crossed[3] = cross(b, {0, 0, 1});
    Real inverse[3,3] "by a linear system of nine unknowns";
    Real rest[3,3] = A*inverse;
  equation
    A*inverse = identity(3);
    when terminal() then
      assert(right[1] == 14 and right[3] == 53 and left[1] == 30 and left[3] == 45 and scalar == 14, "products");
      assert(outer_product[2, 3] == 6 and skewed[1, 2] == -3 and skewed[3, 2] == 1, "outer product, skew");
      assert(crossed[1] == 2 and crossed[2] == -1 and crossed[3] == 0, "cross");
      assert(abs(inverse[1, 1] + 2/3) < 1e-12 and abs(inverse[3, 3] - 1) < 1e-12, "inverse");
      assert(max(abs(rest - identity(3))) < 1e-12, "A*inverse");
    end when;
  end Products;

  model Powers
    parameter Integer n = 3;
    parameter Real A[2,2] = [1, 1; 0, 1];
    Real B[2,2] = [cos(time), -sin(time); sin(time), cos(time)];
    Real a0[2,2] = A^0, a1[2,2] = A^1, a5[2,2] = A^5, an[2,2] = A^n, b3[2,2] = B^3;
  equation
    when terminal() then
      assert(a0[1, 1] == 1 and a0[1, 2] == 0 and a1[1, 2] == 1 and a5[1, 2] == 5 and an[1, 2] == 3, "shear");
      assert(abs(b3[1, 1] - cos(3*time)) < 1e-12 and abs(b3[2, 1] - sin(3*time)) < 1e-12, "rotation");
    end when;
  end Powers;

  model Slices
    Real A[3,3] = [1, 2, 3; 4, 5, 6; 7, 8, 10];
    Real b[3] = {1, 2, 3};
    Real column[3] = A[:, 2], row[3] = A[3], part[2,2] = A[1:2, {1, 3}], last = A[end, end - 1], backwards[3] = b[end:-1:1];
    Real cube[2,2,2] = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
    Real plane[2,2] = cube[2], element = cube[1, 2, 1], line[2] = cube[:, 1, 2];
  equation
    when terminal() then
      assert(column[3] == 8 and row[1] == 7 and part[2, 2] == 6 and last == 8 and backwards[1] == 3, "matrix");
      assert(plane[2, 1] == 7 and element == 3 and line[2] == 6, "cube");
    end when;
  end Slices;

  model Construction
    parameter Integer n = 4;
    Real b[3] = {1, 2, 3};
    Real squares[n] = {i^2 for i in 1:n}, grid[2,3] = {10*i + j for j in 1:3, i in 1:2};
    Real line[5] = linspace(0, 1, 5), steps[6] = 0:0.2:1, joined[6] = cat(1, b, {4, 5}, {6});
    Real M[2,3] = [b[1:2], {{1, 2}, {3, 4}}], wide[3,2] = cat(2, matrix(b), matrix(2*b));
    Real s = scalar({{{5}}}), v[3] = vector([1; 2; 3]), full[2,3] = fill(3, 2, 3), d[3,3] = diagonal(b);
    Real nothing[0], symmetrical[3,3] = symmetric([1, 2, 3; 0, 4, 5; 0, 0, 6]), T[3,2] = transpose(M);
    Integer rank = ndims(M), sizes[2] = size(M), rows = size(M, 1);
  equation
    when terminal() then
      assert(squares[4] == 16 and grid[2, 3] == 23 and grid[1, 2] == 12, "comprehension");
      assert(line[2] == 0.25 and abs(steps[6] - 1) < 1e-15 and joined[6] == 6, "rows");
      assert(M[2, 1] == 2 and M[2, 3] == 4 and wide[3, 2] == 6 and T[3, 1] == 2, "matrices");
      assert(s == 5 and v[2] == 2 and full[2, 2] == 3 and d[2, 2] == 2 and d[1, 2] == 0, "conversions");
      assert(sum(nothing) == 0 and product(nothing) == 1 and symmetrical[3, 1] == 3, "nothing, symmetric");
      assert(rank == 2 and sizes[1] == 2 and sizes[2] == 3 and rows == 2, "sizes");
    end when;
  end Construction;

  model Reductions
    Real A[2,2] = [1, 5; -3, 2], b[3] = {1, 2, 3};
    Real largest = max(A), least = min(b), valley = min(i*i - 4*i for i in 1:5), times = product(i for i in {1, 2, 5});
    Real nested = sum(sum(A[i, j]*(if i == j then 1 else 0) for j in 1:2) for i in 1:2), double_sum = sum(A[i, j] for i in 1:2, j in 1:2);
    Real quotients[3] = b.*b./{1, 2, 3}, powers[3] = b.^2, more[3] = b .+ 1, less[3] = -b, sines[3] = sin(b), sizes[3] = abs({-1, 2, -3});
    Boolean any = max({b[i] > 2 for i in 1:3});
  equation
    when terminal() then
      assert(largest == 5 and least == 1 and valley == -4 and times == 10 and nested == 3 and double_sum == 5, "reductions");
      assert(quotients[3] == 3 and powers[3] == 9 and more[1] == 2 and less[2] == -2 and sines[2] == sin(2) and sizes[3] == 3 and any, "by elements");
    end when;
  end Reductions;

  function sumOfPowers "A reduction of arrays works element by element"
    input Real x[:];
    input Integer n;
    output Real y[size(x, 1)];
    output Real largest;
  algorithm
    y := sum(x.^i*i for i in 1:n);
    largest := max(sum(i*j*x for i in 1:2, j in 1:n)) + sum(i for i in 5:4);
  end sumOfPowers;

  model ReductionOfArrays
    Real y[2], largest;
  equation
    (y, largest) = sumOfPowers({2 + time - time, 3}, 3);
    assert(abs(y[1] - 34) < 1e-12 and abs(y[2] - 102) < 1e-12, "2 + 2*4 + 3*8 and 3 + 2*9 + 3*27");
    assert(abs(largest - 54) < 1e-12, "3*(1 + 2)*(1 + 2 + 3)");
  end ReductionOfArrays;

  function blocks "A matrix of blocks whose sizes only the call says"
    input Real v[:];
    input Integer n;
    input Real A[:, :];
    output Real B[size(v, 1) + n + size(A, 1), 3];
    output Real rows[n, size(v, 1)];
  protected
    Real w[:] = {2.0*i for i in 1:n};
  algorithm
    B := [zeros(size(v, 1)), v, fill(1, size(v, 1)); w, ones(n), w; A, 2*ones(size(A, 1))];
    rows := fill(v, n);
  end blocks;

  model BlocksOfOpenSize
    parameter Integer n = 2;
    Real B[6, 3], rows[2, 3];
  equation
    (B, rows) = blocks({3, 4, time}, n, [7, 8]);
    assert(B[2, 2] == 4 and B[3, 2] == time and B[3, 3] == 1, "a column of zeros, the vector, ones");
    assert(B[4, 1] == 2 and B[5, 3] == 4 and B[4, 2] == 1 and B[6, 2] == 8 and B[6, 3] == 2, "what follows below");
    assert(rows[2, 1] == 3 and rows[1, 3] == time and rows[2, 3] == time, "the vector twice");
  end BlocksOfOpenSize;
end Arrays;
