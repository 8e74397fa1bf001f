import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { type Reply, startFake } from './fake-server.js'
import { bundle, run } from './run-command.js'

const uuid = (at: number) => `00000000-0000-4000-8000-00000000000${at}`
const repository = uuid(1)
const none = { total: 0, created: 0, changed: 0, renamed: 0 }

const imported = (at: number, status: string) => ({
  api_id: uuid(at),
  repository,
  task: uuid(at),
  status,
  ended_on: ['waiting', 'running'].includes(status) ? null : '2026-01-31T12:00:00Z',
  commit: `commit${at}`,
  error: null,
  figures: none,
  assets: none,
  refused: [],
  refused_count: 0,
})
type Import = ReturnType<typeof imported>

const path = `/git_repository/${repository}/import/`
const started = (one: Import, all: Import[]): Record<string, Reply> => ({
  [`POST ${path}`]: { status: 202, json: one },
  [`GET ${path}`]: { json: { items: all, next: null } },
})
const task = (at: number, status: string, line = `line ${at}`): Record<string, Reply> => ({
  [`GET /tasks/${uuid(at)}/`]: { json: { status, progress: 1, status_message: null, error: null } },
  [`GET /tasks/${uuid(at)}/logs/`]: { json: { logs: [{ at: '2026-01-31T12:00:00Z', line }] } },
})

const command = ['git', 'import', repository]
const envFor = ({ url }: { url: string }) => ({ FIGBASE_URL: url, FIGBASE_TOKEN: 'k' })

async function importWith(replies: Record<string, Reply>, ...options: string[]) {
  await using server = await startFake(replies)
  return await run([...command, ...options], envFor(server))
}

test('an import that follows the running one is waited for, too', async () => {
  const [first, second] = [imported(2, 'succeeded'), imported(3, 'succeeded')]
  const { code, stdout, stderr } = await importWith({
    ...started(imported(2, 'running'), [second, first]),
    ...task(2, 'SUCCESS'),
    ...task(3, 'SUCCESS', '\u001b[31mline\u001b[0m 3\r'),
  })
  assert.equal(code, 0)
  assert.match(stdout, /^imported {2}commit3\n/)
  assert.equal(stderr, 'line 2\nline 3\n')
})

test('the import is waited for if its task is that of another user', async () => {
  const { code, stdout, stderr } = await importWith(
    started(imported(2, 'waiting'), [imported(2, 'succeeded')]),
  )
  assert.equal(code, 0)
  assert.match(stdout, /^imported {2}commit2\n/)
  assert.equal(stderr, '')
})

test('a cancelled task is a cancelled import, though the server has not ended it', async () => {
  const waiting = imported(2, 'waiting')
  const replies = { ...started(waiting, [waiting]), ...task(2, 'REVOKED') }
  const { code, stdout, stderr } = await importWith(replies, '--json')
  assert.equal(code, 1)
  assert.equal(stdout, '')
  const { error, detail } = JSON.parse(stderr)
  assert.deepEqual([error, detail], ['import_cancelled', 'The import was cancelled'])
})

test('Ctrl-C ends the command, and says how to cancel the import', async () => {
  const running = imported(2, 'running')
  await using server = await startFake({ ...started(running, [running]), ...task(2, 'STARTED') })
  const child = spawn(process.execPath, [bundle, ...command], {
    env: { PATH: process.env.PATH, ...envFor(server) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stderr)) {
    lines.push(line)
    if (lines.length === 1) child.kill('SIGINT')
  }
  if (child.exitCode === null) await once(child, 'exit')
  assert.equal(child.exitCode, 130)
  assert.deepEqual(lines, [
    'line 2',
    `figbase: The import goes on. To cancel it: figbase git cancel ${repository}`,
  ])
})

test('cancels the import that runs', async () => {
  const running = imported(2, 'running')
  const cancel = `POST /tasks/${uuid(2)}/cancel/`
  await using server = await startFake({ ...started(running, [running]), [cancel]: { json: {} } })
  const { code, stdout } = await run(['git', 'cancel', repository], envFor(server))
  assert.deepEqual([code, stdout], [0, `cancelled  ${uuid(2)}\n`])
  assert.ok(server.seen.includes(cancel))
})

test('there is nothing to cancel when the newest import has ended', async () => {
  await using server = await startFake(started(imported(2, 'running'), [imported(2, 'failed')]))
  const { code, stderr } = await run(['git', 'cancel', repository], envFor(server))
  assert.deepEqual([code, stderr], [4, 'figbase: No import waits or runs\n'])
})

test('an access token is not part of the command line', async () => {
  const add = ['git', 'add', 'https://git.example.org/a.git', '--to', 'A', '--token']
  const env = { FIGBASE_URL: 'http://127.0.0.1:9', FIGBASE_TOKEN: 'k' }
  for (const given of ['hunter2', '-']) {
    // The input is empty.
    const { code, stderr } = await run([...add, given], env)
    assert.equal(code, 2)
    assert.ok(!stderr.includes('hunter2'), stderr)
  }
})
