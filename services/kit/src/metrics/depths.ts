import { Gauge, type Registry } from 'prom-client'
import type { EventDepth } from '../events/depth.js'
import type { JobDepth } from '../jobs/depth.js'
import { shared, within } from '../operations/within.js'
import type { Metrics } from './metrics.js'

type Depths = Pick<Metrics, 'watchDepths'> & {
  /** Reads what waits now; what cannot be read in time has no value then, rather than an old one. */
  readDepths(): Promise<void>
}

/** What waits in the queues of jobs and events, and what failed for good there. */
export function measureDepths(registry: Registry, timeoutMs: number): Depths {
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const jobs = {
    waiting: gauge(
      'figbase_jobs_waiting',
      'Jobs that are due; 10000 of a name are counted at most.',
      'service',
      'name',
    ),
    oldest: gauge(
      'figbase_jobs_oldest_waiting_seconds',
      'How long the oldest of them has been due.',
      'service',
      'name',
    ),
    dead: gauge(
      'figbase_jobs_dead',
      'Jobs that failed for good and are kept; 10000 are counted at most.',
      'service',
      'name',
    ),
  }
  const events = {
    waiting: gauge(
      'figbase_outbox_waiting',
      'Events that are not on the bus yet; 10000 are counted at most.',
      'service',
    ),
    oldest: gauge(
      'figbase_outbox_oldest_waiting_seconds',
      'How long ago the oldest of them was published.',
      'service',
    ),
    dead: gauge(
      'figbase_events_dead',
      'Dead letters of a consumer; 10000 of a service are counted at most.',
      'service',
      'consumer',
    ),
  }
  const showJob = (service: string, job: JobDepth) => {
    const labels = { service, name: job.name }
    jobs.waiting.set(labels, job.waiting)
    jobs.oldest.set(labels, job.oldestSeconds)
    jobs.dead.set(labels, job.dead)
  }
  const showEvents = (service: string, depth: EventDepth) => {
    events.waiting.set({ service }, depth.waiting)
    events.oldest.set({ service }, depth.oldestSeconds)
    for (const { consumer, dead } of depth.consumers) events.dead.set({ service, consumer }, dead)
  }
  const readings: (() => Promise<() => void>)[] = []
  return {
    watchDepths(service, { jobs: readJobs, events: readEvents }) {
      if (readJobs) {
        readings.push(
          shared(async () => {
            const depths = await readJobs()
            return () => {
              for (const depth of depths) showJob(service, depth)
            }
          }),
        )
      }
      if (readEvents) {
        readings.push(
          shared(async () => {
            const depth = await readEvents()
            return () => showEvents(service, depth)
          }),
        )
      }
    },
    async readDepths() {
      const read = await Promise.all(readings.map((reading) => within(timeoutMs, reading())))
      for (const each of [...Object.values(jobs), ...Object.values(events)]) each.reset()
      for (const show of read) show?.()
    },
  }
}
