import { Histogram, type Registry } from 'prom-client'

const everyMs = 100

/** Measures the event loop delay as the lateness of a timer. */
export function measureEventLoop(registry: Registry): Disposable {
  const delay = new Histogram({
    name: 'figbase_event_loop_delay_seconds',
    help: 'Event loop delay, sampled ten times a second.',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    delay.observe(Math.max(0, now - last - everyMs) / 1000)
    last = now
  }, everyMs)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
