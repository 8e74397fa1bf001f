import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import {
  UpdateRevisionRequest_Mode as Mode,
  type UpdateRevisionRequestSchema,
} from '@figbase/proto/revisions'
import { TaskStatus } from '@figbase/proto/tasks'
import { assign, ended, figure, start } from './assignments.js'
import { failsWith } from './failure.js'
import { ada, image, type, until } from './service.js'

test('assigns a revision to the figure with its name, also after catalog was unavailable', async () => {
  for (const method of ['ListChildren', 'MoveRevision', 'DeleteNode']) {
    const { bench, outcomes, analysis } = await start()
    await using _bench = bench
    const target = figure(bench, analysis)
    bench.catalog.failing.set(method, new ConnectError('away', Code.Unavailable))
    const { id, parentId } = await assign(bench, analysis)
    assert.notEqual(parentId, target)
    await until(async () => bench.catalog.calls.includes(method))
    bench.catalog.failing.clear()
    const done = await ended(bench, id)
    assert.deepEqual([done.parentId, done.revisionIndex], [target, 0], method)
    assert.equal(bench.catalog.nodes.has(parentId), false, 'the temporary figure is gone')
    await until(async () => outcomes.length > 0)
    assert.deepEqual(outcomes, [TaskStatus.SUCCESS])
  }
})

test('keeps the figure and fails the task when no attempt succeeds', async () => {
  const { bench, outcomes, analysis } = await start()
  await using _bench = bench
  figure(bench, analysis)
  bench.catalog.failing.set('ListChildren', new ConnectError('broken', Code.Internal))
  const { id, parentId } = await assign(bench, analysis)
  const done = await ended(bench, id)
  assert.equal(done.parentId, parentId)
  assert.equal(bench.catalog.nodes.get(parentId)?.autoAssignPending, false)
  await until(async () => outcomes.length > 0)
  assert.deepEqual(outcomes, [TaskStatus.FAILURE])
})

test('keeps the figure when the task is cancelled before it begins', async () => {
  const { bench, analysis } = await start({ isCancelled: true })
  await using _bench = bench
  figure(bench, analysis)
  const { id, parentId } = await assign(bench, analysis)
  assert.equal((await ended(bench, id)).parentId, parentId)
  assert.equal(bench.catalog.nodes.get(parentId)?.autoAssignPending, false)
})

test('keeps the revision in its figure when the chosen figure is gone', async () => {
  const { bench, analysis } = await start()
  await using _bench = bench
  figure(bench, analysis)
  bench.catalog.failing.set('MoveRevision', new ConnectError('gone', Code.NotFound))
  const { id, parentId } = await assign(bench, analysis)
  assert.equal((await ended(bench, id)).parentId, parentId)
  const [row] = await bench.query<{ parent_id: string }>('select parent_id from revision')
  assert.equal(row?.parent_id, parentId)
})

test('a refused creation leaves no figure and no row', async () => {
  const { bench, analysis } = await start()
  await using _bench = bench
  const before = bench.catalog.nodes.size
  bench.catalog.failing.set('Reserve', new ConnectError('no', Code.PermissionDenied))
  await failsWith(assign(bench, analysis), { code: 'PermissionDenied' })
  bench.catalog.failing.clear()
  bench.catalog.failing.set('CreateNode', new ConnectError('no', Code.PermissionDenied))
  await failsWith(assign(bench, analysis), { code: 'PermissionDenied' })
  assert.equal(bench.catalog.nodes.size, before)
  assert.deepEqual(await bench.query('select revision_id from assignment'), [])
  assert.deepEqual(await bench.keys(), [])
})

test('a refused repetition with the same id does not prevent the processing', async () => {
  const { bench, analysis } = await start()
  await using _bench = bench
  const { id } = await assign(bench, analysis)
  const isProcessed = async () => {
    const { revision } = await bench.client.getRevision({ id, type }, ada)
    return revision && !revision.isProcessing && revision
  }
  await until(isProcessed)
  // The state of a request that waits for catalog.
  await bench.query(
    `insert into assignment (revision_id, figure_id, analysis_id, username, silent)
     values ($1, $2, $3, 'ada', false)`,
    [id, newId(), analysis],
  )
  async function* changed(): AsyncGenerator<MessageInitShape<typeof UpdateRevisionRequestSchema>> {
    yield { part: { case: 'target', value: { id, type, mode: Mode.REPLACE } } }
    const { bytes = new Uint8Array(), ...end } = { ...image(Buffer.from('another')), name: 'Known' }
    yield { part: { case: 'chunk', value: bytes } }
    yield { part: { case: 'objectEnd', value: end } }
    yield { part: { case: 'finish', value: {} } }
  }
  const { revision } = await bench.client.updateRevision(changed(), ada)
  assert.equal(revision?.isProcessing, true)
  await until(isProcessed)
})
