import { seededRandom } from '@figbase/kit/testing'

export type Random = (max: number) => number

/** Whole numbers from 0 to below `max`, the same for each seed. */
export function randomNumbers(seed: number): Random {
  const next = seededRandom(seed)
  return (max) => Math.floor(next() * max)
}
