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
 * Counts in windows, whether or not its store can be reached. The empty key is nobody: it is never
 * counted. In memory, `keysMax` keys are remembered; of more, those that were not counted for longest
 * are forgotten.
 */
export type Limiter = {
  /** `points` is a whole number, 1 by default. */
  count(key: string, points?: number): Promise<Allowance>
  peek(key: string): Promise<Allowance>
  /** The next count begins a new window. */
  forget(key: string): Promise<void>
}

/** About 12 MB for each limiter. */
export const keysMax = 20_000
