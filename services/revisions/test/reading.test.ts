import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { actAs, actAsSystem, anonymous, user } from '@figbase/kit/rpc'
import { DataType } from '@figbase/proto/revisions'
import { failsWith } from './failure.js'
import {
  ada,
  type Bench,
  bob,
  download,
  publish,
  startBench,
  transports,
  type,
  until,
} from './service.js'

for (const transport of transports) {
  describe(`reading (${transport})`, () => {
    let bench: Bench
    before(async () => {
      bench = await startBench(transport)
    })
    after(() => bench[Symbol.asyncDispose]())

    async function firstOf(id: string, as = ada) {
      for await (const message of bench.client.readData({ id }, as)) return message
      return undefined
    }

    test('requires permission on the revision', async () => {
      const { id, data } = await publish(bench, [{ bytes: randomBytes(9), type: DataType.CODE }])
      const dataId = data[0]?.id ?? ''
      await failsWith(firstOf(dataId, bob), { code: 'PermissionDenied' })
      await failsWith(firstOf(randomUUID()), { code: 'NotFound' })
      await failsWith(firstOf('none'), { code: 'NotFound' })
      await failsWith(firstOf(randomUUID(), actAs(anonymous)), { code: 'Unauthenticated' })
      await failsWith(bench.client.getRevision({ id, type }, bob), { code: 'PermissionDenied' })
      await failsWith(bench.client.getRevision({ id: randomUUID(), type }, ada), {
        code: 'NotFound',
      })
    })

    test('returns a range, cut at the end, or only the object for an empty one', async () => {
      const bytes = randomBytes(700_000)
      const { data } = await publish(bench, [{ bytes, type: DataType.FILE }])
      const id = data[0]?.id ?? ''
      for (const [offset, length, expected] of [
        [0n, undefined, bytes],
        [0n, 1n, bytes.subarray(0, 1)],
        [262_143n, 262_146n, bytes.subarray(262_143, 524_289)],
        [699_999n, undefined, bytes.subarray(699_999)],
        [600_000n, 2n ** 62n, bytes.subarray(600_000)],
        [700_000n, undefined, Buffer.alloc(0)],
        [5n, 0n, Buffer.alloc(0)],
      ] as const) {
        const part = await download(bench, id, { offset, ...(length !== undefined && { length }) })
        assert.equal(part.object, id)
        assert.ok(part.bytes.equals(expected), `${length} bytes from ${offset}`)
      }
      for (const range of [{ offset: -1n }, { offset: 700_001n }, { length: -1n }]) {
        await failsWith(download(bench, id, range), { code: 'InvalidArgument' })
      }
    })

    test('managers can read the storage, only staff the path', async () => {
      const { data } = await publish(bench, [{ bytes: randomBytes(9), type: DataType.FILE }])
      const { id = '', hash = '' } = data[0] ?? {}
      const staff = actAs(user('ada', true))
      const { path, ...own } = await bench.client.getDataStorage({ id }, staff)
      assert.deepEqual([own.vendor, own.hash], ['GoFigr.io', hash])
      assert.ok((await bench.keys()).includes(path ?? ''))
      const storage = await bench.client.getDataStorage({ id }, ada)
      assert.deepEqual([storage.vendor, storage.hash, storage.path], ['GoFigr.io', hash, undefined])
      await failsWith(bench.client.getDataStorage({ id }, bob), { code: 'PermissionDenied' })
      const unknown = { id: randomUUID() }
      await failsWith(bench.client.getDataStorage(unknown, ada), { code: 'NotFound' })
      const stranger = bench.client.getDataStorage(unknown, actAs(anonymous))
      await failsWith(stranger, { code: 'Unauthenticated' })
    })

    test('closes the file when the reader leaves early', async () => {
      const bytes = randomBytes(20_000_000)
      const { data } = await publish(bench, [{ bytes, type: DataType.FILE }])
      const abort = new AbortController()
      const options = { ...ada, signal: abort.signal }
      const call = bench.client.readData({ id: data[0]?.id ?? '' }, options)[Symbol.asyncIterator]()
      await call.next()
      await call.next()
      assert.equal(await openObjects(bench), 1)
      abort.abort()
      await call.next().catch(() => {})
      await until(async () => (await openObjects(bench)) === 0)
    })

    test('only the system can check which revisions exist', async () => {
      const { id } = await publish(bench, [])
      const ids = [id, randomUUID(), 'none']
      const known = await bench.client.findExisting({ ids }, actAsSystem())
      assert.deepEqual(known.ids, [id])
      await failsWith(bench.client.findExisting({ ids }, ada), { code: 'PermissionDenied' })
    })
  })
}

async function openObjects({ service }: Bench) {
  const descriptors = await readdir('/proc/self/fd')
  const paths = await Promise.all(
    descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
  )
  return paths.filter((path) => path.startsWith(service.objectsDir)).length
}
