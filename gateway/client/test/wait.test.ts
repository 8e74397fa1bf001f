import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFigbase, waitForAssetRevision, waitForRevision, waitForTask } from '../src/index.js'
import { type Reply, startFake } from './fake-server.js'

const task = (status: string): Reply => ({ json: { status } })
const state = (is_processing: boolean, search: string | null): Reply => ({
  json: { is_processing, search },
})

for (const status of ['SUCCESS', 'FAILURE', 'REVOKED']) {
  test(`a task is waited for until it has the status ${status}`, async () => {
    await using server = await startFake(task('PENDING'), task('STARTED'), task(status))
    const ended = await waitForTask(createFigbase(server), 't')
    assert.equal(ended.status, status)
    assert.deepEqual(
      server.seen.map(({ url }) => url),
      Array(3).fill('/api/v1.4.1/tasks/t/'),
    )
  })
}

test('each state of a task is passed to who waits', async () => {
  await using server = await startFake(task('PENDING'), task('STARTED'), task('SUCCESS'))
  const seen: string[] = []
  const onProgress = ({ status }: { status: string }) => void seen.push(status)
  await waitForTask(createFigbase(server), 't', { onProgress })
  assert.deepEqual(seen, ['PENDING', 'STARTED', 'SUCCESS'])
})

test('a revision is read when it has been processed', async () => {
  for (const [wait, segment] of [
    [waitForRevision, 'revision'],
    [waitForAssetRevision, 'asset_revision'],
  ] as const) {
    const revision = { api_id: 'r' }
    await using server = await startFake(state(true, 'pending'), state(false, 'pending'), {
      json: revision,
    })
    assert.deepEqual(await wait(createFigbase(server), 'r'), revision)
    assert.deepEqual(
      server.seen.map(({ url }) => url),
      ['status/', 'status/', ''].map((end) => `/api/v1.4.1/${segment}/r/${end}`),
    )
  }
})

test('a revision is waited for until it is indexed, or cannot be', async () => {
  for (const end of ['indexed', 'failed']) {
    await using server = await startFake(
      state(false, null),
      state(false, 'pending'),
      state(false, end),
      { json: { api_id: 'r' } },
    )
    await waitForRevision(createFigbase(server), 'r', { indexed: true })
    assert.equal(server.seen.length, 4)
  }
})

test('a wait ends with the reason of its signal', async () => {
  await using server = await startFake(task('STARTED'))
  const stop = new AbortController()
  const waiting = waitForTask(createFigbase(server), 't', { signal: stop.signal })
  stop.abort(new Error('enough'))
  await assert.rejects(waiting, /enough/)
})
