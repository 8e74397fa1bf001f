import { type Agent, IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'minio'
import { inParts } from './in-parts.js'
import { folderOf, requireKey } from './key.js'
import { ObjectNotFound, type ObjectStore, StorageUnavailable } from './port.js'
import { codeOf, isTransient, storageUnavailable } from './s3-errors.js'
import { createTransport, StoreTimedOut, type Timeouts } from './s3-transport.js'

export type S3Limits = Timeouts & {
  /** Size of an upload part, which is buffered for each put; at least 5 MiB. */
  partBytes: number
  /** Maximum attempts per request if the store is busy or closes the connection. */
  attemptsMax: number
  /** Age at which a multipart upload counts as abandoned. */
  abandonedAfterMs: number
}

export type S3Options = S3Limits & {
  /** As `https://host:port`, without a path. */
  endpoint: string
  region: string
  bucket: string
  /** Key prefix (folder) of all objects; may be empty. */
  prefix: string
  accessKey: string
  secretKey: string
  /** Agent for the endpoint's scheme; default: that of the process. */
  agent?: Agent
}

type ListedUpload = { key: string; uploadId: string; initiated: Date }

// Limits of S3.
const partsMax = 10_000
const deleteBatchMax = 1000
const listPageMax = 1000
const firstDelayMs = 100

/** Maximum object size with this part size. */
export const s3ObjectBytesMax = ({ partBytes }: Pick<S3Limits, 'partBytes'>): number =>
  partBytes * partsMax

/** Stores objects in a bucket of an S3 server. All failures of the server become StorageUnavailable. */
export function createS3Store(options: S3Options): ObjectStore {
  const { bucket, partBytes, attemptsMax, abandonedAfterMs, silenceTimeoutMs } = options
  const prefix = options.prefix.replace(/^\/+|\/+$/g, '').replace(/.$/, '$&/')
  const client = lazyClientOf(options)

  /** Sends a request, with retries after transient errors. */
  async function send<T>(request: (s3: Client) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(await client())
      } catch (error) {
        if (!isTransient(error) || attempt >= attemptsMax) throw error
      }
      await sleep(firstDelayMs * 4 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  /** Like `send`; throws only StorageUnavailable. */
  const call = <T>(request: (s3: Client) => Promise<T>) =>
    send(request).catch((error: unknown) => {
      throw storageUnavailable(error)
    })

  const nameOf = (key: string) => {
    requireKey(key)
    return prefix + key
  }

  async function putWhole(name: string, bytes: Buffer) {
    const { etag } = await call((s3) => s3.putObject(bucket, name, bytes, bytes.length))
    if (!etag) throw notS3Server()
  }

  async function putPart(name: string, uploadId: string, partNumber: number, bytes: Buffer) {
    if (partNumber > partsMax) {
      throw new Error(`object too large: more than ${partsMax} parts of ${partBytes} bytes`)
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
    if (!etag) throw notS3Server()
  }

  const abort = (name: string, uploadId: string) =>
    call((s3) => s3.abortMultipartUpload(bucket, name, encodeURIComponent(uploadId)))

  // Folder by folder, because Swift misinterprets the empty delimiter that minio would send.
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
      let mayExist = false
      try {
        for await (const part of inParts(bytes, partBytes)) {
          if (!uploadId && part.length < partBytes) {
            mayExist = true
            await putWhole(name, part)
            return
          }
          uploadId ||= await call((s3) => s3.initiateNewMultipartUpload(bucket, name, {}))
          parts.push(await putPart(name, uploadId, parts.length + 1, part))
        }
        mayExist = true
        await complete(name, uploadId, parts)
      } catch (error) {
        const undo = async () => {
          if (uploadId) await abort(name, uploadId).catch(() => {})
          if (mayExist) await call((s3) => s3.removeObject(bucket, name)).catch(() => {})
        }
        // Do not let the caller wait for a failing store a second time.
        if (error instanceof StorageUnavailable) void undo()
        else await undo()
        throw error
      }
    },

    async *get(key, range) {
      const name = nameOf(key)
      const { offset = 0, length = 0 } = range ?? {}
      const response = await send((s3) => s3.getPartialObject(bucket, name, offset, length)).catch(
        (error: unknown) => {
          throw codeOf(error) === 'NoSuchKey' ? new ObjectNotFound(key) : storageUnavailable(error)
        },
      )
      if (!(response instanceof IncomingMessage)) throw notS3Server()
      if (range && response.statusCode !== 206) {
        response.destroy()
        throw notS3Server()
      }
      yield* read(response, silenceTimeoutMs)
    },

    async delete(keys) {
      const names = keys.map(nameOf)
      for (let at = 0; at < names.length; at += deleteBatchMax) {
        const batch = names.slice(at, at + deleteBatchMax)
        const [failed] = await call((s3) => s3.removeObjects(bucket, batch))
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
          s3.listObjectsV2Query(bucket, prefix + begin, token, '', listPageMax, ''),
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

/** Loads the library with the first request, for a faster startup of processes without S3. */
function lazyClientOf(options: S3Options): () => Promise<Client> {
  const { endpoint, region, accessKey, secretKey, agent } = options
  const { protocol, hostname, port, pathname, search } = new URL(endpoint)
  if (pathname !== '/' || search)
    throw new Error('the endpoint of an S3 server must not have a path')
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

/** Reads with a timeout for the store but not for a slow reader; closes the connection when the reader leaves. */
async function* read(response: IncomingMessage, silenceTimeoutMs: number) {
  response.setTimeout(0)
  const chunks = response[Symbol.asyncIterator]()
  const onTimeout = () => {
    response.destroy(new StoreTimedOut(`store sent no data for ${silenceTimeoutMs} ms`))
  }
  try {
    for (;;) {
      const timer = setTimeout(onTimeout, silenceTimeoutMs)
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

const notS3Server = () => new StorageUnavailable('endpoint', 'not an S3 server')
