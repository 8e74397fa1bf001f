import { Gauge, type Registry } from 'prom-client'
import type { EventDepth } from '../events/depth.js'
import type { JobDepth } from '../jobs/depth.js'
import { singleFlight, tryWithin } from '../timing/memoize.js'
import type { Metrics } from './metrics.js'

type Depths = Pick<Metrics, 'watchDepths'> & {
  /** Reads the current depths; one that cannot be read in time is omitted rather than stale. */
  readDepths(): Promise<void>
}

/** Measures waiting and dead jobs and events. */
export function measureDepths(registry: Registry, timeoutMs: number): Depths {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const jobs = {
    waiting: gauge(
      'figbase_jobs_waiting',
      'Due jobs; capped at 10000 per name.',
      'service',
      'name',
    ),
    oldest: gauge(
      'figbase_jobs_oldest_waiting_seconds',
      'How long the oldest due job has been waiting.',
      'service',
      'name',
    ),
    dead: gauge('figbase_jobs_dead', 'Dead jobs; capped at 10000.', 'service', 'name'),
  }
  const events = {
    waiting: gauge(
      'figbase_outbox_waiting',
      'Events not yet on the bus; capped at 10000.',
      'service',
    ),
    oldest: gauge(
      'figbase_outbox_oldest_waiting_seconds',
      'Age of the oldest event not yet on the bus.',
      'service',
    ),
    dead: gauge(
      'figbase_events_dead',
      'Dead letters of a consumer; capped at 10000 per service.',
      'service',
      'consumer',
    ),
  }
  const setJob = (service: string, job: JobDepth) => {
    const labels = { service, name: job.name }
    jobs.waiting.set(labels, job.waiting)
    jobs.oldest.set(labels, job.oldestSeconds)
    jobs.dead.set(labels, job.dead)
  }
  const setEvents = (service: string, depth: EventDepth) => {
    events.waiting.set({ service }, depth.waiting)
    events.oldest.set({ service }, depth.oldestSeconds)
    for (const { consumer, dead } of depth.consumers) events.dead.set({ service, consumer }, dead)
  }
  const readings: (() => Promise<() => void>)[] = []
  return {
    watchDepths(service, { jobs: readJobs, events: readEvents }) {
      if (readJobs) {
        readings.push(
          singleFlight(async () => {
            const depths = await readJobs()
            return () => {
              for (const depth of depths) setJob(service, depth)
            }
          }),
        )
      }
      if (readEvents) {
        readings.push(
          singleFlight(async () => {
            const depth = await readEvents()
            return () => setEvents(service, depth)
          }),
        )
      }
    },
    async readDepths() {
      const read = await Promise.all(readings.map((reading) => tryWithin(timeoutMs, reading())))
      for (const each of [...Object.values(jobs), ...Object.values(events)]) each.reset()
      for (const apply of read) apply?.()
    },
  }
}
