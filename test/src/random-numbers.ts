export type Random = (max: number) => number

/** Numbers from 0 to max - 1, the same for each seed (mulberry32). */
export function randomNumbers(start: number): Random {
  let state = start
  return (max) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % max
  }
}
