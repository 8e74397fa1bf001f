import type pg from 'pg'

/** A connection kept for what belongs to a session: advisory locks, LISTEN. */
export type Session = AsyncDisposable & {
  client: pg.PoolClient
  /** Fires when the connection is lost, and all that hung on it. */
  lost: AbortSignal
}

export async function openSession(pool: pg.Pool): Promise<Session> {
  const client = await pool.connect()
  const losing = new AbortController()
  const lose = () => losing.abort()
  client.on('error', lose)
  client.on('end', lose)
  return {
    client,
    lost: losing.signal,
    async [Symbol.asyncDispose]() {
      client.off('error', lose)
      client.off('end', lose)
      // Closed, not given back: its locks and channels end with it.
      client.release(true)
    },
  }
}
