import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Node, Permission } from '@figbase/proto/catalog'
import {
  ada,
  type Bench,
  bob,
  denied,
  grant,
  make,
  makeRevision,
  makeTree,
  nobody,
  notFound,
  ORGANIZATION,
  refused,
  startBench,
  unauthenticated,
  WORKSPACE,
} from './bench.js'

let bench: Bench
before(async () => {
  bench = await startBench({ env: { FIGBASE_DEFAULT_VENDOR: 'Ours' } })
})
after(() => bench[Symbol.asyncDispose]())

const ours = { vendor: 'Ours', paramsJson: '' }
const s3 = (bucket: string) => ({
  vendor: 's3',
  paramsJson: JSON.stringify({ bucket, secret_key: 'hidden' }),
})
const shown = (bucket: string) => ({ vendor: 's3', paramsJson: JSON.stringify({ bucket }) })

const named = ({ id, type }: Node) => ({ nodeId: id, type })

async function settingsOf(node: Node, as = ada) {
  const { settings } = await bench.plans.getStorage(named(node), as)
  return { vendor: settings?.vendor, paramsJson: settings?.paramsJson }
}

type Settings = { vendor: string; paramsJson: string }

async function choose(node: Node, settings: Settings, as = ada) {
  const answer = await bench.plans.changeStorage({ ...named(node), settings }, as)
  return { vendor: answer.settings?.vendor, paramsJson: answer.settings?.paramsJson }
}

/** The bucket that new data goes to, as creators and updaters are told; empty: the default. */
async function bucketFor({ id }: Node) {
  const buckets = new Set<string>()
  for (const permission of [Permission.CREATE, Permission.UPDATE]) {
    const { storageId } = await bench.client.checkAccess({ id, permission }, ada)
    const { paramsJson } = bench.storages.get(storageId) ?? { paramsJson: '{"bucket":""}' }
    assert.equal(bench.storages.has(storageId), storageId !== '')
    buckets.add(JSON.parse(paramsJson).bucket)
  }
  assert.equal(buckets.size, 1)
  return [...buckets][0]
}

const organize = ({ id }: Node, parentId: string) =>
  bench.client.updateNode({ id, type: WORKSPACE, parentId }, ada)
const allow = ({ id }: Node, allowPerWorkspaceStorage: boolean) =>
  bench.client.updateNode(
    { id, type: ORGANIZATION, organization: { allowPerWorkspaceStorage } },
    ada,
  )

test('the default holds until another is chosen, and again when it is chosen', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  assert.deepEqual(await settingsOf(workspace), ours)
  assert.equal(await bucketFor(figure), '')
  assert.deepEqual(await choose(workspace, s3('one')), shown('one'))
  assert.deepEqual(await settingsOf(workspace), shown('one'))
  const revision = await makeRevision(bench, figure.id)
  for (const node of [workspace, analysis, figure, revision]) {
    assert.equal(await bucketFor(node), 'one')
  }
  assert.deepEqual(await choose(workspace, s3('two')), shown('two'))
  assert.equal(await bucketFor(figure), 'two')
  assert.deepEqual(await choose(workspace, ours), ours)
  assert.deepEqual(await settingsOf(workspace), ours)
  assert.equal(await bucketFor(figure), '')
})

test('what is only checked, or refused, changes nothing', async () => {
  const { workspace, figure } = await makeTree(bench)
  await choose(workspace, s3('one'))
  const check = (settings: Settings) =>
    bench.plans.checkStorage({ ...named(workspace), settings }, ada)
  const { settings } = await check(s3('two'))
  assert.deepEqual([settings?.vendor, settings?.paramsJson], Object.values(shown('two')))
  assert.equal((await check(ours)).settings?.vendor, 'Ours')
  const missing = { code: 'InvalidArgument', field: 'params.bucket' } as const
  await refused(check(s3('missing')), missing)
  await refused(choose(workspace, s3('missing')), missing)
  await refused(choose(workspace, { vendor: '', paramsJson: '' }), {
    code: 'InvalidArgument',
    field: 'vendor',
  })
  assert.deepEqual(await settingsOf(workspace), shown('one'))
  assert.equal(await bucketFor(figure), 'one')
})

test('reading tells nothing of where new data goes', async () => {
  const { workspace, figure } = await makeTree(bench)
  await choose(workspace, s3('one'))
  const request = { id: figure.id, permission: Permission.VIEW }
  assert.equal((await bench.client.checkAccess(request, ada)).storageId, '')
})

test('in an organization its storage holds, unless it allows others', async () => {
  const { workspace, figure } = await makeTree(bench)
  const organization = await make(bench, ORGANIZATION)
  await choose(workspace, s3('own'))
  await choose(organization, s3('all'))
  await organize(workspace, organization.id)
  assert.equal(await bucketFor(figure), 'all')
  assert.deepEqual(await settingsOf(workspace), ours)
  const managed = { code: 'FailedPrecondition', error: 'managed_by_organization' } as const
  for (const settings of [s3('other'), ours]) {
    await refused(choose(workspace, settings), managed)
    await refused(bench.plans.checkStorage({ ...named(workspace), settings }, ada), managed)
  }
  await allow(organization, true)
  assert.equal(await bucketFor(figure), 'own')
  assert.deepEqual(await settingsOf(workspace), shown('own'))
  await choose(workspace, ours)
  assert.equal(await bucketFor(figure), 'all')
  await choose(workspace, s3('another'))
  assert.equal(await bucketFor(figure), 'another')
  await allow(organization, false)
  assert.equal(await bucketFor(figure), 'all')
  await choose(organization, ours)
  assert.equal(await bucketFor(figure), '')
  await organize(workspace, '')
  assert.equal(await bucketFor(figure), 'another')
})

test('who does not manage it neither reads nor chooses', async () => {
  for (const type of [WORKSPACE, ORGANIZATION]) {
    const node = await make(bench, type)
    await choose(node, s3('one'))
    await grant(bench, 'bob', node, type === WORKSPACE ? 'creator' : 'workspace_creator')
    const gone = { ...node, id: crypto.randomUUID() }
    for (const [target, as, expected] of [
      [node, bob, denied],
      [node, nobody, unauthenticated],
      [gone, ada, notFound],
    ] as const) {
      await refused(settingsOf(target, as), expected)
      await refused(choose(target, s3('two'), as), expected)
      await refused(bench.plans.checkStorage({ ...named(target), settings: ours }, as), expected)
    }
    assert.deepEqual(await settingsOf(node), shown('one'))
  }
})

test('a plan may not allow it', async () => {
  const workspace = await make(bench, WORKSPACE)
  await bench.query('update plan set allow_flexible_storage = false where is_default')
  try {
    const refusal = { code: 'PermissionDenied', error: 'allow_flexible_storage' } as const
    await refused(choose(workspace, s3('one')), refusal)
    assert.deepEqual(await choose(workspace, ours), ours)
  } finally {
    await bench.query('update plan set allow_flexible_storage = true where is_default')
  }
})
