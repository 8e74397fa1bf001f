import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Node, Permission } from '@figbase/proto/catalog'
import {
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  denied,
  grant,
  nobody,
  notFound,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { FIGBASE_DEFAULT_VENDOR: 'Ours' } })
})
after(() => catalog[Symbol.asyncDispose]())

const ours = { vendor: 'Ours', paramsJson: '' }
const s3 = (bucket: string) => ({
  vendor: 's3',
  paramsJson: JSON.stringify({ bucket, secret_key: 'hidden' }),
})
const shown = (bucket: string) => ({ vendor: 's3', paramsJson: JSON.stringify({ bucket }) })

const named = ({ id, type }: Node) => ({ nodeId: id, type })

async function settingsOf(node: Node, as = ada) {
  const { settings } = await catalog.plans.getStorage(named(node), as)
  return { vendor: settings?.vendor, paramsJson: settings?.paramsJson }
}

type Settings = { vendor: string; paramsJson: string }

async function changeStorage(node: Node, settings: Settings, as = ada) {
  const answer = await catalog.plans.changeStorage({ ...named(node), settings }, as)
  return { vendor: answer.settings?.vendor, paramsJson: answer.settings?.paramsJson }
}

/** The bucket for new data, as CheckAccess returns it for CREATE and UPDATE; empty: the default. */
async function bucketFor({ id }: Node) {
  const buckets = new Set<string>()
  for (const permission of [Permission.CREATE, Permission.UPDATE]) {
    const { storageId } = await catalog.client.checkAccess({ id, permission }, ada)
    const { paramsJson } = catalog.storages.get(storageId) ?? { paramsJson: '{"bucket":""}' }
    assert.equal(catalog.storages.has(storageId), storageId !== '')
    buckets.add(JSON.parse(paramsJson).bucket)
  }
  assert.equal(buckets.size, 1)
  return [...buckets][0]
}

const addToOrganization = ({ id }: Node, parentId: string) =>
  catalog.client.updateNode({ id, type: WORKSPACE, parentId }, ada)
const allow = ({ id }: Node, allowPerWorkspaceStorage: boolean) =>
  catalog.client.updateNode(
    { id, type: ORGANIZATION, organization: { allowPerWorkspaceStorage } },
    ada,
  )

test('uses the default storage until another is chosen, and again when it is chosen', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  assert.deepEqual(await settingsOf(workspace), ours)
  assert.equal(await bucketFor(figure), '')
  assert.deepEqual(await changeStorage(workspace, s3('one')), shown('one'))
  assert.deepEqual(await settingsOf(workspace), shown('one'))
  const revision = await createRevision(catalog, figure.id)
  for (const node of [workspace, analysis, figure, revision]) {
    assert.equal(await bucketFor(node), 'one')
  }
  assert.deepEqual(await changeStorage(workspace, s3('two')), shown('two'))
  assert.equal(await bucketFor(figure), 'two')
  assert.deepEqual(await changeStorage(workspace, ours), ours)
  assert.deepEqual(await settingsOf(workspace), ours)
  assert.equal(await bucketFor(figure), '')
})

test('checked or rejected settings are not saved', async () => {
  const { workspace, figure } = await createTree(catalog)
  await changeStorage(workspace, s3('one'))
  const check = (settings: Settings) =>
    catalog.plans.checkStorage({ ...named(workspace), settings }, ada)
  const { settings } = await check(s3('two'))
  assert.deepEqual([settings?.vendor, settings?.paramsJson], Object.values(shown('two')))
  assert.equal((await check(ours)).settings?.vendor, 'Ours')
  const missing = { code: 'InvalidArgument', field: 'params.bucket' } as const
  await assertError(check(s3('missing')), missing)
  await assertError(changeStorage(workspace, s3('missing')), missing)
  await assertError(changeStorage(workspace, { vendor: '', paramsJson: '' }), {
    code: 'InvalidArgument',
    field: 'vendor',
  })
  assert.deepEqual(await settingsOf(workspace), shown('one'))
  assert.equal(await bucketFor(figure), 'one')
})

test('VIEW does not return the storage for new data', async () => {
  const { workspace, figure } = await createTree(catalog)
  await changeStorage(workspace, s3('one'))
  const request = { id: figure.id, permission: Permission.VIEW }
  assert.equal((await catalog.client.checkAccess(request, ada)).storageId, '')
})

test('workspaces use the storage of their organization, unless it allows others', async () => {
  const { workspace, figure } = await createTree(catalog)
  const organization = await createNode(catalog, ORGANIZATION)
  await changeStorage(workspace, s3('own'))
  await changeStorage(organization, s3('all'))
  await addToOrganization(workspace, organization.id)
  assert.equal(await bucketFor(figure), 'all')
  assert.deepEqual(await settingsOf(workspace), ours)
  const managed = { code: 'FailedPrecondition', error: 'managed_by_organization' } as const
  for (const settings of [s3('other'), ours]) {
    await assertError(changeStorage(workspace, settings), managed)
    await assertError(catalog.plans.checkStorage({ ...named(workspace), settings }, ada), managed)
  }
  await allow(organization, true)
  assert.equal(await bucketFor(figure), 'own')
  assert.deepEqual(await settingsOf(workspace), shown('own'))
  await changeStorage(workspace, ours)
  assert.equal(await bucketFor(figure), 'all')
  await changeStorage(workspace, s3('another'))
  assert.equal(await bucketFor(figure), 'another')
  await allow(organization, false)
  assert.equal(await bucketFor(figure), 'all')
  await changeStorage(organization, ours)
  assert.equal(await bucketFor(figure), '')
  await addToOrganization(workspace, '')
  assert.equal(await bucketFor(figure), 'another')
})

test('reading and changing storage settings takes MANAGE', async () => {
  for (const type of [WORKSPACE, ORGANIZATION]) {
    const node = await createNode(catalog, type)
    await changeStorage(node, s3('one'))
    await grant(catalog, 'bob', node, type === WORKSPACE ? 'creator' : 'workspace_creator')
    const deleted = { ...node, id: crypto.randomUUID() }
    for (const [target, as, expected] of [
      [node, bob, denied],
      [node, nobody, unauthenticated],
      [deleted, ada, notFound],
    ] as const) {
      await assertError(settingsOf(target, as), expected)
      await assertError(changeStorage(target, s3('two'), as), expected)
      await assertError(
        catalog.plans.checkStorage({ ...named(target), settings: ours }, as),
        expected,
      )
    }
    assert.deepEqual(await settingsOf(node), shown('one'))
  }
})

test('a plan can disallow custom storage', async () => {
  const workspace = await createNode(catalog, WORKSPACE)
  await catalog.query('update plan set allow_flexible_storage = false where is_default')
  try {
    const refusal = { code: 'PermissionDenied', error: 'allow_flexible_storage' } as const
    await assertError(changeStorage(workspace, s3('one')), refusal)
    assert.deepEqual(await changeStorage(workspace, ours), ours)
  } finally {
    await catalog.query('update plan set allow_flexible_storage = true where is_default')
  }
})
