import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PrepareError, root } from '../../services/all/prepare.mjs'
import { endOnInterrupt } from './interrupt.mjs'

/** The reason why there is no S3 server for tests, or false. */
export async function s3SkipReason() {
  return (await testing()).s3SkipReason()
}

/** Runs `work` with an S3 server, if one of the files needs it and it is installed. */
export async function withS3For(files, progress, work) {
  const needs = (file) => readFileSync(join(root, file), 'utf8').includes('startS3Server(')
  if (!files.some(needs) || (await s3SkipReason())) return work()
  await withS3(progress, async (server) => {
    process.env.TEST_S3_URL = server.endpoint
    await work().finally(() => delete process.env.TEST_S3_URL)
  })
}

/**
 * Runs `work` with the settings of a product that stores its objects in a new bucket of an S3 server, and uses the same
 * server as AWS; also creates empty buckets for users.
 */
export async function withProductS3(progress, work) {
  const missing = await s3SkipReason()
  if (missing) throw new PrepareError(missing)
  await withS3(progress, async (server) =>
    work({
      S3_ENDPOINT: server.endpoint,
      S3_REGION: server.region,
      S3_BUCKET: await server.newBucket(),
      S3_ACCESS_KEY: server.accessKey,
      S3_SECRET_KEY: server.secretKey,
      FIGBASE_AWS_ENDPOINT: server.endpoint,
      FIGBASE_AWS_REGION: server.region,
      FIGBASE_AWS_ACCESS_KEY: server.accessKey,
      FIGBASE_AWS_SECRET_KEY: server.secretKey,
      FIGBASE_TEST_BUCKETS: (
        await Promise.all(Array.from({ length: 12 }, server.newBucket))
      ).join(),
    }),
  )
}

async function withS3(progress, work) {
  const { startS3Server } = await testing()
  const server = await progress('Starting an S3 server', startS3Server)
  // The server ends with this process, but its folder must be removed.
  const settled = endOnInterrupt(() => void server[Symbol.asyncDispose]())
  try {
    await work(server)
  } finally {
    settled()
    await server[Symbol.asyncDispose]()
  }
}

// Imported late, because it is built first.
const testing = () => import('../../services/kit/dist/src/testing/index.js')
