import type { DescService } from '@bufbuild/protobuf'
import type { Client, ConnectRouter, HandlerContext } from '@connectrpc/connect'
import type { Kysely, Transaction } from 'kysely'
import type { EnvReader } from '../config/config.js'
import type { AfterCommit } from '../db/after-commit.js'
import type { Migration } from '../db/migrate.js'
import type { Database } from '../db/resolve-database.js'
import type { SealedColumn } from '../db/sealed-column.js'
import type { Bus } from '../events/bus/port.js'
import type { AnyEventKind, Consumer } from '../events/event.js'
import type { Publish } from '../events/publish.js'
import type { AnyJob } from '../jobs/define.js'
import type { CancelJob, Enqueue } from '../jobs/queue.js'
import type { RecordResult } from '../keyed/results.js'
import type { Keys } from '../keys/keys.js'
import type { BufferedLimiter } from '../limits/buffered.js'
import type { Limiter, LimitOptions } from '../limits/port.js'
import type { Logger } from '../log.js'
import type { Mailer } from '../mail/mailer.js'
import type { SendMail } from '../mail/send-mail.js'
import type { ObjectStore } from '../objects/port.js'
import type { Check } from '../operations/readiness.js'
import type { ConstraintErrors } from '../rpc/interceptors.js'
import type { Tasks } from '../tasks/client.js'
import type { StartTask } from '../tasks/start-task.js'

export type WriteOptions = { enqueues?: boolean; publishes?: boolean }

/** What the runtime provides to a service. The `Ctx` of a service is this plus its own members. */
export type Kit<DB> = {
  db: Kysely<DB>
  /** For connections besides those of `db`, such as sessions that hold locks. */
  database: Database
  /** Runs a transaction, retried after a deadlock. It must not contain remote calls. */
  transact<T>(work: (tx: Transaction<DB>) => Promise<T>): Promise<T>
  /**
   * Runs one auto-committed statement, retried after a deadlock. Set `enqueues` or `publishes` if it contains
   * `enqueueSql` or `publishSql`, to wake the job workers or the relay.
   */
  write<T>(
    run: (db: Kysely<DB>) => Promise<T>,
    options?: { enqueues?: boolean | ((result: T) => boolean); publishes?: boolean },
  ): Promise<T>
  /**
   * Records the response of a handler wrapped by `once`, in the transaction of its effect. `response` is called only
   * for keyed requests.
   */
  record: RecordResult
  /** Like `write`; for keyed requests in a transaction that also records the response, unless `run` returned undefined. */
  writeOnce<T>(
    call: HandlerContext,
    run: (db: Kysely<DB>) => Promise<T>,
    response: (result: NonNullable<T>, db: Kysely<DB>) => unknown,
    options?: WriteOptions,
  ): Promise<T>
  enqueue: Enqueue
  /** Wakes the job workers after the commit of a transaction with `enqueueSql`; without one, at once. */
  wakeJobs(tx?: object): void
  /** To be called in the transaction of the write that makes a job obsolete. */
  cancelJob: CancelJob
  /** Like `enqueue`, for a job that its user can follow and cancel. */
  startTask: StartTask
  tasks: Tasks
  publish: Publish
  /** Wakes the relay after the commit of a transaction with `publishSql`. */
  wakeRelay(tx: object): void
  /** Registers a callback for after the commit of a transaction of `transact`; the same callback runs once. */
  afterCommit: AfterCommit['register']
  /** Sends a message to every process of every service, without guarantee. */
  broadcast: Bus['broadcast']
  listen: Bus['listen']
  /** Enqueues a mail; requires `sendMailJob` among the jobs of the service. */
  sendMail: SendMail
  /** Used by `sendMailJob`; use `sendMail` elsewhere. */
  mailer: Mailer
  objects: ObjectStore
  /** Creates a rate limiter; `name` must be unique in the service. */
  limiter(options: LimitOptions): Limiter
  /** Creates a synchronous limiter, for use with every request. */
  bufferedLimiter(options: LimitOptions): BufferedLimiter
  /** A typed client of a peer, wherever it runs; pass `forward(call)` to each call. */
  client<S extends DescService>(service: S): Client<S>
  /** Fires when shutdown begins, to end streams. */
  stopping: AbortSignal
  keys: Keys
  newId(): string
  newOrderedId(): string
  log: Logger
}

/** Background work, called again `everyMs` after it ended. */
export type Periodic<Ctx> = {
  name: string
  everyMs: number
  /**
   * Maximum interval: it grows while `run` returns false (nothing to do). After a write of this process, `run` is
   * called `everyMs` later.
   */
  idleMsMax?: number
  run(ctx: Ctx, signal: AbortSignal): Promise<unknown>
}

export type ServiceDefinition<Config extends object, DB, Ctx> = {
  /** Also the name of the PostgreSQL schema and the prefix of the settings. */
  name: string
  config(env: EnvReader): Config
  /** Startup then fails if the object store does not work. */
  storesObjects?: boolean
  migrations: Migration[]
  /** Whether some of its handlers are wrapped by `once`. */
  recordsResults?: boolean
  /** All columns with values made by `seal`, to be sealed again when the secret changes. */
  sealed?: SealedColumn[]
  context(kit: Kit<DB>, config: Config): Ctx
  routes(ctx: Ctx): (router: ConnectRouter) => unknown
  byConstraint?: ConstraintErrors
  /** Servers of its own that it can run without, by name: `/readyz` lists those that are unavailable as degraded. */
  optionalServers?(ctx: Ctx): Record<string, Check>
  jobs?: AnyJob<Ctx>[]
  /** Jobs that a process runs in addition to JOB_CONCURRENCY, because jobs of this service mostly wait for a server. */
  waitingJobsMax?: number
  periodic?: Periodic<Ctx>[]
  /** The events that it may publish; their names begin with the name of the service. */
  publishes?: AnyEventKind[]
  consumers?: Consumer<Ctx>[]
  /** Runs after the migrations and before the first request. */
  start?(ctx: Ctx): Promise<AsyncDisposable | undefined>
  /** Runs when all services of this process are reachable; peers in other processes may not be yet. */
  ready?(ctx: Ctx): Promise<void>
}

// A service's own types matter inside it only.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Service = ServiceDefinition<any, any, any>

export function defineService<Config extends object, DB, Ctx>(
  definition: ServiceDefinition<Config, DB, Ctx>,
): ServiceDefinition<Config, DB, Ctx> {
  return definition
}
