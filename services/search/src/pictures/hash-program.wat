;; Compares the hashes of a picture with those of many. `picture-index.ts` says what is in the memory.
(module
  (memory (import "index" "memory") 0)

  ;; Writes the least distance of each allowed picture as 16-bit number. Of a picture there are `bytes` bytes: the number
  ;; of its framed parts, then the hashes of the whole, the content, the centre and the framed parts, 64 bytes each.
  (func (export "scan")
    (param $query i32) (param $pictures i32) (param $allowed i32) (param $out i32) (param $count i32)
    (param $bytes i32)
    (loop $next
      (if (i32.load8_u (local.get $allowed))
        (then
          (i32.store16
            (local.get $out)
            (call $distance (local.get $query) (local.get $pictures)))))
      (local.set $pictures (i32.add (local.get $pictures) (local.get $bytes)))
      (local.set $allowed (i32.add (local.get $allowed) (i32.const 1)))
      (local.set $out (i32.add (local.get $out) (i32.const 2)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next (local.get $count))))

  ;; The least distance of two parts that may show the same.
  (func $distance (param $a i32) (param $b i32) (result i32)
    (local $least i32) (local $ours i32) (local $theirs i32) (local $endOfOurs i32)
    (local $endOfTheirs i32)
    ;; The content of both.
    (local.set $least
      (call $bits
        (i32.add (local.get $a) (i32.const 68))
        (i32.add (local.get $b) (i32.const 68))))
    ;; The whole of both: a mark beside the content changes the content only.
    (local.set $least
      (call $less
        (local.get $least)
        (call $bits
          (i32.add (local.get $a) (i32.const 4))
          (i32.add (local.get $b) (i32.const 4)))))
    ;; The content and the centre.
    (local.set $least
      (call $less
        (local.get $least)
        (call $bits
          (i32.add (local.get $a) (i32.const 68))
          (i32.add (local.get $b) (i32.const 132)))))
    (local.set $least
      (call $less
        (local.get $least)
        (call $bits
          (i32.add (local.get $a) (i32.const 132))
          (i32.add (local.get $b) (i32.const 68)))))
    ;; The framed parts, with the content and with each other.
    (local.set $endOfOurs (call $endOfFramed (local.get $a)))
    (local.set $endOfTheirs (call $endOfFramed (local.get $b)))
    (local.set $ours (i32.add (local.get $a) (i32.const 196)))
    (block $noneOfOurs
      (br_if $noneOfOurs (i32.ge_u (local.get $ours) (local.get $endOfOurs)))
      (loop $nextOfOurs
        (local.set $least
          (call $less
            (local.get $least)
            (call $bits (local.get $ours) (i32.add (local.get $b) (i32.const 68)))))
        (local.set $theirs (i32.add (local.get $b) (i32.const 196)))
        (block $none
          (br_if $none (i32.ge_u (local.get $theirs) (local.get $endOfTheirs)))
          (loop $next
            (local.set $least
              (call $less
                (local.get $least)
                (call $bits (local.get $ours) (local.get $theirs))))
            (local.set $theirs (i32.add (local.get $theirs) (i32.const 64)))
            (br_if $next (i32.lt_u (local.get $theirs) (local.get $endOfTheirs)))))
        (local.set $ours (i32.add (local.get $ours) (i32.const 64)))
        (br_if $nextOfOurs (i32.lt_u (local.get $ours) (local.get $endOfOurs)))))
    (local.set $theirs (i32.add (local.get $b) (i32.const 196)))
    (block $noneOfTheirs
      (br_if $noneOfTheirs (i32.ge_u (local.get $theirs) (local.get $endOfTheirs)))
      (loop $nextOfTheirs
        (local.set $least
          (call $less
            (local.get $least)
            (call $bits (i32.add (local.get $a) (i32.const 68)) (local.get $theirs))))
        (local.set $theirs (i32.add (local.get $theirs) (i32.const 64)))
        (br_if $nextOfTheirs (i32.lt_u (local.get $theirs) (local.get $endOfTheirs)))))
    (local.get $least))

  (func $endOfFramed (param $picture i32) (result i32)
    (i32.add
      (i32.add (local.get $picture) (i32.const 196))
      (i32.shl (i32.load (local.get $picture)) (i32.const 6))))

  (func $less (param $a i32) (param $b i32) (result i32)
    (select (local.get $a) (local.get $b) (i32.lt_u (local.get $a) (local.get $b))))

  ;; The number of different bits of two hashes.
  (func $bits (param $a i32) (param $b i32) (result i32)
    (local $sums v128)
    (local.set $sums
      (i32x4.extadd_pairwise_i16x8_u
        (i16x8.extadd_pairwise_i8x16_u
          (i8x16.add
            (i8x16.add
              (i8x16.popcnt (v128.xor (v128.load (local.get $a)) (v128.load (local.get $b))))
              (i8x16.popcnt
                (v128.xor (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b)))))
            (i8x16.add
              (i8x16.popcnt
                (v128.xor (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b))))
              (i8x16.popcnt
                (v128.xor
                  (v128.load offset=48 (local.get $a))
                  (v128.load offset=48 (local.get $b)))))))))
    (i32.add
      (i32.add
        (i32x4.extract_lane 0 (local.get $sums))
        (i32x4.extract_lane 1 (local.get $sums)))
      (i32.add
        (i32x4.extract_lane 2 (local.get $sums))
        (i32x4.extract_lane 3 (local.get $sums))))))
