import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { DataType } from '@figbase/proto/revisions'
import { failsWith, settled } from './failure.js'
import {
  ada,
  type Bench,
  bob,
  download,
  leftovers,
  nothing,
  parts,
  publish,
  startBench,
  transports,
  type,
  unfinished,
} from './service.js'

const file = (bytes: Uint8Array, name = 'table.csv') => ({
  bytes,
  name,
  type: DataType.FILE,
  metadataJson: '{"path": null}',
})

for (const transport of transports) {
  describe(`creating a revision (${transport})`, () => {
    let bench: Bench
    before(async () => {
      bench = await startBench(transport, { REVISION_OBJECTS_MAX: '20', UPLOAD_BYTES_MAX: '3MiB' })
    })
    after(() => bench[Symbol.asyncDispose]())

    /** The call fails and leaves nothing. */
    async function refused(
      messages: ReturnType<typeof parts>,
      expected: Parameters<typeof failsWith>[1],
      as = ada,
    ) {
      await failsWith(bench.client.createRevision(messages, as), expected)
      assert.deepEqual(await leftovers(bench), nothing)
    }
    const some = [file(randomBytes(200_000))]

    test('rejects a caller without permission before reading the rest', async () => {
      let sent = 0
      async function* endless() {
        yield* unfinished(bench.figureId, [])
        for (; sent < 10_000; sent++) {
          yield { part: { case: 'chunk' as const, value: randomBytes(65_536) } }
        }
      }
      await refused(endless(), { code: 'PermissionDenied', error: 'permission_denied' }, bob)
      assert.ok(sent < 500, `${sent} chunks were taken`)
    })

    test('rejects a caller without permission also when objects come first', async () => {
      async function* late() {
        yield* unfinished(undefined, [...some, { ...file(randomBytes(9)), type: 99 as DataType }])
        yield* parts(bench.figureId, [])
      }
      await refused(late(), { code: 'PermissionDenied', error: 'permission_denied' }, bob)
      await refused(late(), { field: 'data[1].type' })
    })

    test('rejects a request without a figure', () =>
      refused(parts(undefined, some), { field: 'parent', reason: 'is required' }))

    test('rejects an invalid figure id', () =>
      refused(parts('fig-1', some), { field: 'figure', reason: 'must be a UUID' }))

    test('reports an unknown figure as a problem of the body', () =>
      refused(parts('6e1b8a5e-2d6c-4b6e-9a53-0d3f4a2f1c11', some), {
        code: 'InvalidArgument',
        field: 'figure',
        reason: 'does not exist',
      }))

    test('rejects a client_id that is not a UUID', () =>
      refused(parts(bench.figureId, some, { clientId: 'mine' }), { field: 'client_id' }))

    test('rejects invalid metadata', async () => {
      await refused(parts(bench.figureId, some, { metadataJson: '{' }), { field: 'metadata' })
      const deep = '['.repeat(100_000) + ']'.repeat(100_000)
      await refused(parts(bench.figureId, some, { metadataJson: deep }), { field: 'metadata' })
    })

    test('names the invalid member of a data object', async () => {
      const cases: [object, string][] = [
        [{ type: DataType.UNSPECIFIED }, 'data[1].type'],
        [{ metadataJson: '"text"' }, 'data[1].metadata'],
        [{ metadataJson: '{"a": NaN}' }, 'data[1].metadata'],
        [{ name: 'n'.repeat(1001) }, 'data[1].name'],
        [{ name: 'n\0' }, 'data[1].name'],
      ]
      for (const [wrong, field] of cases) {
        const objects = [...some, { ...file(randomBytes(9)), ...wrong }]
        await refused(parts(bench.figureId, objects), { field })
      }
    })

    test('rejects metadata that exceeds one message', async () => {
      const metadataJson = JSON.stringify({ text: 'x'.repeat(2 ** 20) })
      const many = Array.from({ length: 7 }, () => ({ ...file(randomBytes(9)), metadataJson }))
      await refused(parts(bench.figureId, many), { field: 'metadata' })
    })

    test('rejects too many objects and too many bytes', async () => {
      const many = Array.from({ length: 21 }, () => file(randomBytes(9)))
      await refused(parts(bench.figureId, many), { field: 'data' })
      const large = [file(randomBytes(2 ** 21)), file(randomBytes(2 ** 21))]
      await refused(parts(bench.figureId, large), {
        code: 'ResourceExhausted',
        error: 'too_large',
      })
    })

    test('a stream without finish leaves nothing', async () => {
      await refused(unfinished(bench.figureId, some), { field: 'data' })
    })

    test('an aborted upload leaves nothing', async () => {
      const abort = new AbortController()
      async function* hanging() {
        yield* unfinished(bench.figureId, some)
        yield { part: { case: 'chunk' as const, value: randomBytes(100_000) } }
        setTimeout(() => abort.abort(), 50)
        await new Promise(() => {})
      }
      const call = bench.client.createRevision(hanging(), { ...ada, signal: abort.signal })
      await failsWith(call, { code: 'Canceled' })
      await settled(async () => assert.deepEqual(await leftovers(bench), nothing))
    })

    test('returns everything that was sent, in order', async () => {
      const objects = [
        { ...file(randomBytes(1_000_001)), isCleanRoom: true, metadataJson: '{"b":1, "a":[] }' },
        { bytes: new Uint8Array(), type: DataType.CODE, metadataJson: '' },
        { ...file(randomBytes(1)), metadataJson: 'null' },
        { ...file(randomBytes(65_537)), metadataJson: '[]' },
      ]
      const clientId = 'AB0C7E52-3A8B-4C55-8A5D-6C6B6C9B0E01'
      const finish = { clientId, metadataJson: '"text"', isCleanRoom: true, silent: true }
      const created = await publish(bench, objects, finish)
      assert.equal(created.id, clientId.toLowerCase())
      assert.equal(created.isProcessing, false)
      assert.equal(created.isCleanRoom, true)
      assert.equal(created.metadataJson, '"text"')
      assert.equal(bench.catalog.nodes.get(created.id)?.silent, true)
      assert.deepEqual(
        created.data.map((one) => [one.name, one.type, one.metadataJson, one.isCleanRoom]),
        [
          ['table.csv', DataType.FILE, '{"b":1, "a":[] }', true],
          [undefined, DataType.CODE, '{}', false],
          ['table.csv', DataType.FILE, '{}', false],
          ['table.csv', DataType.FILE, '[]', false],
        ],
      )
      const { revision } = await bench.client.getRevision({ id: created.id, type }, ada)
      assert.deepEqual(revision, created)
      for (const [index, { bytes }] of objects.entries()) {
        const back = await download(bench, created.data[index]?.id ?? '')
        assert.ok(back.bytes.equals(bytes))
      }

      const before = { rows: await leftovers(bench), nodes: bench.catalog.nodes.size }
      const again = parts(bench.figureId, some, { clientId })
      await failsWith(bench.client.createRevision(again, ada), {
        code: 'AlreadyExists',
        error: 'duplicate_client_id',
      })
      assert.deepEqual({ rows: await leftovers(bench), nodes: bench.catalog.nodes.size }, before)
    })
  })
}
