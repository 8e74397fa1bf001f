import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { newId } from '@figbase/kit/ids'
import { NodeType } from '@figbase/proto/catalog'
import {
  UpdateRevisionRequest_Mode as Mode,
  type Revision,
  type UpdateRevisionRequestSchema,
} from '@figbase/proto/revisions'
import { TaskStatus, TasksService } from '@figbase/proto/tasks'
import { blank } from './catalog.js'
import { failsWith } from './failure.js'
import {
  ada,
  type Bench,
  image,
  type Message,
  startBench,
  type TestObject,
  type,
  until,
} from './service.js'

/** Uses a fake tasks service. `isCancelled` cancels tasks before they begin. */
async function start({ isCancelled = false } = {}) {
  const outcomes: TaskStatus[] = []
  const bench = await startBench('local', {}, (router) =>
    router.service(TasksService, {
      startTask: () => ({}),
      reportTask({ status }) {
        if (isCancelled) return { isRevoked: true, isFinished: true }
        if (status !== undefined && status !== TaskStatus.STARTED) outcomes.push(status)
        return {}
      },
      listRevoked: () => ({}),
    }),
  )
  return { bench, outcomes, analysis: bench.catalog.analysis('ada') }
}

async function* parts(id: string, object: TestObject, clientId = newId()): AsyncGenerator<Message> {
  const { bytes = new Uint8Array(), ...end } = object
  yield { part: { case: 'parent', value: { id, type, autoAssign: true } } }
  yield { part: { case: 'chunk', value: bytes } }
  yield { part: { case: 'objectEnd', value: end } }
  yield { part: { case: 'finish', value: { clientId } } }
}

async function assign({ client }: Bench, analysis: string): Promise<Revision> {
  const { revision } = await client.createRevision(parts(analysis, known), ada)
  assert.ok(revision)
  return revision
}
const known = { ...image(Buffer.from('no picture')), name: 'Known' }

/** A figure of ada's in the analysis. */
function figure({ catalog }: Bench, parentId: string, name = 'known') {
  const id = newId()
  const node = { ...blank, id, parentId, name, owner: 'ada', type: NodeType.FIGURE }
  catalog.nodes.set(id, { ...node, state: 'active' })
  return id
}

async function ended({ client, query }: Bench, id: string): Promise<Revision> {
  const revision = await until(async () => {
    const answer = await client.getRevision({ id, type }, ada)
    return answer.revision?.isProcessing === false && answer.revision
  })
  assert.deepEqual(await query('select revision_id from assignment'), [])
  return revision
}

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
