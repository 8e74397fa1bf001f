import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { S3Options } from '../objects/s3.js'

/** A real S3 server (OpenStack Swift), which verifies signatures. */
export type S3Server = AsyncDisposable & {
  endpoint: string
  accessKey: string
  secretKey: string
  region: string
  /** Creates a bucket and returns its name. */
  newBucket(): Promise<string>
  /** Keys of multipart uploads that were neither completed nor aborted. */
  openUploads(bucket: string): Promise<string[]>
  /** Options of a store in this bucket, with S3's minimum part size. */
  storeOptions(bucket: string): S3Options
}

const python = '/usr/bin/python3'
const program = fileURLToPath(new URL('../../../src/testing/s3-server.py', import.meta.url))
const packages = 'swift-proxy swift-account swift-container swift-object memcached'
const needed = ['swift-proxy-server', 'swift-account-server', 'swift-object-server', 'memcached']
const accessKey = 'test:tester'
const secretKey = 'testing'

/** Why tests with this server are skipped; false if it is installed. Throws in CI, where it must be installed. */
export function s3SkipReason(): string | false {
  if (needed.every((name) => existsSync(`/usr/bin/${name}`))) return false
  if (process.env.FIGBASE_CI) throw new Error('Swift is missing: .ci/run installs it')
  return `no S3 server is installed (Debian: apt-get install ${packages})`
}

/** The test runner's server if it started one, else a new one, which is stopped on disposal. */
export async function startS3Server(): Promise<S3Server> {
  const shared = process.env.TEST_S3_URL
  return shared ? serverAt(shared, async () => {}) : startOwn()
}

async function startOwn() {
  const folder = await mkdtemp(join(tmpdir(), 'figbase-s3-'))
  const child = spawn(python, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.stdin.end()
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const lines = createInterface(child.stdout)
  const started = once(lines, 'line', { signal: AbortSignal.timeout(60_000) })
  const port = await Promise.race([
    started.then(([line]) => Number(line)),
    ended.then(() => undefined),
  ]).catch(() => undefined)
  if (port) return serverAt(`http://127.0.0.1:${port}`, stop)
  await stop()
  throw new Error('the S3 server did not start')
}

async function serverAt(endpoint: string, stop: () => Promise<void>): Promise<S3Server> {
  // Loaded on demand, because most tests need no such server.
  const { Client } = await import('minio')
  const region = 'us-east-1'
  const { hostname, port } = new URL(endpoint)
  const address = { endPoint: hostname, port: Number(port), useSSL: false }
  const client = new Client({ ...address, region, accessKey, secretKey })
  return {
    endpoint,
    accessKey,
    secretKey,
    region,
    async newBucket() {
      const bucket = `test-${randomUUID()}`
      await client.makeBucket(bucket)
      return bucket
    },
    // minio's own list omits uploads of Swift.
    async openUploads(bucket) {
      const request = { method: 'GET', bucketName: bucket, query: 'uploads' }
      const response = await client.makeRequestAsync(request)
      const document = Buffer.concat(await response.toArray()).toString()
      if (!document.includes('<ListMultipartUploadsResult')) throw new Error(document)
      return [...document.matchAll(/<Upload><Key>([^<]*)</g)].map(([, key = '']) => key)
    },
    storeOptions: (bucket) => ({
      endpoint,
      region,
      bucket,
      prefix: '',
      accessKey,
      secretKey,
      partBytes: 5 * 2 ** 20,
      attemptsMax: 3,
      connectTimeoutMs: 5000,
      silenceTimeoutMs: 20_000,
      abandonedAfterMs: 3_600_000,
    }),
    [Symbol.asyncDispose]: stop,
  }
}
