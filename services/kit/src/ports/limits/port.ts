/**
 * How often something may happen with one key in a window, which begins with the first. `name` is of
 * a kind in its service; `windowMs` is whole seconds.
 */
export type LimitOptions = { name: string; pointsMax: number; windowMs: number }

/**
 * What is left of a limit. `isExceeded`: after `count`, that this was too much; after `peek`, that one
 * more would be. `resetMs`: until the window ends; 0 before it has begun.
 */
export type Allowance = { isExceeded: boolean; limit: number; remaining: number; resetMs: number }

/**
 * Counts in windows. Keys are short texts; the number of those remembered is bounded, and of too many
 * those are forgotten that were not counted for longest. Never rejects for a store that is away.
 */
export type Limiter = {
  /** `points` is a whole number, 1 by default. */
  count(key: string, points?: number): Promise<Allowance>
  peek(key: string): Promise<Allowance>
  /** The next count begins a new window. */
  forget(key: string): Promise<void>
}
