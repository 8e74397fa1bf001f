import { Lifecycle } from '@figbase/kit'
import {
  type FaultyProxy,
  startFaultyProxy,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  startS3Server,
  whyWithoutNats,
  whyWithoutPostgres15,
  whyWithoutRedis,
  whyWithoutS3,
} from '@figbase/kit/testing'
import { makeDatabase } from '../../src/postgres/database.js'
import { databaseName } from '../../src/postgres/embedded.js'

export type ServerName = 'PostgreSQL' | 'NATS' | 'Redis' | 'S3'

export type Server = {
  /** As a crash: SIGKILL; but S3 only cannot be reached any more. */
  stop(): Promise<void>
  /** With what it had stored, if it stores. */
  start(): Promise<void>
  /** Between it and the processes. */
  proxy: FaultyProxy
}

/** Real servers on the loopback, each behind a proxy that can be told to fail. */
export type Servers = AsyncDisposable & {
  named: Record<ServerName, Server>
  /** The settings by which processes use them. */
  env: Record<string, string>
  /** Makes empty buckets, and answers their names. */
  newBuckets(count: number): Promise<string[]>
}

/** Why they cannot be started here, or false. */
export const whyWithoutServers = (): string | false =>
  whyWithoutPostgres15() || whyWithoutNats() || whyWithoutRedis() || whyWithoutS3()

export async function startServers(): Promise<Servers> {
  const lifecycle = new Lifecycle()
  lifecycle.onStop(() => console.log('all servers have ended'))
  const kept = <T extends AsyncDisposable>(started: T): T => {
    lifecycle.onStop(() => started[Symbol.asyncDispose]())
    return started
  }
  const behindProxy = async (server: Pick<Server, 'start' | 'stop'>, url: string) => ({
    stop: server.stop,
    start: server.start,
    proxy: kept(await startFaultyProxy(url)),
  })
  try {
    const postgres = kept(await startPostgresServer())
    await makeDatabase(postgres.url, databaseName)
    const databaseUrl = new URL(postgres.url)
    databaseUrl.pathname = databaseName
    const nats = kept(await startNatsServer())
    const redis = kept(await startRedisServer())
    const s3 = kept(await startS3Server())
    const s3Proxy = kept(await startFaultyProxy(s3.endpoint))
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

/** The address with the proxy in the place of its server. */
function through(address: string, proxy: FaultyProxy): string {
  const url = new URL(address)
  url.port = new URL(proxy.url).port
  return url.href
}
