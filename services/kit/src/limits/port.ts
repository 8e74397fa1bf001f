/**
 * The limit per key in a window, which starts with the first count. `name` must be unique in the service;
 * `windowMs` must be whole seconds.
 */
export type LimitOptions = { name: string; pointsMax: number; windowMs: number }

/**
 * State of a limit. `isExceeded`: after `count`, this count exceeded the limit; after `peek`, one more would.
 * `resetMs`: time until the window ends; 0 before it has started.
 */
export type Allowance = { isExceeded: boolean; limit: number; remaining: number; resetMs: number }

/**
 * A fixed-window limiter. It falls back to memory if its store is unavailable. The empty key is never counted. In
 * memory, the `keysMax` most recently counted keys are kept.
 */
export type Limiter = {
  /** `points` is a whole number, 1 by default. */
  count(key: string, points?: number): Promise<Allowance>
  peek(key: string): Promise<Allowance>
  /** The next count starts a new window. */
  reset(key: string): Promise<void>
}

/** About 12 MB per limiter. */
export const keysMax = 20_000
