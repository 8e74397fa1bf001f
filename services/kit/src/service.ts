import type { DescService } from '@bufbuild/protobuf'
import type { Client, ConnectRouter } from '@connectrpc/connect'
import type { Kysely, Transaction } from 'kysely'
import type { EnvReader } from './config.js'
import type { AfterCommit } from './db/after-commit.js'
import type { Migration } from './db/migrate.js'
import type { Database } from './db/reach.js'
import type { Bus } from './events/bus/port.js'
import type { AnyEventKind, Consumer } from './events/event.js'
import type { Publish } from './events/publish.js'
import type { AnyJob } from './jobs/define.js'
import type { CancelJob, Enqueue } from './jobs/queue.js'
import type { Keys } from './keys.js'
import type { Logger } from './log.js'
import type { Mailer } from './mail/mailer.js'
import type { SendMail } from './mail/send-mail.js'
import type { Limiter, LimitOptions } from './ports/limits/port.js'
import type { QuickLimiter } from './ports/limits/quick.js'
import type { ObjectStore } from './ports/objects/port.js'
import type { ConstraintErrors } from './rpc/interceptors.js'
import type { SealedColumn } from './sealed-column.js'
import type { Tasks } from './tasks/client.js'
import type { StartTask } from './tasks/start-task.js'

export type WriteOptions = { enqueues?: boolean; publishes?: boolean }

/** What the runtime gives a service; its `Ctx` is this and what it adds itself. */
export type Kit<DB> = {
  db: Kysely<DB>
  /** For connections besides those of `db`: sessions that hold locks. */
  database: Database
  /** A transaction that is run again after a deadlock. No remote call belongs inside. */
  transact<T>(work: (tx: Transaction<DB>) => Promise<T>): Promise<T>
  /**
   * One statement that is a transaction of its own, run again after a deadlock. `enqueues`,
   * `publishes`: it holds `enqueueing` or `publishing`, and its job or event is begun with at once.
   */
  write<T>(run: (db: Kysely<DB>) => Promise<T>, options?: WriteOptions): Promise<T>
  enqueue: Enqueue
  /** Begins, after the commit, with what a statement with `enqueueing` enqueued in the transaction. */
  enqueued(tx: object): void
  /** In the transaction of the write that makes a job pointless. */
  cancelJob: CancelJob
  /** As `enqueue`, for a job that its user follows and may cancel. */
  startTask: StartTask
  tasks: Tasks
  publish: Publish
  /** Tells the relay, after the commit, what a statement with `publishing` wrote in the transaction. */
  published(tx: object): void
  /** Does the work when a transaction of `transact` is committed; the same work once. */
  afterCommit: AfterCommit['later']
  /** To every process of every service, now, and lost where it is not heard. */
  broadcast: Bus['broadcast']
  listen: Bus['listen']
  /** For a service with `sendMailJob` among its jobs. */
  sendMail: SendMail
  /** What that job sends with; everyone else uses `sendMail`. */
  mailer: Mailer
  objects: ObjectStore
  /** Counts what may happen only so often; `name` is of a kind in the service. */
  limiter(options: LimitOptions): Limiter
  /** As `limiter`, for what happens at each request. */
  quickLimiter(options: LimitOptions): QuickLimiter
  /** Typed calls to a neighbour, wherever it runs; pass `forward(call)` to each. */
  client<S extends DescService>(service: S): Client<S>
  /** Fires when the process begins to stop: for streams, which do not end by themselves. */
  stopping: AbortSignal
  keys: Keys
  newId(): string
  newOrderedId(): string
  log: Logger
}

/** Work that goes on beside requests: called again `everyMs` after it ended. */
export type Periodic<Ctx> = {
  name: string
  everyMs: number
  /**
   * Called less and less often, after this time at most, while it answers false: nothing was found.
   * After a write of this process, it is called `everyMs` later.
   */
  idleMsMax?: number
  run(ctx: Ctx, signal: AbortSignal): Promise<unknown>
}

export type ServiceDefinition<Config extends object, DB, Ctx> = {
  /** Also the PostgreSQL schema, and the prefix of the settings. */
  name: string
  config(env: EnvReader): Config
  /** A start then fails where the object store does not work. */
  storesObjects?: boolean
  migrations: Migration[]
  /** All columns that hold what `seal` answers: they are sealed anew when the secret changes. */
  sealed?: SealedColumn[]
  context(kit: Kit<DB>, config: Config): Ctx
  routes(ctx: Ctx): (router: ConnectRouter) => unknown
  byConstraint?: ConstraintErrors
  jobs?: AnyJob<Ctx>[]
  periodic?: Periodic<Ctx>[]
  /** The events that it may publish, named after it. */
  publishes?: AnyEventKind[]
  consumers?: Consumer<Ctx>[]
  /** Runs when migrations are through and before the first request. */
  start?(ctx: Ctx): Promise<AsyncDisposable | undefined>
  /** Runs when every service of the process answers; neighbours elsewhere may not yet. */
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
