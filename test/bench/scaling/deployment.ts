import { join } from 'node:path'
import { Lifecycle } from '@figbase/kit/service'
import {
  redisSkipReason,
  s3SkipReason,
  startRedisServer,
  startS3Server,
} from '@figbase/kit/testing'
import type pg from 'pg'
import { hasNats, startNats } from '../engine/nats.js'
import { type Product, startProduct } from '../product.js'
import { Worker } from '../worker.js'
import type { MixJob, MixResult } from './generator.js'
import { findParts, Parts } from './parts.js'
import { type S3Use, startS3Counter } from './s3-counter.js'
import { openSettling } from './settle.js'

/** One process for each service, with NATS, Redis and S3, and a load generator. */
export type Deployment = AsyncDisposable & {
  product: Product
  parts: Parts
  /** A connection to the database of the product. */
  client: pg.Client
  natsDir: string
  s3Used(): S3Use
  send(targets: MixJob['targets'], limits: Partial<MixJob>): Promise<MixResult>
  settle(): Promise<void>
}

const clients = 2
const answerMsMax = 120_000

export async function openDeployment(scratch: string): Promise<Deployment> {
  const missing = redisSkipReason() || s3SkipReason() || (!hasNats() && 'nats-server is missing')
  if (missing) throw new Error(missing)
  const lifecycle = new Lifecycle()
  try {
    return await open(scratch, lifecycle)
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
}

async function open(scratch: string, lifecycle: Lifecycle): Promise<Deployment> {
  const keep = <T extends AsyncDisposable>(one: T) => {
    lifecycle.onStop(() => one[Symbol.asyncDispose]())
    return one
  }
  const natsDir = join(scratch, 'nats')
  const nats = keep(await startNats(natsDir))
  const redis = keep(await startRedisServer())
  const s3 = keep(await startS3Server())
  const counter = keep(await startS3Counter(s3.endpoint))
  const settings = {
    NATS_URL: nats.url,
    REDIS_URL: redis.url,
    S3_ENDPOINT: counter.url,
    S3_REGION: s3.region,
    S3_BUCKET: await s3.newBucket(),
    S3_ACCESS_KEY: s3.accessKey,
    S3_SECRET_KEY: s3.secretKey,
    LOG_LEVEL: 'warn',
  }
  const dataDir = join(scratch, 'scaling')
  const product = keep(await startProduct('distributed', dataDir, { settings }))
  const generator = keep(new Worker('scaling/generator.js'))
  const { servers, postgres } = product.trees
  const roots = findParts(servers, postgres)
  const parts = new Parts({ ...roots, load: generator.pid, benchmark: process.pid })
  const { client, settle } = keep(await openSettling(product, parts))
  return {
    product,
    parts,
    client,
    natsDir,
    s3Used: counter.used,
    send(targets, limits) {
      const job = { origin: product.url, targets, clients, requests: 1e9, seconds: 1e6, ...limits }
      return generator.ask<MixResult>(job, answerMsMax)
    },
    settle,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}
