import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openSession, type Session } from '@figbase/kit/db'
import { Failure } from './failure.js'

/** `lost` resolves when another instance has acquired the database: this one must stop. */
export type InstanceLock = AsyncDisposable & { lost: Promise<Failure> }

export type InstanceLockOptions = {
  database: Database
  /** Whether this instance shares objects and counters with other instances. */
  isShared: boolean
  /** The secret of the installation. */
  secret: string
  /** How long to wait for an instance that is stopping. */
  waitMs?: number
}

const key = `hashtext('figbase instance')`
const retryMs = 1000
const waitMsDefault = 3000
/** Beyond these the server is considered unavailable. */
const limits = { connectTimeoutMs: 10_000, queryTimeoutMs: 10_000 }

/**
 * Allows one instance per database, or several that share objects and counters, with a shared lock. It is a
 * session-level advisory lock, so it is released when the process ends, also after a crash.
 */
export async function lockDatabase(options: InstanceLockOptions): Promise<InstanceLock> {
  const stopping = new AbortController()
  const { signal } = stopping
  const { waitMs = waitMsDefault } = options
  let session = await acquire(options, performance.now() + waitMs)
  const monitor = async (): Promise<Failure> => {
    for (;;) {
      await ended(session)
      if (signal.aborted) return new Promise(() => {})
      try {
        // The database may be unavailable for long; all users of it wait as well.
        session = await acquire(options, 0)
        if (signal.aborted) await session[Symbol.asyncDispose]()
      } catch (error) {
        if (error instanceof Failure) return error
        await sleep(retryMs, undefined, { signal }).catch(() => {})
      }
    }
  }
  return {
    lost: monitor(),
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await session[Symbol.asyncDispose]()
    },
  }
}

/** Throws a Failure when another instance still holds the lock at `until`; other errors mean no database. */
async function acquire(options: InstanceLockOptions, until: number): Promise<Session> {
  const { database, isShared, secret } = options
  const name = `figbase instance ${fingerprint(secret)}`
  const session = await openSession({ ...database, limits }, name)
  try {
    while (!(await session.tryLock({ key, isShared }))) {
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

/** The application name of each lock holder contains the fingerprint of its secret. */
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
        'the database of DATABASE_URL is in use by a Figbase that does not share its objects and counters',
        'Stop it first, and set S3_ENDPOINT and REDIS_URL there as well.',
      )
    : new Failure(
        'the database of DATABASE_URL is in use by another Figbase',
        'Stop it first. Several instances can use one database when they have the same S3_ENDPOINT, REDIS_URL and secret-key.',
      )

const otherSecret = () =>
  new Failure(
    'another Figbase on the database of DATABASE_URL has a different secret-key',
    'Copy the file secret-key from its data directory into this one.',
  )
