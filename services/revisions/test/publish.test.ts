import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { blake3 } from 'hash-wasm'
import sharp from 'sharp'
import {
  ada,
  download,
  image,
  processed,
  publish,
  startBench,
  transports,
  type,
} from './service.js'

const plot = sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#4682b4' } })

for (const transport of transports) {
  test(`a published image comes back byte for byte, with a thumbnail (${transport})`, async () => {
    await using bench = await startBench(transport)
    const bytes = await plot.clone().png().toBuffer()
    const metadata = '{"a": 1, "a": 9007199254740993, "z": null}'

    const created = await publish(bench, [image(bytes)], { metadataJson: metadata })
    assert.equal(created.parentId, bench.figureId)
    assert.equal(created.revisionIndex, 0)
    assert.equal(created.sizeBytes, BigInt(bytes.length))
    assert.equal(created.isProcessing, true)
    assert.equal(created.metadataJson, metadata)
    assert.equal(created.createdBy, 'ada')

    const read = await processed(bench, created.id)
    const { thumbnail, ...unprocessed } = read
    const before = { isProcessing: true, imageHash: '', hasThumbnail: false }
    assert.deepEqual({ ...unprocessed, ...before }, created)
    assert.deepEqual([thumbnail?.widthPx, thumbnail?.heightPx], [1024, 768])
    const [data] = read.data
    assert.equal(data?.hash, await blake3(bytes))
    assert.equal(read.imageHash, data?.hash)
    assert.equal(data?.type, DataType.IMAGE)
    assert.equal(data?.revisionId, created.id)
    const back = await download(bench, data?.id ?? '')
    assert.equal(sha(back.bytes), sha(bytes))
    assert.equal(back.object, data?.id)

    const { png, etag, isFinal } = await bench.client.readThumbnail(
      { revisionId: read.id, type, sizePx: 256 },
      ada,
    )
    assert.ok(thumbnail && etag.startsWith(thumbnail.digest) && isFinal)
    const { format, width, height } = await sharp(png).metadata()
    assert.deepEqual({ format, width, height }, { format: 'png', width: 256, height: 192 })
    assert.match(etag, /-256$/)
  })
}

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
