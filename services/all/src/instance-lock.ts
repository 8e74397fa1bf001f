import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Failure } from './failure.js'

/** `lost` resolves when another instance has taken the database: this one must end. */
export type InstanceLock = AsyncDisposable & { lost: Promise<Failure> }

export type InstanceLockOptions = {
  databaseUrl: string
  /** Whether objects and counters are where other instances have theirs, too. */
  isShared: boolean
  /** Of the installation. */
  secret: string
  /** How long one that is just stopping is waited for. */
  waitMs?: number
}

const key = `hashtext('figbase instance')`
const retryMs = 1000
const waitMsDefault = 3000
/** A server notices within half a minute that the machine of an instance is gone. */
const keepAlive = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'

/**
 * One instance a database, or many that share all that is in files: then each holds the lock with others. It is an
 * advisory lock of a session, so it ends with its process, however that ends.
 */
export async function lockDatabase(options: InstanceLockOptions): Promise<InstanceLock> {
  const stopping = new AbortController()
  const { signal } = stopping
  const { waitMs = waitMsDefault } = options
  let held = await take(options, performance.now() + waitMs)
  const keep = async (): Promise<Failure> => {
    for (;;) {
      await held.ended
      if (signal.aborted) return new Promise(() => {})
      try {
        // The database may be away for long: whoever works with it waits, too.
        held = await take(options, 0)
        if (signal.aborted) await held[Symbol.asyncDispose]()
      } catch (error) {
        if (error instanceof Failure) return error
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }
  return {
    lost: keep(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await held[Symbol.asyncDispose]()
    },
  }
}

type Held = AsyncDisposable & { ended: Promise<void> }

/** Throws a Failure when another instance holds the lock until that time, another error without a database. */
async function take(options: InstanceLockOptions, until: number): Promise<Held> {
  const name = `figbase instance ${fingerprint(options.secret)}`
  const client = new pg.Client({
    connectionString: options.databaseUrl,
    application_name: name,
    options: keepAlive,
    keepAlive: true,
  })
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  const end = () => client.end().catch(() => {})
  try {
    await client.connect()
    while (!(await isTaken(client, options.isShared))) {
      if (performance.now() >= until) throw inUse(options.isShared)
      await sleep(100)
    }
    if (await hasOtherSecret(client, name)) throw otherSecret()
  } catch (error) {
    await end()
    throw error
  }
  return { ended, [Symbol.asyncDispose]: end }
}

async function isTaken(client: pg.Client, isShared: boolean): Promise<boolean> {
  const lock = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const { rows } = await client.query<{ taken: boolean }>(`select ${lock}(${key}) as taken`)
  return rows[0]?.taken === true
}

/** Those who hold the lock say by their name which secret they have. */
async function hasOtherSecret(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and application_name like 'figbase instance %'
        and application_name <> $1`,
    [name],
  )
  return rowCount !== 0
}

const fingerprint = (secret: string) =>
  createHmac('sha256', secret).update('figbase instance').digest('hex').slice(0, 16)

const inUse = (isShared: boolean) =>
  isShared
    ? new Failure(
        'the database of DATABASE_URL is in use by a Figbase that keeps its objects and counters for itself',
        'Stop that one first, and set S3_ENDPOINT and REDIS_URL there, too.',
      )
    : new Failure(
        'the database of DATABASE_URL is in use by another Figbase',
        'Stop that one first. Several can run on one database when they share objects and counters: with the same S3_ENDPOINT, REDIS_URL and secret-key.',
      )

const otherSecret = () =>
  new Failure(
    'another Figbase on the database of DATABASE_URL has another secret-key',
    'Copy the file secret-key from its data directory into this one.',
  )
