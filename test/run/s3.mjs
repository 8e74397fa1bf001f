import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PrepareError, root } from '../../services/all/prepare.mjs'
import { endOnInterrupt } from './interrupt.mjs'

/** Why there is none to test with, or false. */
export async function whyWithoutS3() {
  return (await testing()).whyWithoutS3()
}

/** One S3 server for those of the files that need one, if any does and one is installed. */
export async function withS3For(files, progress, work) {
  const needs = (file) => readFileSync(join(root, file), 'utf8').includes('startS3Server(')
  if (!files.some(needs) || (await whyWithoutS3())) return work()
  await withS3(progress, async (server) => {
    process.env.TEST_S3_URL = server.endpoint
    await work().finally(() => delete process.env.TEST_S3_URL)
  })
}

/**
 * The settings of a product that keeps its objects in a new bucket of an S3 server, and takes that for AWS; with
 * empty buckets there, for users.
 */
export async function withProductS3(progress, work) {
  const missing = await whyWithoutS3()
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
  // It ends with this process; its folder is removed.
  const settled = endOnInterrupt(() => void server[Symbol.asyncDispose]())
  try {
    await work(server)
  } finally {
    settled()
    await server[Symbol.asyncDispose]()
  }
}

// Built before the first test.
const testing = () => import('../../services/kit/dist/src/testing/index.js')
