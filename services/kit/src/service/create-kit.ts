import type { Kysely } from 'kysely'
import type { Database } from '../db/resolve-database.js'
import type { Bus } from '../events/bus/port.js'
import type { Events } from '../events/start-events.js'
import { newId, newOrderedId } from '../ids.js'
import { cancelJob, type Enqueue, enqueueJob } from '../jobs/queue.js'
import { recordResult } from '../keyed/results.js'
import type { Keys } from '../keys/keys.js'
import type { Limits } from '../limits/open.js'
import type { Logger } from '../log.js'
import type { Mailbox, Mailer } from '../mail/mailer.js'
import { sendMailFrom, sendMailJob } from '../mail/send-mail.js'
import type { ObjectStore } from '../objects/port.js'
import { keyedRequest } from '../rpc/call.js'
import { createTasks } from '../tasks/client.js'
import { startingTasks } from '../tasks/start-task.js'
import type { Writes } from './create-writes.js'
import type { Kit, Service } from './service.js'

export type KitParts = {
  service: Service
  db: Kysely<unknown>
  database: Database
  writes: Writes
  wakeJobs(): void
  events: Events<unknown>
  bus: Bus
  limits: Limits
  mailer: Mailer
  mailFrom: Mailbox
  objects: ObjectStore
  client: Kit<unknown>['client']
  stopping: AbortSignal
  keys: Keys
  log: Logger
}

/** Assembles what the runtime provides to a service. */
export function createKit(parts: KitParts): Kit<unknown> {
  const { service, db, database, writes, wakeJobs, events, bus, limits, client, log } = parts
  const { transact, afterCommit } = writes
  const enqueue: Enqueue = async (tx, job, payload, options) => {
    await enqueueJob(tx, job, payload, options)
    afterCommit(tx, wakeJobs)
  }
  const sendsMail = service.jobs?.includes(sendMailJob) ?? false
  const tasks = createTasks(client, log)
  const write: Kit<unknown>['write'] = async (run, options) => {
    const result = await writes.write(run)
    const { enqueues = false } = options ?? {}
    if (typeof enqueues === 'function' ? enqueues(result) : enqueues) wakeJobs()
    if (options?.publishes) events.wakeRelay()
    return result
  }
  return {
    db,
    database,
    ...startingTasks<unknown>({ transact, enqueue, newId, tasks, log }),
    tasks,
    write,
    record: recordResult,
    writeOnce(call, run, response, options) {
      if (!keyedRequest(call)) return write(run, options)
      return transact(async (tx) => {
        const result = await run(tx)
        if (result === undefined || result === null) return result
        await recordResult(tx, call, () => response(result, tx))
        if (options?.enqueues) afterCommit(tx, wakeJobs)
        if (options?.publishes) afterCommit(tx, events.wakeRelay)
        return result
      })
    },
    enqueue,
    wakeJobs: (tx) => (tx ? afterCommit(tx, wakeJobs) : wakeJobs()),
    cancelJob,
    mailer: parts.mailer,
    sendMail: sendMailFrom(parts.mailFrom, enqueue, sendsMail),
    publish: events.publish,
    wakeRelay: (tx) => afterCommit(tx, events.wakeRelay),
    afterCommit,
    broadcast: bus.broadcast,
    listen: bus.listen,
    objects: parts.objects,
    limiter: limits.limiter,
    bufferedLimiter: limits.bufferedLimiter,
    client,
    stopping: parts.stopping,
    keys: parts.keys,
    newId,
    newOrderedId,
    log,
  }
}
