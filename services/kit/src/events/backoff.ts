export type Backoff = { delayMinMs: number; delayMaxMs: number }

/** Exponential backoff in ms up to the maximum; half of it is random, so that retries spread out. */
export function delayAfter(attempts: number, { delayMinMs, delayMaxMs }: Backoff): number {
  const fullMs = Math.min(delayMaxMs, delayMinMs * 2 ** Math.min(attempts - 1, 40))
  return Math.round(fullMs * (0.5 + Math.random() / 2))
}
