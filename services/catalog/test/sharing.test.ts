import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import type { Node, NodeType } from '@figbase/proto/catalog'
import {
  ASSET,
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createRevision,
  createTree,
  cyd,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
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
  catalog = await startTestCatalog({ env: { SHARES_MAX: '3' } })
})
after(() => catalog[Symbol.asyncDispose]())

const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const

type Named = Pick<Node, 'id' | 'type'>
const share = ({ id, type }: Named, username: string, enabled = true, as = ada) =>
  catalog.client.setUserShare({ id, type, username, enabled }, as)
const link = ({ id, type }: Named, enabled = true, as = ada) =>
  catalog.client.setLinkShare({ id, type, enabled }, as)
const linked = async ({ id, type }: Named, as = ada) =>
  (await catalog.client.getLinkShare({ id, type }, as)).enabled

async function sharedWith({ id, type }: Named, as = ada, pageSize = 1000) {
  const all: string[] = []
  let pageToken = ''
  do {
    const page = await catalog.client.listUserShares({ id, type, pageSize, pageToken }, as)
    all.push(...page.usernames)
    pageToken = page.nextPageToken
  } while (pageToken)
  return all
}

test('shares and unshares each type of node, idempotently', async () => {
  const { analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  for (const shared of [revision, figure, analysis]) {
    assert.deepEqual(await sharedWith(shared), [])
    for (const times of [1, 2]) {
      await share(shared, 'cyd')
      await share(shared, 'bob')
      assert.deepEqual(
        await get(catalog, shared, bob),
        await get(catalog, shared),
        `${times} times`,
      )
      assert.deepEqual(await get(catalog, revision, bob), await get(catalog, revision))
    }
    for (const pageSize of [1, 2, 1000]) {
      assert.deepEqual(await sharedWith(shared, ada, pageSize), ['cyd', 'bob'])
    }
    for (const times of [1, 2]) {
      await share(shared, 'bob', false)
      await assertError(get(catalog, shared, bob), denied)
      assert.deepEqual(await sharedWith(shared), ['cyd'], `${times} times`)
    }
  }
})

test('setting and removing a link apply immediately', async () => {
  const { analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id)
  for (const shared of [revision, figure, analysis]) {
    assert.equal(await linked(shared), false)
    for (const enabled of [true, true, false, false]) {
      await link(shared, enabled)
      assert.equal(await linked(shared), enabled)
      assert.deepEqual(await sharedWith(shared), [])
      for (const as of [bob, nobody]) {
        if (enabled)
          assert.deepEqual(await get(catalog, revision, as), await get(catalog, revision))
        else await assertError(get(catalog, revision, as), as === nobody ? unauthenticated : denied)
      }
    }
  }
})

test('an organization without link sharing disables existing links and rejects new ones', async () => {
  const organization = await createNode(catalog, ORGANIZATION)
  const { workspace, analysis, figure } = await createTree(catalog)
  await link(figure)
  await catalog.client.updateNode({ id: workspace.id, parentId: organization.id }, ada)
  const allow = (allowLinkSharing: boolean) =>
    catalog.client.updateNode({ id: organization.id, organization: { allowLinkSharing } }, ada)
  await get(catalog, figure, nobody)
  await allow(false)
  await assertError(get(catalog, figure, nobody), unauthenticated)
  await assertError(get(catalog, figure, bob), denied)
  assert.equal(await linked(figure), false)
  const forbidden = { code: 'PermissionDenied', error: 'link_sharing_not_allowed' } as const
  await assertError(link(analysis), forbidden)
  await share(figure, 'bob')
  await get(catalog, figure, bob)
  await link(figure, false)
  await allow(true)
  await assertError(get(catalog, figure, nobody), unauthenticated)
  await link(figure)
  await get(catalog, figure, nobody)
})

test('a share grants VIEW only: no changes, no list of shares', async () => {
  const { analysis, figure } = await createTree(catalog)
  await share(figure, 'bob')
  await link(figure)
  const untouched = await contents(catalog)
  const { id, type } = figure
  for (const as of [bob, cyd]) {
    await assertError(catalog.client.updateNode({ id, type, name: 'mine' }, as), denied)
    await assertError(catalog.client.deleteNode({ id, type }, as), denied)
    await assertError(catalog.client.reserve({ type: FIGURE_REVISION, parentId: id }, as), denied)
    await assertError(sharedWith(figure, as), denied)
    await assertError(linked(figure, as), denied)
    await assertError(share(figure, 'cyd', true, as), denied)
    await assertError(share(figure, 'zoe', true, as), denied)
    await assertError(link(figure, false, as), denied)
    await assertError(get(catalog, analysis, as), denied)
  }
  await assertError(catalog.client.updateNode({ id, type, name: 'mine' }, nobody), unauthenticated)
  await assertError(linked(figure, nobody), unauthenticated)
  assert.deepEqual(await contents(catalog), untouched)
})

test('a creator can share, a viewer cannot', async () => {
  const { workspace, figure } = await createTree(catalog)
  await grant(catalog, 'bob', workspace, 'viewer')
  await assertError(share(figure, 'cyd', true, bob), denied)
  await assertError(sharedWith(figure, bob), denied)
  await grant(catalog, 'bob', workspace, 'creator')
  await share(figure, 'cyd', true, bob)
  assert.deepEqual(await sharedWith(figure, bob), ['cyd'])
})

test('workspaces and organizations cannot be shared', async () => {
  const untouched = await contents(catalog)
  for (const type of [WORKSPACE, ORGANIZATION]) {
    const on = await createNode(catalog, type)
    await assertError(share(on, 'bob'), invalid('type'))
    await assertError(sharedWith(on), invalid('type'))
    await assertError(link(on), invalid('type'))
    await assertError(linked(on), invalid('type'))
    await assertError(share(on, 'bob', true, cyd), denied)
    await catalog.client.deleteNode({ id: on.id, type }, ada)
  }
  const { grants } = (await contents(catalog)) ?? {}
  assert.equal(Number(grants), Number(untouched?.grants) + 2, 'grants of the creators only')
})

test('rejects unknown users and objects, and changes nothing', async () => {
  const { workspace, figure } = await createTree(catalog)
  const untouched = await contents(catalog)
  for (const username of ['', 'zoe', 'a\0']) {
    for (const enabled of [true, false]) {
      await assertError(share(figure, username, enabled), invalid('username'))
    }
  }
  for (const unknown of [
    { ...figure, id: newId() },
    { id: workspace.id, type: FIGURE },
  ]) {
    await assertError(share(unknown, 'bob'), notFound)
    await assertError(sharedWith(unknown), notFound)
    await assertError(link(unknown), notFound)
    await assertError(linked(unknown), notFound)
    await assertError(linked(unknown, nobody), unauthenticated)
  }
  assert.deepEqual(await contents(catalog), untouched)
  await catalog.client.deleteNode({ id: figure.id }, ada)
  await assertError(share(figure, 'bob'), notFound)
})

test('enforces SHARES_MAX, even with concurrent shares', async () => {
  const { figure } = await createTree(catalog)
  const outcomes = await Promise.allSettled(
    ['bob', 'cyd', 'dan', 'eve', 'fay'].map((name) => share(figure, name)),
  )
  const lost = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(lost.length, 2)
  for (const { reason } of lost) await assertError(Promise.reject(reason), invalid('username'))
  const names = await sharedWith(figure)
  assert.equal(names.length, 3)
  await share(figure, names[0] ?? '')
})

test('returns the parent only to callers who may view it', async () => {
  const { workspace, analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [5n])
  const asset = await createNode(catalog, ASSET, workspace.id)
  const parentOf = async ({ id, type }: Node, as = ada) =>
    (await catalog.client.getNode({ id, type, withParent: true }, as)).parent
  const shown = await parentOf(revision)
  assert.ok(shown)
  const { $typeName: _, description, ...rest } = shown
  assert.equal(description, undefined)
  assert.deepEqual(rest, { id: figure.id, type: FIGURE, name: 'a name', parentId: analysis.id })

  for (const [node, above] of [
    [revision, figure],
    [figure, analysis],
    [analysis, workspace],
    [asset, workspace],
  ] as const) {
    await share(node, 'bob')
    await link(node, true)
    assert.equal((await parentOf(node))?.id, above.id)
    for (const as of [bob, nobody]) assert.equal(await parentOf(node, as), undefined)
    await link(node, false)
  }
  // Now the figure is shared, too.
  assert.equal((await parentOf(revision, bob))?.id, figure.id)
})

test('a log discloses nothing about ancestors to users with a share', async () => {
  const { analysis, figure } = await createTree(catalog)
  const revision = await createRevision(catalog, figure.id, [5n])
  const { id, type } = revision
  await catalog.client.deleteNode({ id: (await createRevision(catalog, figure.id)).id }, ada)
  const entriesOf = async (node: { id: string; type: NodeType }, as = ada) => {
    const request = { id: node.id, type: node.type, detailed: true }
    const { entries } = await catalog.client.listActivity(request, as)
    for (const entry of entries) {
      const single = await catalog.client.getActivity({ ...request, entryId: entry.id }, as)
      assert.deepEqual(single.entry, entry)
    }
    return entries.map(({ analysisName, targetName }) => [analysisName, targetName])
  }
  assert.deepEqual(await entriesOf(revision), [['a name', 'a name']])
  await share({ id, type }, 'bob')
  assert.deepEqual(await entriesOf(revision, bob), [['', '']])
  await share(figure, 'bob')
  assert.deepEqual(await entriesOf(revision, bob), [['', 'a name']])
  assert.deepEqual(await entriesOf(figure, bob), Array(4).fill(['', 'a name']))
  await share(analysis, 'bob')
  assert.deepEqual(await entriesOf(figure, bob), await entriesOf(figure))
})
