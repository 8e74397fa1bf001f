import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { actAs, actAsSystem, anonymous } from '@figbase/kit'
import { DataType } from '@figbase/proto/revisions'
import { failsWith } from './failure.js'
import { ada, type Bench, bob, publish, startBench, transports, type, until } from './service.js'

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

    test('data is for who can view its revision', async () => {
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

    test('a reader that leaves early closes the file', async () => {
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

    test('only the system asks which revisions exist', async () => {
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
