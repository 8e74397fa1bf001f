import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openSession, type Session } from '@figbase/kit'
import { Failure } from './failure.js'

/** `lost` resolves when another instance has taken the database: this one must end. */
export type InstanceLock = AsyncDisposable & { lost: Promise<Failure> }

export type InstanceLockOptions = {
  database: Database
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
/** A server that is silent for so long is away. */
const limits = { connectTimeoutMs: 10_000, queryTimeoutMs: 10_000 }

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
      await ended(held)
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

/** Throws a Failure when another instance holds the lock until that time, another error without a database. */
async function take(options: InstanceLockOptions, until: number): Promise<Session> {
  const { database, isShared, secret } = options
  const name = `figbase instance ${fingerprint(secret)}`
  const session = await openSession({ ...database, limits }, name)
  try {
    while (!(await session.tryTake({ key, isShared }))) {
      if (performance.now() >= until) throw inUse(isShared)
      await sleep(100)
    }
    if (await hasOtherSecret(session, name)) throw otherSecret()
  } catch (error) {
    await session[Symbol.asyncDispose]()
    throw error
  }
  return session
}

/** Those who hold the lock say by their name which secret they have. */
async function hasOtherSecret({ client }: Session, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objsubid = 1 and granted
        and ((classid::bigint << 32) | objid::bigint) = ${key}
        and database = (select oid from pg_database where datname = current_database())
        and application_name <> ${client.escapeLiteral(name)}`,
  )
  return rowCount !== 0
}

const ended = ({ lost }: Session) =>
  new Promise<void>((resolve) => {
    if (lost.aborted) resolve()
    else lost.addEventListener('abort', () => resolve(), { once: true })
  })

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
