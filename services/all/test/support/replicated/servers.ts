import { Lifecycle } from '@figbase/kit/service'
import {
  type FaultyProxy,
  natsSkipReason,
  postgres15SkipReason,
  redisSkipReason,
  s3SkipReason,
  startFaultyProxy,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  startS3Server,
} from '@figbase/kit/testing'
import { createDatabase } from '../../../src/postgres/database.js'
import { databaseName } from '../../../src/postgres/embedded.js'

export type ServerName = 'PostgreSQL' | 'NATS' | 'Redis' | 'S3'

export type Server = {
  /** Sends SIGKILL; S3 only becomes unreachable. */
  stop(): Promise<void>
  /** Restarts with the stored data. */
  start(): Promise<void>
  /** Proxy between the server and the processes. */
  proxy: FaultyProxy
}

/** Real servers on the loopback, each behind a proxy that can simulate faults. */
export type Servers = AsyncDisposable & {
  named: Record<ServerName, Server>
  /** Settings for the processes. */
  env: Record<string, string>
  /** Creates empty buckets, and returns their names. */
  newBuckets(count: number): Promise<string[]>
}

/** The reason why the servers cannot be started, or false. */
export const whyWithoutServers = (): string | false =>
  postgres15SkipReason() || natsSkipReason() || redisSkipReason() || s3SkipReason()

export async function startServers(): Promise<Servers> {
  const lifecycle = new Lifecycle()
  lifecycle.onStop(() => console.log('all servers have ended'))
  const disposed = <T extends AsyncDisposable>(started: T): T => {
    lifecycle.onStop(() => started[Symbol.asyncDispose]())
    return started
  }
  const behindProxy = async (server: Pick<Server, 'start' | 'stop'>, url: string) => ({
    stop: server.stop,
    start: server.start,
    proxy: disposed(await startFaultyProxy(url)),
  })
  try {
    const postgres = disposed(await startPostgresServer())
    await createDatabase(postgres.url, databaseName)
    const databaseUrl = new URL(postgres.url)
    databaseUrl.pathname = databaseName
    const nats = disposed(await startNatsServer())
    const redis = disposed(await startRedisServer())
    const s3 = disposed(await startS3Server())
    const s3Proxy = disposed(await startFaultyProxy(s3.endpoint))
    const named = {
      PostgreSQL: await behindProxy(postgres, postgres.url),
      NATS: await behindProxy(nats, nats.url),
      Redis: await behindProxy(redis, redis.url),
      S3: { stop: s3Proxy.stop, start: s3Proxy.start, proxy: s3Proxy },
    }
    return {
      named,
      env: {
        DATABASE_URL: through(databaseUrl.href, named.PostgreSQL.proxy),
        NATS_URL: through(nats.url, named.NATS.proxy),
        REDIS_URL: through(redis.url, named.Redis.proxy),
        S3_ENDPOINT: s3Proxy.url,
        S3_REGION: s3.region,
        S3_BUCKET: await s3.newBucket(),
        S3_ACCESS_KEY: s3.accessKey,
        S3_SECRET_KEY: s3.secretKey,
      },
      newBuckets: (count) => Promise.all(Array.from({ length: count }, () => s3.newBucket())),
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

/** The address of the server through its proxy. */
function through(address: string, proxy: FaultyProxy): string {
  const url = new URL(address)
  url.port = new URL(proxy.url).port
  return url.href
}
