;; Compares the edge maps of two pictures. A cell of a map has the strengths of four directions: one vector of four
;; floats. Addresses are in bytes. `edge-program.ts` says what each function does.
(module
  (memory (export "memory") 8)

  ;; The strengths at a point of a square map, between its four nearest cells. x and y: from -0.5 to 0.5. Everything is
  ;; in one function, because calls are not inlined.
  (func $sample (param $map i32) (param $side i32) (param $x f32) (param $y f32) (result v128)
    (local $cells f32) (local $end f32) (local $left f32) (local $top f32) (local $right v128)
    (local $upper v128) (local $lower v128) (local $stride i32)
    (local.set $cells (f32.convert_i32_s (local.get $side)))
    (local.set $end (f32.sub (local.get $cells) (f32.const 2)))
    ;; From here on in cells, with a fraction, from 0 to side - 1.
    (local.set $x
      (f32.sub
        (f32.mul (f32.add (local.get $x) (f32.const 0.5)) (local.get $cells))
        (f32.const 0.5)))
    (local.set $y
      (f32.sub
        (f32.mul (f32.add (local.get $y) (f32.const 0.5)) (local.get $cells))
        (f32.const 0.5)))
    (local.set $x
      (f32.max
        (f32.const 0)
        (f32.min (local.get $x) (f32.add (local.get $end) (f32.const 1)))))
    (local.set $y
      (f32.max
        (f32.const 0)
        (f32.min (local.get $y) (f32.add (local.get $end) (f32.const 1)))))
    ;; The first of two cells: at most side - 2.
    (local.set $left (f32.min (local.get $end) (f32.floor (local.get $x))))
    (local.set $top (f32.min (local.get $end) (f32.floor (local.get $y))))
    (local.set $stride (i32.shl (local.get $side) (i32.const 4)))
    (local.set $map
      (i32.add
        (i32.add
          (local.get $map)
          (i32.mul (i32.trunc_sat_f32_s (local.get $top)) (local.get $stride)))
        (i32.shl (i32.trunc_sat_f32_s (local.get $left)) (i32.const 4))))
    (local.set $right (f32x4.splat (f32.sub (local.get $x) (local.get $left))))
    (local.set $upper (v128.load (local.get $map)))
    (local.set $upper
      (f32x4.add
        (local.get $upper)
        (f32x4.mul
          (local.get $right)
          (f32x4.sub (v128.load offset=16 (local.get $map)) (local.get $upper)))))
    (local.set $map (i32.add (local.get $map) (local.get $stride)))
    (local.set $lower (v128.load (local.get $map)))
    (local.set $lower
      (f32x4.add
        (local.get $lower)
        (f32x4.mul
          (local.get $right)
          (f32x4.sub (v128.load offset=16 (local.get $map)) (local.get $lower)))))
    (f32x4.add
      (local.get $upper)
      (f32x4.mul
        (f32x4.splat (f32.sub (local.get $y) (local.get $top)))
        (f32x4.sub (local.get $lower) (local.get $upper)))))

  (func $sum (param $lanes v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $lanes)) (f32x4.extract_lane 1 (local.get $lanes)))
      (f32.add (f32x4.extract_lane 2 (local.get $lanes)) (f32x4.extract_lane 3 (local.get $lanes)))))

  (func (export "agreement")
    (param $points i32) (param $count i32) (param $map i32) (param $side i32)
    (param $x f32) (param $y f32) (param $xx f32) (param $xy f32) (param $yx f32) (param $yy f32)
    (result f32)
    (local $end i32) (local $px f32) (local $py f32) (local $inside f32)
    (local $bx f32) (local $by f32) (local $ours v128) (local $theirs v128)
    (local $shared v128) (local $all v128)
    (if (i32.eqz (local.get $count)) (then (return (f32.const 0))))
    (local.set $end (i32.add (local.get $points) (i32.mul (local.get $count) (i32.const 32))))
    (loop $next
      (local.set $px (f32.load offset=16 (local.get $points)))
      (local.set $py (f32.load offset=20 (local.get $points)))
      (local.set $bx
        (f32.add
          (local.get $x)
          (f32.add
            (f32.mul (local.get $xx) (local.get $px))
            (f32.mul (local.get $xy) (local.get $py)))))
      (local.set $by
        (f32.add
          (local.get $y)
          (f32.add
            (f32.mul (local.get $yx) (local.get $px))
            (f32.mul (local.get $yy) (local.get $py)))))
      (if (f32.le
            (f32.max (f32.abs (local.get $bx)) (f32.abs (local.get $by)))
            (f32.const 0.5))
        (then
          (local.set $inside (f32.add (local.get $inside) (f32.const 1)))
          (local.set $ours (v128.load (local.get $points)))
          (local.set $theirs
            (call $sample (local.get $map) (local.get $side) (local.get $bx) (local.get $by)))
          (local.set $shared
            (f32x4.add (local.get $shared) (f32x4.pmin (local.get $ours) (local.get $theirs))))
          (local.set $all
            (f32x4.add (local.get $all) (f32x4.add (local.get $ours) (local.get $theirs))))))
      (local.set $points (i32.add (local.get $points) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $points) (local.get $end))))
    (f32.mul
      (f32.div
        (f32.mul (f32.const 2) (call $sum (local.get $shared)))
        (f32.add (f32.const 1e-6) (call $sum (local.get $all))))
      (f32.div (local.get $inside) (f32.convert_i32_s (local.get $count)))))

  (func (export "move")
    (param $map i32) (param $side i32) (param $moved i32) (param $masks i32)
    (param $x f32) (param $y f32) (param $xx f32) (param $xy f32) (param $yx f32) (param $yy f32)
    (local $row i32) (local $column i32) (local $px f32) (local $py f32) (local $bx f32)
    (local $by f32) (local $cell i32) (local $isInside i32)
    (loop $nextRow
      (local.set $py (call $centre (local.get $row) (local.get $side)))
      (local.set $column (i32.const 0))
      ;; A border of one cell is around what is written.
      (local.set $cell
        (i32.add
          (i32.mul
            (i32.add (local.get $row) (i32.const 1))
            (i32.add (local.get $side) (i32.const 2)))
          (i32.const 1)))
      (loop $nextColumn
        (local.set $px (call $centre (local.get $column) (local.get $side)))
        (local.set $bx
          (f32.add
            (local.get $x)
            (f32.add
              (f32.mul (local.get $xx) (local.get $px))
              (f32.mul (local.get $xy) (local.get $py)))))
        (local.set $by
          (f32.add
            (local.get $y)
            (f32.add
              (f32.mul (local.get $yx) (local.get $px))
              (f32.mul (local.get $yy) (local.get $py)))))
        (local.set $isInside (f32.le
            (f32.max (f32.abs (local.get $bx)) (f32.abs (local.get $by)))
            (f32.const 0.5)))
        (i32.store
          (i32.add (local.get $masks) (i32.shl (local.get $cell) (i32.const 2)))
          (i32.sub (i32.const 0) (local.get $isInside)))
        (if (local.get $isInside)
          (then
            (v128.store
              (i32.add (local.get $moved) (i32.shl (local.get $cell) (i32.const 4)))
              (call $sample (local.get $map) (local.get $side) (local.get $bx) (local.get $by)))))
        (local.set $cell (i32.add (local.get $cell) (i32.const 1)))
        (local.set $column (i32.add (local.get $column) (i32.const 1)))
        (br_if $nextColumn (i32.lt_u (local.get $column) (local.get $side))))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $nextRow (i32.lt_u (local.get $row) (local.get $side)))))

  ;; The coordinate of the centre of a cell.
  (func $centre (param $at i32) (param $side i32) (result f32)
    (f32.sub
      (f32.div
        (f32.add (f32.convert_i32_s (local.get $at)) (f32.const 0.5))
        (f32.convert_i32_s (local.get $side)))
      (f32.const 0.5)))

  (func (export "compareBlocks")
    (param $map i32) (param $side i32) (param $moved i32) (param $masks i32) (param $out i32)
    (local $top i32) (local $left i32) (local $shared f32) (local $all f32)
    (loop $nextRow
      (local.set $left (i32.const 0))
      (loop $nextColumn
        (call $bestOfBlock
          (i32.add
            (local.get $map)
            (i32.shl
              (i32.add (i32.mul (local.get $top) (local.get $side)) (local.get $left))
              (i32.const 4)))
          (local.get $side)
          (local.get $moved)
          (local.get $masks)
          (i32.add
            (i32.mul
              (i32.add (local.get $top) (i32.const 1))
              (i32.add (local.get $side) (i32.const 2)))
            (i32.add (local.get $left) (i32.const 1))))
        (local.set $all)
        (local.set $shared)
        (f32.store (local.get $out) (local.get $shared))
        (f32.store offset=4 (local.get $out) (local.get $all))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (local.set $left (i32.add (local.get $left) (i32.const 4)))
        (br_if $nextColumn (i32.lt_u (local.get $left) (local.get $side))))
      (local.set $top (i32.add (local.get $top) (i32.const 4)))
      (br_if $nextRow (i32.lt_u (local.get $top) (local.get $side)))))

  ;; The best agreement of a block with what lies on it or one cell beside it. `cell`: its first cell, with the border.
  (func $bestOfBlock
    (param $ours i32) (param $side i32) (param $moved i32) (param $masks i32) (param $cell i32)
    (result f32 f32)
    (local $shared f32) (local $all f32) (local $nextShared f32) (local $nextAll f32)
    (local $beside i32) (local $at i32)
    (call $block
      (local.get $ours) (local.get $side) (local.get $moved) (local.get $masks) (local.get $cell))
    (local.set $all)
    (local.set $shared)
    (if (f32.ge
          (f32.mul (f32.const 2) (local.get $shared))
          (f32.mul (f32.const 0.95) (local.get $all)))
      (then (return (local.get $shared) (local.get $all))))
    (loop $next
      ;; Above, below, left, right.
      (local.set $at
        (select
          (i32.add (local.get $side) (i32.const 2))
          (i32.const 1)
          (i32.lt_u (local.get $beside) (i32.const 2))))
      (if (i32.eqz (i32.and (local.get $beside) (i32.const 1)))
        (then (local.set $at (i32.sub (i32.const 0) (local.get $at)))))
      (call $block
        (local.get $ours)
        (local.get $side)
        (local.get $moved)
        (local.get $masks)
        (i32.add (local.get $cell) (local.get $at)))
      (local.set $nextAll)
      (local.set $nextShared)
      (if (f32.gt
            (f32.mul (local.get $nextShared) (f32.add (local.get $all) (f32.const 0.5)))
            (f32.mul (local.get $shared) (f32.add (local.get $nextAll) (f32.const 0.5))))
        (then
          (local.set $shared (local.get $nextShared))
          (local.set $all (local.get $nextAll))))
      (local.set $beside (i32.add (local.get $beside) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $beside) (i32.const 4))))
    (local.get $shared)
    (local.get $all))

  ;; What a block of 4 x 4 cells shares with another, and the strengths of all edges of both, where both are known.
  (func $block
    (param $ours i32) (param $side i32) (param $moved i32) (param $masks i32) (param $cell i32)
    (result f32 f32)
    (local $row i32) (local $n i32) (local $a v128) (local $b v128) (local $shared v128)
    (local $all v128)
    (local.set $moved (i32.add (local.get $moved) (i32.shl (local.get $cell) (i32.const 4))))
    (local.set $masks (i32.add (local.get $masks) (i32.shl (local.get $cell) (i32.const 2))))
    (loop $nextRow
      (local.set $n (i32.const 4))
      (loop $nextCell
        (local.set $a
          (v128.and (v128.load (local.get $ours)) (v128.load32_splat (local.get $masks))))
        (local.set $b
          (v128.and (v128.load (local.get $moved)) (v128.load32_splat (local.get $masks))))
        (local.set $shared
          (f32x4.add (local.get $shared) (f32x4.pmin (local.get $a) (local.get $b))))
        (local.set $all
          (f32x4.add (local.get $all) (f32x4.add (local.get $a) (local.get $b))))
        (local.set $ours (i32.add (local.get $ours) (i32.const 16)))
        (local.set $moved (i32.add (local.get $moved) (i32.const 16)))
        (local.set $masks (i32.add (local.get $masks) (i32.const 4)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br_if $nextCell (local.get $n)))
      ;; To the next row, without the border or with it.
      (local.set $ours
        (i32.add
          (local.get $ours)
          (i32.shl (i32.sub (local.get $side) (i32.const 4)) (i32.const 4))))
      (local.set $moved
        (i32.add
          (local.get $moved)
          (i32.shl (i32.sub (local.get $side) (i32.const 2)) (i32.const 4))))
      (local.set $masks
        (i32.add
          (local.get $masks)
          (i32.shl (i32.sub (local.get $side) (i32.const 2)) (i32.const 2))))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $nextRow (i32.lt_u (local.get $row) (i32.const 4))))
    (call $sum (local.get $shared))
    (call $sum (local.get $all))))
