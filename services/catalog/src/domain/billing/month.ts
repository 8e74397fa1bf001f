import { parsePeriod } from '@figbase/kit/text'
import type { Month } from './lines.js'

/** A period as a calendar month. */
export function monthOf(period: string): Month {
  const { name, from, to } = parsePeriod(period)
  return { from: secondsOf(from), to: secondsOf(to), month: Number(name.slice(5)) - 1 }
}

/** The period after this one. */
export const periodAfter = (period: string): string => parsePeriod(period).to.slice(0, 7)

const secondsOf = (time: string) => Date.parse(time) / 1000
