import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { NodeType } from '@figbase/proto/catalog'
import { GitImportState } from '@figbase/proto/git'
import { type Importing, namesOf, picture, startImporting, succeeded } from './git/imports.js'
import { ada, bob, until } from './service.js'

let at: Importing
before(async () => {
  at = await startImporting()
})
after(() => at[Symbol.asyncDispose]())

const { FIGURE, ASSET } = NodeType

test('imports pictures, their code and their data, and again only what has changed', async () => {
  const first = at.commit({
    'plots/means.png': picture('means'),
    'plots/means.py': 'plot()',
    'plots/means.csv': 'a,b\n1,2\n',
    'plots/means.md': 'The means.',
    'plots/other.svg': picture('other'),
    'README.md': 'Read me.',
  })
  const { id } = await at.register()
  const one = await at.import(id)
  assert.deepEqual(succeeded(one), { figures: 2, figuresCreated: 2, assets: 1, assetsCreated: 1 })
  assert.equal(one.commit, first)
  assert.deepEqual(await namesOf(at, FIGURE), { 'plots/means': 1, 'plots/other': 1 })
  assert.deepEqual(await namesOf(at, ASSET), { 'plots/means.csv': 1 })

  assert.deepEqual(succeeded(await at.import(id)), { figures: 2, assets: 1 })

  at.commit({
    'plots/means.png': picture('new means'),
    'figures/renamed.svg': { from: 'plots/other.svg' },
  })
  assert.deepEqual(succeeded(await at.import(id)), {
    figures: 2,
    figuresChanged: 1,
    figuresRenamed: 1,
    assets: 1,
  })
  assert.deepEqual(await namesOf(at, FIGURE), { 'figures/renamed': 1, 'plots/means': 2 })

  at.commit({ 'figures/renamed.svg': null, 'plots/third.png': picture('third') })
  assert.deepEqual(succeeded(await at.import(id)), { figures: 2, figuresCreated: 1, assets: 1 })
  assert.deepEqual(await namesOf(at, FIGURE), {
    'figures/renamed': 1,
    'plots/means': 2,
    'plots/third': 1,
  })
})

test('a revision says where it comes from', async () => {
  const [row] = await at.bench.query<{ id: string; import_source: string }>(
    `select id, import_source from revision where import_source like '%means.png' order by seq limit 1`,
  )
  assert.ok(row)
  const type = NodeType.FIGURE_REVISION
  const { revision } = await at.bench.client.getRevision({ id: row.id, type }, ada)
  const { git } = JSON.parse(revision?.metadataJson ?? '{}')
  const first = at.run('rev-list', '--max-parents=0', 'main')
  assert.deepEqual(git, {
    repository: at.url,
    branch: 'main',
    commit: first,
    path: 'plots/means.png',
    author: 'Ada',
    date: '2023-11-14T22:15:00.000Z',
    message: 'a change',
    tags: [],
  })
  const source = `git+${at.url}@${first}#plots/means.png`
  assert.equal(revision?.importSource, source)
  assert.equal(at.bench.catalog.nodes.get(revision.parentId)?.importSource, source)
  assert.equal(revision.description?.text, 'The means.')
  assert.deepEqual(
    revision.data.map(({ name }) => name),
    ['means.png', 'means.py', 'means.md'],
  )
  assert.equal(revision.links.length, 1)
})

test('tags become labels, also those that are added later', async () => {
  at.commit({ 'tagged/a.png': picture('a of tagged'), 'tagged/b.png': picture('b of tagged') })
  const { id } = await at.register({ include: ['tagged'] })
  at.run('tag', 'v1', 'main')
  await at.import(id)
  at.commit({ 'tagged/b.png': picture('another b of tagged') })
  at.run('tag', 'v2', 'main')
  const tagsOf = async () => {
    const rows = await at.bench.query<{ path: string; tags: string[] }>(
      `select metadata::json #>> '{git,path}' as path, metadata::json #> '{git,tags}' as tags
         from revision where import_source like '%#tagged/%' order by seq`,
    )
    return rows.map(({ path, tags }) => [path, tags])
  }
  await at.import(id)
  const [a, b] = ['tagged/a.png', 'tagged/b.png']
  assert.deepEqual(await tagsOf(), [
    [a, ['v1', 'v2']],
    [b, ['v1']],
    [b, ['v2']],
  ])
  at.run('tag', 'v2.1', 'main')
  const one = await at.import(id)
  assert.deepEqual(succeeded(one), { figures: 2 })
  assert.deepEqual(await tagsOf(), [
    [a, ['v1', 'v2', 'v2.1']],
    [b, ['v1']],
    [b, ['v2', 'v2.1']],
  ])
  const [row] = await at.bench.query<{ id: string }>(
    `select id from revision where import_source like '%#tagged/a.png'`,
  )
  await at.bench.query(`update revision set metadata = '{"mine":1}' where id = $1`, [row?.id])
  at.run('tag', 'v3', 'main')
  await at.import(id)
  const [changed] = await at.bench.query<{ metadata: string }>(
    'select metadata::text from revision where id = $1',
    [row?.id],
  )
  assert.equal(changed?.metadata, '{"mine":1}')
  assert.deepEqual((await tagsOf()).at(-1), [b, ['v2', 'v2.1', 'v3']])
})

test('an import without its branch fails and says so', async () => {
  const { id } = await at.register({ branch: 'missing' })
  const { state, error } = await at.import(id)
  assert.equal(state, GitImportState.FAILED)
  assert.match(error, /branch/)
})

test('an import goes on after failures of catalog, and doubles nothing', async () => {
  const files = {
    'again/one.png': picture('one of again'),
    'again/one.csv': 'x\n1\n',
    'again/two.png': picture('two of again'),
  }
  at.commit(files)
  const { bench } = at
  for (const [index, method] of ['Reserve', 'ResolveNodes'].entries()) {
    const { id } = await at.register({ include: ['again'] })
    const nodes = bench.catalog.nodes.size
    bench.catalog.failing.set(method, new ConnectError('away', Code.Unavailable))
    const { import: one } = await at.client.importGitRepository({ id }, ada)
    const seen = bench.catalog.calls.length
    await until(async () => bench.catalog.calls.slice(seen).includes(method))
    bench.catalog.failing.clear()
    const counts = succeeded(await at.ended(id, one?.id ?? ''))
    const expected = { figures: 2, figuresCreated: 2, assets: 1, assetsCreated: 1 }
    assert.deepEqual(counts, expected, method)
    const revisions = await bench.query<{ n: number }>(
      `select count(*)::int as n from revision where import_source like '%again/%'`,
    )
    assert.equal(revisions[0]?.n, 3 * (index + 1), method)
    // Two figures, an asset, and their revisions.
    assert.equal(bench.catalog.nodes.size - nodes, 6, method)
  }
})

test('a figure that was deleted stays deleted, and the import says so', async () => {
  at.commit({ 'gone/a.png': picture('a of gone'), 'gone/b.png': picture('b of gone') })
  const { id } = await at.register({ include: ['gone'] })
  await at.import(id)
  const { nodes } = at.bench.catalog
  const figure = [...nodes.values()].find(({ name }) => name === 'gone/a')
  nodes.delete(figure?.id ?? '')
  at.commit({ 'gone/a.png': picture('another a'), 'gone/b.png': picture('another b') })
  const one = await at.import(id)
  assert.deepEqual(succeeded(one), { figures: 1, figuresChanged: 1, refused: 1 })
  assert.deepEqual(
    one.refused.map(({ path, reason }) => [path, reason]),
    [['gone/a', 'what was imported for it has been deleted']],
  )
})

test('rules that are wrong fail the import with their line', async () => {
  at.commit({ '.figbase.yml': 'include: plots\nfigure: []\n' })
  const { id } = await at.register()
  const { state, error } = await at.import(id)
  at.commit({ '.figbase.yml': null })
  assert.equal(state, GitImportState.FAILED)
  assert.match(error, /^\.figbase\.yml, line 2: figure is unknown/)
})

test('an import that is requested while one is running follows it', async () => {
  const { id } = await at.register({ include: ['plots'] })
  await at.import(id)
  const one = await at.client.importGitRepository({ id }, ada)
  const two = await at.client.importGitRepository({ id }, ada)
  assert.equal(one.import?.id, two.import?.id)
  const isRunning = two.import?.state === GitImportState.RUNNING
  const { imports } = await until(async () => {
    const answer = await at.client.listGitImports({ repositoryId: id }, ada)
    return answer.imports.every(({ endedOn }) => endedOn) && answer
  })
  assert.equal(imports.length, isRunning ? 3 : 2)
})

test('each RPC refuses those who may not create figures in the analysis', async () => {
  const { id } = await at.register()
  const target = { targetId: at.analysis, targetType: NodeType.ANALYSIS }
  const { client } = at
  const calls: Record<string, () => Promise<unknown>> = {
    create: () => client.createGitRepository({ ...target, url: at.url }, bob),
    list: () => client.listGitRepositories(target, bob),
    get: () => client.getGitRepository({ id }, bob),
    update: () => client.updateGitRepository({ id, branch: 'x' }, bob),
    remove: () => client.deleteGitRepository({ id }, bob),
    rotate: () => client.rotateGitPushSecret({ id }, bob),
    start: () => client.importGitRepository({ id }, bob),
    imports: () => client.listGitImports({ repositoryId: id }, bob),
  }
  for (const [name, call] of Object.entries(calls)) {
    await assert.rejects(call, (error: ConnectError) => {
      assert.equal(Code[error.code], 'PermissionDenied', name)
      return true
    })
  }
})

test('an import fails when its user may no longer create figures', async () => {
  const { id } = await at.register()
  const { import: one } = await at.client.importGitRepository({ id }, ada)
  await at.ended(id, one?.id ?? '')
  const repository = "update git_repository set created_by = 'bob' where id = $1"
  await at.bench.query(repository, [id])
  const { import: two } = await at.client.importGitRepository({ id }, ada)
  const { state, error } = await at.ended(id, two?.id ?? '')
  assert.equal(state, GitImportState.FAILED)
  assert.match(error, /^bob, who registered the repository, may no longer create figures/)
})
