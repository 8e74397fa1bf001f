import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { startEdge } from './start-edge.js'
import { chunk, chunked, dial, head } from './wire.js'

const id = '7b0d6d3c-6f5f-4d53-9a3f-1f1a4f0b0d11'
const path = `/api/v1/upload/${id}/`
const tus = {
  'tus-resumable': '1.0.0',
  'content-type': 'application/offset+octet-stream',
  'upload-offset': '0',
}

/** A fake revisions service that stores what it receives, and reports when it does. */
function createUploads() {
  let kept = ''
  let ended = () => {}
  let come = () => {}
  const uploads = {
    come: new Promise<void>((resolve) => {
      come = resolve
    }),
    ended: new Promise<string>((resolve) => {
      ended = () => resolve(kept)
    }),
    edge: (env: Record<string, string> = {}) =>
      startEdge(
        (router) =>
          router.service(RevisionsService, {
            getUpload: () => ({ upload: { id, offsetBytes: 0n, lengthBytes: 1000n } }),
            async appendUpload(messages) {
              for await (const { part } of messages) {
                if (part.case === 'chunk') kept += Buffer.from(part.value).toString()
                if (kept) come()
              }
              ended()
              return { upload: { id, offsetBytes: BigInt(kept.length), lengthBytes: 1000n } }
            },
          }),
        env,
      ),
  }
  return uploads
}

test('sends 408 when an upload stalls, and keeps the received bytes', async () => {
  const uploads = createUploads()
  await using edge = await uploads.edge({ BODY_IDLE_TIMEOUT: '200ms' })
  using wire = await dial(edge.port)
  wire.write(head('PATCH', path, { ...tus, ...chunked }) + chunk('some'))
  const { status, json, text } = await wire.answer()
  assert.equal(status, 408)
  assert.equal(json().error, 'request_timeout')
  assert.match(text, /tus-resumable: 1\.0\.0/i)
  assert.equal(await uploads.ended, 'some')
})

test('keeps the received bytes when the connection breaks', async () => {
  const uploads = createUploads()
  await using edge = await uploads.edge()
  using wire = await dial(edge.port)
  wire.write(`${head('PATCH', path, { ...tus, 'content-length': '1000' })}some`)
  await uploads.come
  wire.socket.destroy()
  assert.equal(await uploads.ended, 'some')
})

test('a shutdown does not wait for uploads: 503, to be resumed', async () => {
  const uploads = createUploads()
  const edge = await uploads.edge({ SHUTDOWN_TIMEOUT: '60s' })
  using wire = await dial(edge.port)
  wire.write(head('PATCH', path, { ...tus, ...chunked }) + chunk('some'))
  await uploads.come
  const stopped = edge[Symbol.asyncDispose]()
  wire.write(chunk('more'))
  assert.equal(await uploads.ended, 'somemore')
  wire.write(`${chunk('not this')}0\r\n\r\n`)
  const { status, json } = await wire.answer()
  assert.equal(status, 503)
  assert.equal(json().error, 'unavailable')
  await stopped
})

test('a slow object store does not time out an upload', async () => {
  await using edge = await startEdge(
    (router) =>
      router.service(RevisionsService, {
        getUpload: () => ({ upload: { id, offsetBytes: 0n, lengthBytes: 4n } }),
        async appendUpload(messages) {
          for await (const _ of messages);
          await new Promise((resolve) => setTimeout(resolve, 1000))
          return { upload: { id, offsetBytes: 4n, lengthBytes: 4n } }
        },
      }),
    { IDLE_TIMEOUT: '200ms' },
  )
  using wire = await dial(edge.port)
  const headers = { ...tus, 'content-length': '4', connection: 'close' }
  wire.write(`${head('PATCH', path, headers)}some`)
  const { status, text } = await wire.answer()
  assert.equal(status, 204)
  assert.match(text, /upload-offset: 4/i)
})
