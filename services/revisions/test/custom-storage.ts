import { newId } from '@figbase/kit/ids'
import type { S3Server } from '@figbase/kit/testing'
import { Client } from 'minio'
import { ada, type Bench, startBench } from './service.js'

export type Params = Record<string, unknown>

export const holderId: string = newId()

/** Settings that use a test server, on loopback, as the vendor `aws`. */
export const awsSettings = (s3: S3Server): Record<string, string> => ({
  FIGBASE_AWS_ENDPOINT: s3.endpoint,
  FIGBASE_AWS_ACCESS_KEY: s3.accessKey,
  FIGBASE_AWS_SECRET_KEY: s3.secretKey,
})

export const startWith = (s3: S3Server, env: Record<string, string> = {}): Promise<Bench> =>
  startBench('local', { ...awsSettings(s3), STORAGE_CHECK_TIMEOUT: '3s', ...env })

export const s3Params = (s3: S3Server, bucket: unknown, more: Params = {}): Params => ({
  endpoint: s3.endpoint,
  bucket,
  access_key: s3.accessKey,
  secret_key: s3.secretKey,
  ...more,
})

export const requestOf = (vendor: string, params: unknown) => ({
  holderId,
  vendor,
  paramsJson: JSON.stringify(params),
})

export const register = ({ client }: Pick<Bench, 'client'>, vendor: string, params: Params) =>
  client.registerStorage(requestOf(vendor, params), ada)

export function clientOf({ endpoint, region, accessKey, secretKey }: S3Server): Client {
  const { hostname, port } = new URL(endpoint)
  const address = { endPoint: hostname, port: Number(port), useSSL: false }
  return new Client({ ...address, region, accessKey, secretKey })
}

export async function objectsIn(s3: S3Server, bucket: string): Promise<string[]> {
  const keys: string[] = []
  for await (const item of clientOf(s3).listObjectsV2(bucket, '', true)) keys.push(item.name)
  return keys.sort()
}

/** Registers a storage in a bucket of its own, for new data of the bench's figure. */
export async function choose(bench: Bench, s3: S3Server, endpoint: string = s3.endpoint) {
  const bucket = await s3.newBucket()
  const params = s3Params(s3, bucket, { prefix: 'lab/figures', endpoint })
  const { storageId } = await register(bench, 's3', params)
  bench.catalog.storages.set(bench.figureId, storageId)
  return { bucket, params, storageId }
}
