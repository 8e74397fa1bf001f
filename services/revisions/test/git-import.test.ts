import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NodeType } from '@figbase/proto/catalog'
import { GitImportState } from '@figbase/proto/git'
import { type Importing, namesOf, picture, startImporting, succeeded } from './git/imports.js'
import { ada } from './service.js'

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
  assert.equal(revision?.importSource, `git+${at.url}@${first}#plots/means.png`)
  assert.equal(revision.description?.text, 'The means.')
  assert.deepEqual(
    revision.data.map(({ name }) => name),
    ['means.png', 'means.py', 'means.md'],
  )
  assert.equal(revision.links.length, 1)
})

test('an import without its branch fails and says so', async () => {
  const { id } = await at.register({ branch: 'missing' })
  const { state, error } = await at.import(id)
  assert.equal(state, GitImportState.FAILED)
  assert.match(error, /branch/)
})
