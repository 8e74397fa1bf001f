export type Backoff = { delayMinMs: number; delayMaxMs: number }

/** Doubles with each attempt up to the maximum; half of it is chance, so that not all come at once. */
export function delayAfter(attempts: number, { delayMinMs, delayMaxMs }: Backoff): number {
  const whole = Math.min(delayMaxMs, delayMinMs * 2 ** Math.min(attempts - 1, 40))
  return Math.round(whole * (0.5 + Math.random() / 2))
}
