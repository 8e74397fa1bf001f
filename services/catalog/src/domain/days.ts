const dayMs = 24 * 3_600_000

/** The last `count` dates (UTC) as `YYYY-MM-DD`, ending with today. */
export function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, n) =>
    new Date(now.getTime() - (count - 1 - n) * dayMs).toISOString().slice(0, 10),
  )
}
