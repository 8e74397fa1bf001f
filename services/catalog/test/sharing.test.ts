import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit'
import type { Node, NodeType } from '@figbase/proto/catalog'
import {
  ASSET,
  ada,
  type Bench,
  bob,
  contents,
  cyd,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
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
  bench = await startBench({ env: { SHARES_MAX: '3' } })
})
after(() => bench[Symbol.asyncDispose]())

const invalid = (field: string) => ({ code: 'InvalidArgument', field }) as const

type Named = Pick<Node, 'id' | 'type'>
const share = ({ id, type }: Named, username: string, enabled = true, as = ada) =>
  bench.client.setUserShare({ id, type, username, enabled }, as)
const link = ({ id, type }: Named, enabled = true, as = ada) =>
  bench.client.setLinkShare({ id, type, enabled }, as)
const linked = async ({ id, type }: Named, as = ada) =>
  (await bench.client.getLinkShare({ id, type }, as)).enabled

async function sharedWith({ id, type }: Named, as = ada, pageSize = 1000) {
  const all: string[] = []
  let pageToken = ''
  do {
    const page = await bench.client.listUserShares({ id, type, pageSize, pageToken }, as)
    all.push(...page.usernames)
    pageToken = page.nextPageToken
  } while (pageToken)
  return all
}

test('each kind of object is shared and unshared, at once, and again without harm', async () => {
  const { analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  for (const shared of [revision, figure, analysis]) {
    assert.deepEqual(await sharedWith(shared), [])
    for (const times of [1, 2]) {
      await share(shared, 'cyd')
      await share(shared, 'bob')
      assert.deepEqual(await get(bench, shared, bob), await get(bench, shared), `${times} times`)
      assert.deepEqual(await get(bench, revision, bob), await get(bench, revision))
    }
    for (const pageSize of [1, 2, 1000]) {
      assert.deepEqual(await sharedWith(shared, ada, pageSize), ['cyd', 'bob'])
    }
    for (const times of [1, 2]) {
      await share(shared, 'bob', false)
      await refused(get(bench, shared, bob), denied)
      assert.deepEqual(await sharedWith(shared), ['cyd'], `${times} times`)
    }
  }
})

test('a link opens an object to everybody, and shuts it, at once', async () => {
  const { analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id)
  for (const shared of [revision, figure, analysis]) {
    assert.equal(await linked(shared), false)
    for (const enabled of [true, true, false, false]) {
      await link(shared, enabled)
      assert.equal(await linked(shared), enabled)
      assert.deepEqual(await sharedWith(shared), [])
      for (const as of [bob, nobody]) {
        if (enabled) assert.deepEqual(await get(bench, revision, as), await get(bench, revision))
        else await refused(get(bench, revision, as), as === nobody ? unauthenticated : denied)
      }
    }
  }
})

test('an organization that forbids links shuts those that are there, and refuses new ones', async () => {
  const organization = await make(bench, ORGANIZATION)
  const { workspace, analysis, figure } = await makeTree(bench)
  await link(figure)
  await bench.client.updateNode({ id: workspace.id, parentId: organization.id }, ada)
  const allow = (allowLinkSharing: boolean) =>
    bench.client.updateNode({ id: organization.id, organization: { allowLinkSharing } }, ada)
  await get(bench, figure, nobody)
  await allow(false)
  await refused(get(bench, figure, nobody), unauthenticated)
  await refused(get(bench, figure, bob), denied)
  assert.equal(await linked(figure), false)
  const forbidden = { code: 'PermissionDenied', error: 'link_sharing_not_allowed' } as const
  await refused(link(analysis), forbidden)
  await share(figure, 'bob')
  await get(bench, figure, bob)
  await link(figure, false)
  await allow(true)
  await refused(get(bench, figure, nobody), unauthenticated)
  await link(figure)
  await get(bench, figure, nobody)
})

test('who an object is shared with sees it and no more: no change, no list of shares', async () => {
  const { analysis, figure } = await makeTree(bench)
  await share(figure, 'bob')
  await link(figure)
  const untouched = await contents(bench)
  const { id, type } = figure
  for (const as of [bob, cyd]) {
    await refused(bench.client.updateNode({ id, type, name: 'mine' }, as), denied)
    await refused(bench.client.deleteNode({ id, type }, as), denied)
    await refused(bench.client.reserve({ type: FIGURE_REVISION, parentId: id }, as), denied)
    await refused(sharedWith(figure, as), denied)
    await refused(linked(figure, as), denied)
    await refused(share(figure, 'cyd', true, as), denied)
    await refused(share(figure, 'zoe', true, as), denied)
    await refused(link(figure, false, as), denied)
    await refused(get(bench, analysis, as), denied)
  }
  await refused(bench.client.updateNode({ id, type, name: 'mine' }, nobody), unauthenticated)
  await refused(linked(figure, nobody), unauthenticated)
  assert.deepEqual(await contents(bench), untouched)
})

test('a creator shares what is in the workspace, a viewer does not', async () => {
  const { workspace, figure } = await makeTree(bench)
  await grant(bench, 'bob', workspace, 'viewer')
  await refused(share(figure, 'cyd', true, bob), denied)
  await refused(sharedWith(figure, bob), denied)
  await grant(bench, 'bob', workspace, 'creator')
  await share(figure, 'cyd', true, bob)
  assert.deepEqual(await sharedWith(figure, bob), ['cyd'])
})

test('workspaces and organizations are not shared', async () => {
  const untouched = await contents(bench)
  for (const type of [WORKSPACE, ORGANIZATION]) {
    const on = await make(bench, type)
    await refused(share(on, 'bob'), invalid('type'))
    await refused(sharedWith(on), invalid('type'))
    await refused(link(on), invalid('type'))
    await refused(linked(on), invalid('type'))
    await refused(share(on, 'bob', true, cyd), denied)
    await bench.client.deleteNode({ id: on.id, type }, ada)
  }
  const { grants } = (await contents(bench)) ?? {}
  assert.equal(Number(grants), Number(untouched?.grants) + 2, 'their makers only')
})

test('an unknown user or object is named; nothing changes', async () => {
  const { workspace, figure } = await makeTree(bench)
  const untouched = await contents(bench)
  for (const username of ['', 'zoe', 'a\0']) {
    for (const enabled of [true, false]) {
      await refused(share(figure, username, enabled), invalid('username'))
    }
  }
  for (const unknown of [
    { ...figure, id: newId() },
    { id: workspace.id, type: FIGURE },
  ]) {
    await refused(share(unknown, 'bob'), notFound)
    await refused(sharedWith(unknown), notFound)
    await refused(link(unknown), notFound)
    await refused(linked(unknown), notFound)
    await refused(linked(unknown, nobody), unauthenticated)
  }
  assert.deepEqual(await contents(bench), untouched)
  await bench.client.deleteNode({ id: figure.id }, ada)
  await refused(share(figure, 'bob'), notFound)
})

test('an object is shared with as many users as the setting says, also when all come at once', async () => {
  const { figure } = await makeTree(bench)
  const outcomes = await Promise.allSettled(
    ['bob', 'cyd', 'dan', 'eve', 'fay'].map((name) => share(figure, name)),
  )
  const lost = outcomes.filter((one) => one.status === 'rejected')
  assert.equal(lost.length, 2)
  for (const { reason } of lost) await refused(Promise.reject(reason), invalid('username'))
  const names = await sharedWith(figure)
  assert.equal(names.length, 3)
  await share(figure, names[0] ?? '')
})

test('the parent of an object is answered only to those who may view it', async () => {
  const { workspace, analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [5n])
  const asset = await make(bench, ASSET, workspace.id)
  const parentOf = async ({ id, type }: Node, as = ada) =>
    (await bench.client.getNode({ id, type, withParent: true }, as)).parent
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
  // By now the figure is shared, too.
  assert.equal((await parentOf(revision, bob))?.id, figure.id)
})

test('a log tells those with whom one object is shared nothing of what is above it', async () => {
  const { analysis, figure } = await makeTree(bench)
  const revision = await makeRevision(bench, figure.id, [5n])
  const { id, type } = revision
  await bench.client.deleteNode({ id: (await makeRevision(bench, figure.id)).id }, ada)
  const entriesOf = async (node: { id: string; type: NodeType }, as = ada) => {
    const request = { id: node.id, type: node.type, detailed: true }
    const { entries } = await bench.client.listActivity(request, as)
    for (const entry of entries) {
      const single = await bench.client.getActivity({ ...request, entryId: entry.id }, as)
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
