import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { openRepository } from '../src/git/open-repository.js'
import { git, testGit } from './git/git.js'
import { createHistory, lastChange, renames } from './git/history.js'
import { gitHandler, type HttpsServer, startHttpsServer } from './git/https-server.js'

const { input, commits, tip, tags } = createHistory(7, 500)
let root: string
let server: HttpsServer
/** Ids of commits by mark. */
let ids: string[]
const { signal } = new AbortController()

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  git(root, ['init', '-q', '--bare', '-b', 'main', 'history.git'])
  const bare = join(root, 'history.git')
  git(bare, ['fast-import', '--quiet', '--export-marks=marks'], input)
  const marks = git(bare, ['cat-file', 'blob', git(bare, ['hash-object', '-w', 'marks'])])
  ids = []
  for (const line of marks.split('\n')) {
    const [mark = '', id = ''] = line.slice(1).split(' ')
    ids[Number(mark)] = id
  }
  server = await startHttpsServer(gitHandler(root))
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(root, { recursive: true })
})

const open = (limits = {}) =>
  openRepository(
    testGit(['127.0.0.1'], server.caFile, limits),
    { url: `${server.origin}/history.git`, branch: 'main' },
    signal,
  )

const byKey = (map: Map<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))

test(`lists ${commits.length} commits with merges and renames as the model`, async () => {
  await using repository = await open()
  assert.equal(repository.head.id, ids[tip.mark])
  assert.equal(repository.isHistoryComplete, true)
  const { files, refused } = await repository.listFiles()
  const paths = [...tip.state.keys()].sort()
  assert.deepEqual(refused, [])
  assert.deepEqual(
    files.map(({ path }) => path),
    paths,
  )
  assert.ok(paths.length > 50 && commits.some(({ parents }) => parents.length > 1))
  for (const { path, blobId, sizeBytes } of files) {
    const content = tip.state.get(path)?.content ?? ''
    assert.equal(await text(await repository.read(blobId)), content)
    assert.equal(sizeBytes, Buffer.byteLength(content))
  }
  const changes = await repository.lastChanges()
  assert.deepEqual(
    byKey(changes),
    paths.map((path) => {
      const { mark, subject, second } = lastChange(tip, path)
      return [path, { id: ids[mark], author: 'Ada', date: new Date(second * 1000), subject }]
    }),
  )
  const expectedTags = [...tags].map(([name, { mark }]): [string, string[]] => [
    ids[mark] ?? '',
    [name],
  ])
  assert.deepEqual(byKey(await repository.tags()), byKey(new Map(expectedTags)))
})

test('finds the renames since each of several commits', async () => {
  await using repository = await open()
  const isOnMain = new Set<number>()
  for (let at: typeof tip | undefined = tip; at; at = at.parents[0]) isOnMain.add(at.mark)
  const since = commits.filter(({ mark }) => isOnMain.has(mark)).filter((_, at) => at % 40 === 20)
  let count = 0
  for (const commit of since) {
    const expected = renames(commit, tip)
    count += expected.size
    assert.deepEqual(
      byKey(await repository.renamesSince(ids[commit.mark] ?? '')),
      byKey(expected),
      commit.subject,
    )
  }
  assert.ok(since.length > 5 && count > 20, `${count} renames since ${since.length} commits`)
  for (const unknown of ['f'.repeat(40), '', 'main', '--output=x', 'HEAD~1']) {
    assert.equal((await repository.renamesSince(unknown)).size, 0)
  }
})

test('knows of the newest commits only what they tell', async () => {
  await using repository = await open({ commitsMax: 40 })
  assert.equal(repository.isHistoryComplete, false)
  const changes = await repository.lastChanges()
  assert.ok(changes.size > 0 && changes.size < tip.state.size)
  for (const [path, { subject }] of changes) assert.equal(subject, lastChange(tip, path).subject)
})
