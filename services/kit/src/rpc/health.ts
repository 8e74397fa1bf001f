import { setTimeout as sleep } from 'node:timers/promises'
import { create } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import {
  type Health,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '@figbase/proto/health'
import { exhausted, notFound } from '../errors/errors.js'

/** Health checks by service name. */
export type HealthChecks = Map<string, () => Promise<boolean>>

const watchEveryMs = 1000
const watchersMax = 100

/** Implements `grpc.health.v1`; the empty name stands for all services. `stopping` makes them NOT_SERVING. */
export function healthOf(checks: HealthChecks, stopping: AbortSignal): ServiceImpl<typeof Health> {
  let watchers = 0

  const statusOf = async (name: string): Promise<Status> => {
    const selected = name === '' ? [...checks.values()] : [checks.get(name)]
    const results = await Promise.all(selected.map((isHealthy) => isHealthy?.()))
    if (results.includes(undefined)) return Status.SERVICE_UNKNOWN
    return stopping.aborted || results.includes(false) ? Status.NOT_SERVING : Status.SERVING
  }

  /** Ends at a shutdown, which would otherwise wait for the stream. */
  async function* statusesOf(name: string, signal: AbortSignal) {
    const ended = AbortSignal.any([signal, stopping])
    let last: Status | undefined
    while (!signal.aborted) {
      const status = await statusOf(name)
      if (status !== last) yield { status }
      last = status
      if (ended.aborted) return
      await sleep(watchEveryMs, undefined, { signal: ended }).catch(() => {})
    }
  }

  return {
    async check({ service }) {
      const status = await statusOf(service)
      if (status === Status.SERVICE_UNKNOWN) throw notFound('this service')
      return { status }
    },

    async *watch({ service }, { signal }) {
      if (watchers >= watchersMax) throw exhausted('too_many_watchers', 'too many watchers')
      watchers++
      try {
        yield* statusesOf(service, signal)
      } finally {
        watchers--
      }
    },

    async list() {
      const statuses: Record<string, ReturnType<typeof response>> = {}
      for (const name of ['', ...checks.keys()]) statuses[name] = response(await statusOf(name))
      return { statuses }
    },
  }
}

const response = (status: Status) => create(HealthCheckResponseSchema, { status })
