import { invalid } from '../errors/index.js'

const pattern = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/

/** A month in UTC: `YYYY-MM`, and the times at which it and the next one begin. */
export type Period = { name: string; from: string; to: string }

/** Whether the text is a month, `YYYY-MM`. */
export const isPeriod = (text: string): boolean => pattern.test(text)

/** 400 naming `period` if `text` is no month. It may be empty: the month of `now`. */
export function parsePeriod(text: string, now: Date = new Date()): Period {
  const name = text || now.toISOString().slice(0, 7)
  const [, year, month] = pattern.exec(name) ?? []
  if (!year) throw invalid('period', 'must be a month: YYYY-MM')
  const [nextYear, nextMonth] =
    month === '12' ? [Number(year) + 1, 1] : [Number(year), Number(month) + 1]
  const to = `${String(nextYear).padStart(4, '0')}-${String(nextMonth).padStart(2, '0')}`
  return { name, from: startOf(name), to: startOf(to) }
}

/** The names of the last `count` months in UTC, that of `now` last. */
export function lastPeriods(count: number, now: Date = new Date()): string[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(year, month - count + 1 + i)).toISOString().slice(0, 7),
  )
}

const startOf = (month: string) => `${month}-01T00:00:00Z`
