import type { Client, HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { StaffActionKind, type StaffService } from '@figbase/proto/identity/staff'
import { DeadKind, type OperationsService } from '@figbase/proto/operations'
import type { Kysely } from 'kysely'
import { pageSize } from '../db/page.js'
import { invalid, notFound } from '../errors/errors.js'
import { readEventDepth } from '../events/depth.js'
import { readJobDepths } from '../jobs/depth.js'
import type { Readiness } from '../operations/readiness.js'
import { forward, requireStaff } from '../rpc/call.js'
import { type DeadItems, deadEvents, deadJobs } from './dead-items.js'
import { readVersion } from './version.js'

/** What the operations of a service need. */
export type Operated = {
  name: string
  db: Kysely<unknown>
  /** Undefined if it has no queue. */
  jobNames: string[] | undefined
  consumerNames: string[]
  hasEvents: boolean
  readiness: Readiness
  staff: Client<typeof StaffService>
  wakeJobs(): void
}

type Impl = ServiceImpl<typeof OperationsService>

/** Implements the operations of the services of a process. Each RPC is for staff. */
export function operationsOf(services: Operated[]): Impl {
  const byName = new Map(services.map((one) => [one.name, one]))

  const operated = (name: string, call: HandlerContext): Operated => {
    requireStaff(call)
    const service = byName.get(name)
    if (!service) throw notFound('this service')
    return service
  }

  type Change = (items: DeadItems, id: string) => Promise<number>
  const changing =
    (action: StaffActionKind, change: Change) =>
    async (
      { service, kind, id }: { service: string; kind: DeadKind; id: string },
      call: HandlerContext,
    ) => {
      const one = operated(service, call)
      const items = itemsOf(one, kind)
      const target = [service, nouns[kind], id || 'all'].join(' ')
      await one.staff.recordStaffAction({ kind: action, target }, forward(call))
      const count = await change(items, id)
      if (count === 0 && id) throw notFound('this item')
      one.wakeJobs()
      return { count }
    }

  return {
    async getState({ service }, call) {
      const one = operated(service, call)
      const [dependencies, events, jobs] = await Promise.all([
        one.readiness.dependencies(),
        one.hasEvents ? readEventDepth(one.db, one.consumerNames) : undefined,
        one.jobNames ? readJobDepths(one.db, one.jobNames) : [],
      ])
      return {
        version: readVersion(),
        dependencies,
        eventsWaiting: events?.waiting ?? 0,
        eventsOldestSeconds: events?.oldestSeconds ?? 0,
        consumers: (events?.consumers ?? []).map(({ consumer: name, dead }) => ({ name, dead })),
        jobs,
      }
    },

    async listDead({ service, kind, pageSize: requested, pageToken }, call) {
      return itemsOf(operated(service, call), kind).list(pageSize(requested), pageToken)
    },
    retryDead: changing(StaffActionKind.RETRY_DEAD, (items, id) => items.retry(id)),
    dropDead: changing(StaffActionKind.DROP_DEAD, (items, id) => items.drop(id)),
  }
}

const nouns: Record<DeadKind, string> = {
  [DeadKind.UNSPECIFIED]: '',
  [DeadKind.EVENT]: 'event',
  [DeadKind.JOB]: 'job',
}

function itemsOf({ db, jobNames, hasEvents }: Operated, kind: DeadKind): DeadItems {
  if (kind === DeadKind.EVENT && hasEvents) return deadEvents(db)
  if (kind === DeadKind.JOB && jobNames) return deadJobs(db)
  if (kind === DeadKind.UNSPECIFIED) throw invalid('kind', 'is required')
  return none
}

const none: DeadItems = {
  list: async () => ({ items: [], nextPageToken: '' }),
  retry: async () => 0,
  drop: async () => 0,
}
