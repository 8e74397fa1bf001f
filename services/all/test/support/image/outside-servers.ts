import { Lifecycle } from '@figbase/kit/service'
import {
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  startS3Server,
} from '@figbase/kit/testing'
import { createDatabase } from '../../../src/postgres/database.js'
import { addressIn, forward } from '../forward.js'

/** Real servers under the addresses that compose.yaml gives them, with the values for `.env` that fit them. */
export type OutsideServers = AsyncDisposable & {
  values: Record<string, string>
  /** Settings that compose.yaml fixes for its own object store. */
  s3: Record<string, string>
  newBuckets(count: number): Promise<string[]>
}

const redisPassword = 'apasswordofthetests'

export async function startOutsideServers(
  addressOf: (host: string) => string,
): Promise<OutsideServers> {
  const lifecycle = new Lifecycle()
  const disposed = <T extends AsyncDisposable>(started: T): T => {
    lifecycle.onStop(() => started[Symbol.asyncDispose]())
    return started
  }
  try {
    const postgres = disposed(await startPostgresServer())
    await createDatabase(postgres.url, 'figbase')
    const nats = disposed(await startNatsServer())
    const redis = disposed(await startRedisServer({ password: redisPassword }))
    const s3 = disposed(await startS3Server())
    const serve = async (name: string, port: number, url: string) =>
      disposed(await forward({ host: addressOf(name), port }, () => [addressIn(url)]))
    await serve('postgres', 5432, postgres.url)
    await serve('nats', 4222, nats.url)
    await serve('redis', 6379, redis.url)
    return {
      values: {
        POSTGRES_PASSWORD: new URL(postgres.url).password,
        NATS_PASSWORD: 'anything',
        REDIS_PASSWORD: redisPassword,
        S3_SECRET_KEY: s3.secretKey,
      },
      s3: {
        S3_ENDPOINT: s3.endpoint,
        S3_REGION: s3.region,
        S3_BUCKET: await s3.newBucket(),
        S3_ACCESS_KEY: s3.accessKey,
        // The same server is the one of users.
        FIGBASE_AWS_ENDPOINT: s3.endpoint,
        FIGBASE_AWS_REGION: s3.region,
        FIGBASE_AWS_ACCESS_KEY: s3.accessKey,
        FIGBASE_AWS_SECRET_KEY: s3.secretKey,
      },
      newBuckets: (count) => Promise.all(Array.from({ length: count }, () => s3.newBucket())),
      [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
    }
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}
