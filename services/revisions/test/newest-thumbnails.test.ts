import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { DataType } from '@figbase/proto/revisions'
import sharp from 'sharp'
import { failsWith } from './failure.js'
import {
  ada,
  type Bench,
  bob,
  image,
  processed,
  publish,
  type as revisionType,
  startBench,
} from './service.js'

let bench: Bench
before(async () => {
  bench = await startBench()
})
after(() => bench[Symbol.asyncDispose]())

const text = { bytes: Buffer.from('1 + 1'), type: DataType.CODE }

async function picture(figureId: string, width: number) {
  const create = { width, height: 10, channels: 3, background: 'teal' } as const
  const { id } = await publish({ ...bench, figureId }, [
    image(await sharp({ create }).png().toBuffer()),
  ])
  await processed(bench, id)
  return id
}

const widthOf = async (png: Uint8Array) =>
  png.length > 0 ? (await sharp(png).metadata()).width : 0

async function newest(id: string, sizePx = 0, as = ada) {
  const request = { id, type: NodeType.FIGURE, sizePx }
  const { png, etag, isFinal } = await bench.client.readNewestThumbnail(request, as)
  return { width: await widthOf(png), etag, isFinal }
}

test('shows the newest revision with a thumbnail', async () => {
  const figureId = bench.catalog.figure('ada')
  assert.deepEqual(await newest(figureId), { width: 0, etag: '', isFinal: true })
  await publish({ ...bench, figureId }, [text])
  assert.equal((await newest(figureId)).width, 0)
  await picture(figureId, 40)
  const first = await newest(figureId)
  assert.deepEqual([first.width, first.isFinal], [40, true])
  await publish({ ...bench, figureId }, [text])
  assert.deepEqual(await newest(figureId), { ...first, isFinal: false })
  await picture(figureId, 60)
  const second = await newest(figureId)
  assert.equal(second.width, 60)
  assert.notEqual(second.etag, first.etag)
  assert.equal((await newest(figureId, 30)).width, 30)
})

test('says that a revision is processed while there is no picture', async () => {
  const figureId = bench.catalog.figure('ada')
  const { id: revisionId } = await publish({ ...bench, figureId }, [text])
  await processed(bench, revisionId)
  const both = async () => {
    const request = { id: figureId, type: NodeType.FIGURE }
    const own = await bench.client.readThumbnail({ revisionId, type: revisionType }, ada)
    const newest = await bench.client.readNewestThumbnail(request, ada)
    return [own, newest].map(({ png, isProcessing }) => [png.length > 0, isProcessing])
  }
  const setProcessing = (is: boolean) =>
    bench.query('update revision set is_processing = $2 where id = $1', [revisionId, is])
  const nothing = [false, false]
  const coming = [false, true]
  assert.deepEqual(await both(), [nothing, nothing])
  await setProcessing(true)
  assert.deepEqual(await both(), [coming, coming])
  await picture(figureId, 40)
  assert.deepEqual(await both(), [coming, [true, false]], 'the figure shows what it has')
  await setProcessing(false)
})

test('requires permission and a valid size', async () => {
  const figureId = bench.catalog.figure('ada')
  await failsWith(newest(figureId, 0, bob), { code: 'PermissionDenied' })
  await failsWith(newest(randomUUID()), { code: 'NotFound' })
  for (const sizePx of [-1, 4097]) {
    await failsWith(newest(figureId, sizePx), { code: 'InvalidArgument', field: 'size' })
  }
})

test('returns the first thumbnail of each group in order', async () => {
  const figureId = bench.catalog.figure('ada')
  const { id: plain } = await publish({ ...bench, figureId }, [text])
  const wide = await picture(figureId, 50)
  const small = await picture(figureId, 20)
  const groups = [[plain], [plain, wide, small], [], [small, wide], [randomUUID(), 'none']]
  const request = { groups: groups.map((revisionIds) => ({ revisionIds })), sizePx: 30 }
  const { pngs } = await bench.client.readThumbnails(request, actAsSystem())
  assert.deepEqual(await Promise.all(pngs.map(widthOf)), [0, 30, 0, 20, 0])
  const many = Array.from({ length: 101 }, () => ({ revisionIds: [] }))
  const refused = bench.client.readThumbnails({ groups: many }, actAsSystem())
  await failsWith(refused, { code: 'InvalidArgument', field: 'groups' })
})
