// The formulas of queues that the page about scaling uses. Sources: E. D. Lazowska et al., Quantitative System
// Performance (1984), chapters 3 and 5 (utilization law, asymptotic bounds); L. Kleinrock, Queueing Systems, volume 1
// (1975), section 3.5 (M/M/c, the formula C of Erlang).

/** The utilization law: how busy each of `servers` is, with work of `demandMs` for each request. */
export const utilization = (perSecond: number, demandMs: number, servers = 1): number =>
  (perSecond * demandMs) / 1000 / servers

/** The probability that work waits in an M/M/c queue, by the recursion of Erlang's formula B. */
export function waitProbability(servers: number, utilized: number): number {
  if (utilized >= 1) return 1
  const offered = servers * utilized
  let blocked = 1
  for (let n = 1; n <= servers; n++) blocked = (offered * blocked) / (n + offered * blocked)
  return blocked / (1 - utilized * (1 - blocked))
}

/** The mean time in an M/M/c queue, waiting included, as a multiple of the time of the work alone. */
export const stretch = (servers: number, utilized: number): number =>
  utilized >= 1
    ? Number.POSITIVE_INFINITY
    : 1 + waitProbability(servers, utilized) / (servers * (1 - utilized))

/** The requests per second at which the busiest station is full: the bound of the bottleneck. */
export const saturation = (stations: { demandMs: number; servers: number }[]): number =>
  Math.min(...stations.map(({ demandMs, servers }) => (1000 * servers) / demandMs))
