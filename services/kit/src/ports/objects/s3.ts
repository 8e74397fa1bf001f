import { type Agent, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'minio'
import { inParts } from './in-parts.js'
import { folderOf, requireKey } from './key.js'
import { ObjectMissing, type ObjectStore, StorageUnavailable } from './port.js'
import { codeOf, isPassing, storageUnavailable } from './s3-errors.js'
import { createTransport, StoreSilent, type Timeouts } from './s3-transport.js'

export type S3Limits = Timeouts & {
  /** Size of what is sent at a time, and held in memory for each put: from 5 MiB. */
  partBytes: number
  /** How often a request is sent, at most, when the store is busy or cuts the connection. */
  attemptsMax: number
  /** How old an upload in parts is that nobody will end any more. */
  abandonedAfterMs: number
}

export type S3Options = S3Limits & {
  /** As `https://host:port`, without a path. */
  endpoint: string
  region: string
  bucket: string
  /** A folder that all keys lie in; empty: none. */
  prefix: string
  accessKey: string
  secretKey: string
  /** By which connections are made, of the endpoint's scheme; else all of the process share one. */
  agent?: Agent
}

type ListedUpload = { key: string; uploadId: string; initiated: Date }

// As S3 has it.
const partsMax = 10_000
const deletedAtATimeMax = 1000
const listedAtATimeMax = 1000
const firstDelayMs = 100

/** What an object in such a store can have at most. */
export const s3ObjectBytesMax = ({ partBytes }: Pick<S3Limits, 'partBytes'>): number =>
  partBytes * partsMax

/** Objects in a bucket of an S3 server. What it refuses and where it fails is StorageUnavailable. */
export function createS3Store(options: S3Options): ObjectStore {
  const { bucket, partBytes, attemptsMax, abandonedAfterMs, silenceTimeoutMs } = options
  const prefix = options.prefix.replace(/^\/+|\/+$/g, '').replace(/.$/, '$&/')
  const client = opened(options)

  /** The same request again while that may help. */
  async function ask<T>(request: (s3: Client) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(await client())
      } catch (error) {
        if (!isPassing(error) || attempt >= attemptsMax) throw error
      }
      await sleep(firstDelayMs * 4 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  /** As `ask`; throws StorageUnavailable only. */
  const call = <T>(request: (s3: Client) => Promise<T>) =>
    ask(request).catch((error: unknown) => {
      throw storageUnavailable(error)
    })

  const nameOf = (key: string) => {
    requireKey(key)
    return prefix + key
  }

  async function putWhole(name: string, bytes: Buffer) {
    const { etag } = await call((s3) => s3.putObject(bucket, name, bytes, bytes.length))
    if (!etag) throw noS3Server()
  }

  async function putPart(name: string, uploadId: string, partNumber: number, bytes: Buffer) {
    if (partNumber > partsMax) {
      throw new Error(`an object of more than ${partsMax} parts of ${partBytes} bytes`)
    }
    const part = {
      bucketName: bucket,
      objectName: name,
      uploadID: encodeURIComponent(uploadId),
      partNumber,
      headers: {},
    }
    const { etag } = await call((s3) => s3.uploadPart(part, bytes))
    return { part: partNumber, etag }
  }

  async function complete(name: string, uploadId: string, parts: { part: number; etag: string }[]) {
    const { etag } = await call((s3) => s3.completeMultipartUpload(bucket, name, uploadId, parts))
    if (!etag) throw noS3Server()
  }

  const abort = (name: string, uploadId: string) =>
    call((s3) => s3.abortMultipartUpload(bucket, name, encodeURIComponent(uploadId)))

  // Folder by folder: Swift takes the empty delimiter that minio would send for one that is in every key.
  async function* openUploads(folder: string): AsyncGenerator<ListedUpload> {
    for (let marker = ''; ; ) {
      const page = await call((s3) =>
        s3.listIncompleteUploadsQuery(bucket, folder, marker, '', '/'),
      )
      yield* page.uploads
      for (const { prefix: below } of page.prefixes) yield* openUploads(below)
      if (!page.isTruncated) return
      marker = page.nextKeyMarker
    }
  }

  return {
    async put(key, bytes) {
      const name = nameOf(key)
      const parts: { part: number; etag: string }[] = []
      let uploadId = ''
      let mayBeThere = false
      try {
        for await (const part of inParts(bytes, partBytes)) {
          if (!uploadId && part.length < partBytes) {
            mayBeThere = true
            await putWhole(name, part)
            return
          }
          uploadId ||= await call((s3) => s3.initiateNewMultipartUpload(bucket, name, {}))
          parts.push(await putPart(name, uploadId, parts.length + 1, part))
        }
        mayBeThere = true
        await complete(name, uploadId, parts)
      } catch (error) {
        const undo = async () => {
          if (uploadId) await abort(name, uploadId).catch(() => {})
          if (mayBeThere) await call((s3) => s3.removeObject(bucket, name)).catch(() => {})
        }
        // A store that fails would let the caller wait a second time.
        if (error instanceof StorageUnavailable) void undo()
        else await undo()
        throw error
      }
    },

    async *get(key, range) {
      const name = nameOf(key)
      const { offset = 0, length = 0 } = range ?? {}
      const response = await ask((s3) => s3.getPartialObject(bucket, name, offset, length)).catch(
        (error: unknown) => {
          throw codeOf(error) === 'NoSuchKey' ? new ObjectMissing(key) : storageUnavailable(error)
        },
      )
      if (!(response instanceof IncomingMessage)) throw noS3Server()
      if (range && response.statusCode !== 206) {
        response.destroy()
        throw noS3Server()
      }
      yield* read(response, silenceTimeoutMs)
    },

    async delete(keys) {
      const names = keys.map(nameOf)
      for (let at = 0; at < names.length; at += deletedAtATimeMax) {
        const some = names.slice(at, at + deletedAtATimeMax)
        const [failed] = await call((s3) => s3.removeObjects(bucket, some))
        if (failed) throw storageUnavailable(failed)
      }
    },

    async sweep() {
      const before = Date.now() - abandonedAfterMs
      for await (const { key, uploadId, initiated } of openUploads(prefix)) {
        if (initiated.getTime() < before) await abort(key, uploadId)
      }
    },

    async *list(begin) {
      const folder = folderOf(begin)
      if (folder) requireKey(folder.slice(0, -1))
      for (let token = ''; ; ) {
        const page = await call((s3) =>
          s3.listObjectsV2Query(bucket, prefix + begin, token, '', listedAtATimeMax, ''),
        )
        for (const { name, size, lastModified } of page.objects) {
          if (name !== undefined) {
            yield { key: name.slice(prefix.length), sizeBytes: size, modifiedOn: lastModified }
          }
        }
        if (!page.isTruncated) return
        token = page.nextContinuationToken
      }
    },

    async presignPut(key, { expiresSeconds }) {
      const s3 = await client()
      return s3.presignedPutObject(bucket, nameOf(key), expiresSeconds)
    },
  }
}

/** The library is loaded with the first request: what stores no objects there starts faster. */
function opened(options: S3Options): () => Promise<Client> {
  const { endpoint, region, accessKey, secretKey, agent } = options
  const { protocol, hostname, port, pathname, search } = new URL(endpoint)
  if (pathname !== '/' || search) throw new Error('the endpoint of an S3 server has no path')
  const useSSL = protocol === 'https:'
  const settings = {
    endPoint: hostname.replace(/^\[|\]$/g, ''),
    port: port ? Number(port) : useSSL ? 443 : 80,
    useSSL,
    region,
    accessKey,
    secretKey,
    transport: createTransport(useSSL, options),
    retryOptions: { disableRetry: true },
    ...(agent && { transportAgent: agent }),
  }
  let client: Promise<Client> | undefined
  return () => {
    client ??= import('minio').then((minio) => new minio.Client(settings))
    return client
  }
}

/** Closes the connection when its reader leaves. A slow reader is not a silent store. */
async function* read(response: IncomingMessage, silenceTimeoutMs: number) {
  response.setTimeout(0)
  const chunks = response[Symbol.asyncIterator]()
  const silent = () => {
    response.destroy(new StoreSilent(`the store was silent for ${silenceTimeoutMs} ms`))
  }
  try {
    for (;;) {
      const timer = setTimeout(silent, silenceTimeoutMs)
      const next = await chunks
        .next()
        .catch((error: unknown) => {
          throw storageUnavailable(error)
        })
        .finally(() => clearTimeout(timer))
      if (next.done) return
      yield next.value as Buffer
    }
  } finally {
    response.destroy()
  }
}

const noS3Server = () => new StorageUnavailable('endpoint', 'what answers there is no S3 server')
