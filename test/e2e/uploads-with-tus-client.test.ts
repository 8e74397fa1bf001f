import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { before, test } from 'node:test'
import { DetailedError, Upload, type UploadOptions } from 'tus-js-client'
import { deployment, LATEST } from '../src/deployment.js'
import { bytesOf } from '../src/figbase.js'
import { at, newPlace, newRevision, type Place } from '../src/publish.js'
import { uploadedData } from '../src/uploads.js'
import { signUp, type TestUser } from '../src/users.js'

/** Uploads large files with the client of the tus project. */
let alice: TestUser
let place: Place
before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

const endpoint = (origin = deployment.origin.origin) => `${origin}/api/${LATEST}/upload/`

type Options = Partial<UploadOptions> & { origin?: string }

/** Uploads everything, and returns the URL of the upload. */
function send(bytes: Buffer, { origin, ...options }: Options = {}) {
  const { promise, upload } = begin(bytes, { endpoint: endpoint(origin), ...options })
  upload.start()
  return promise
}

function begin(bytes: Buffer, options: Partial<UploadOptions>) {
  let upload: Upload | undefined
  const promise = new Promise<string>((resolve, reject) => {
    upload = new Upload(bytes, {
      headers: { authorization: alice.api.authorization ?? '' },
      metadata: { figure: place.figure.api_id, filename: 'large.bin' },
      retryDelays: [0, 50, 100, 200, 400, 800, 1600],
      onError: reject,
      onSuccess: () => resolve(upload?.url ?? ''),
      ...options,
    })
  })
  if (!upload) throw new Error('the executor of a promise runs at once')
  return { promise, upload }
}

async function isStored(url: string, bytes: Buffer) {
  const { data } = await newRevision(alice.api, place.figure.api_id, [uploadedData(url)])
  assert.ok(bytes.equals(await bytesOf(alice.figbase, at(data, 0).api_id)))
}

test('uploads a file in one request, and in several', async () => {
  const bytes = randomBytes(1_000_000)
  await isStored(await send(bytes), bytes)
  await isStored(await send(bytes, { chunkSize: 150_000 }), bytes)
  await isStored(await send(bytes, { chunkSize: 150_000, uploadLengthDeferred: true }), bytes)
  await isStored(await send(bytes, { uploadDataDuringCreation: true }), bytes)
  await isStored(await send(bytes, { overridePatchMethod: true }), bytes)
  await isStored(await send(Buffer.alloc(0)), Buffer.alloc(0))
})

test('uploads a complete file over a connection that breaks repeatedly', async () => {
  const bytes = randomBytes(3_000_000)
  await using proxy = await startProxy(500_000)
  const offsets: number[] = []
  const url = await send(bytes, {
    origin: proxy.origin,
    onAfterResponse(req, res) {
      if (req.getMethod() === 'HEAD') offsets.push(Number(res.getHeader('Upload-Offset')))
    },
  })
  assert.ok(proxy.broken() >= 5, `${proxy.broken()} connections broke`)
  assert.deepEqual(
    offsets,
    offsets.toSorted((a, b) => a - b),
  )
  assert.ok(Math.max(...offsets) > 2_000_000, 'received bytes should not be sent again')
  await isStored(new URL(url).pathname, bytes)
})

test('resumes an upload in another process, and deletes an upload', async () => {
  const bytes = randomBytes(400_000)
  await using proxy = await startProxy(200_000)
  const first = begin(bytes, { endpoint: endpoint(proxy.origin), retryDelays: null })
  first.upload.start()
  await assert.rejects(first.promise)
  const uploadUrl = new URL(new URL(first.upload.url ?? '').pathname, deployment.origin).href
  const second = begin(bytes, { uploadUrl })
  second.upload.start()
  await isStored(await second.promise, bytes)

  const given = await send(bytes)
  await Upload.terminate(given, { headers: { authorization: alice.api.authorization ?? '' } })
  const gone = begin(bytes, { uploadUrl: given, retryDelays: null })
  gone.upload.start()
  await assert.rejects(gone.promise, (error) => {
    assert.ok(error instanceof DetailedError)
    return error.originalResponse?.getStatus() === 404
  })
})

/** A proxy in front of the deployment that breaks each connection after a number of bytes. */
async function startProxy(bytesMax: number) {
  let broken = 0
  const { hostname, port } = deployment.origin
  const server = createServer((socket) => {
    const target = connect({ host: hostname, port: Number(port || 80) })
    let left = bytesMax
    socket.on('data', (chunk) => {
      target.write(chunk.subarray(0, left))
      left -= chunk.length
      if (left >= 0) return
      broken++
      target.end()
      socket.destroy()
    })
    target.pipe(socket)
    socket.on('error', () => target.destroy()).on('close', () => target.end())
    target.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: own } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${own}`,
    broken: () => broken,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}
