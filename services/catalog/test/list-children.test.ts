import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { ChildOrder, type Node } from '@figbase/proto/catalog'
import {
  ANALYSIS,
  ada,
  assertError,
  bob,
  createNode,
  createRevision,
  createTree,
  denied,
  FIGURE,
  FIGURE_REVISION,
  get,
  nobody,
  notFound,
  startTestCatalog,
  type TestCatalog,
  unauthenticated,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

async function all(parentId: string, type: Node['type'], pageSize: number) {
  const nodes: Node[] = []
  let pageToken = ''
  do {
    const page = await catalog.client.listChildren({ parentId, type, pageSize, pageToken }, ada)
    assert.ok(page.nodes.length > 0 && page.nodes.length <= pageSize)
    nodes.push(...page.nodes)
    pageToken = page.nextPageToken
  } while (pageToken)
  return nodes
}

test('lists children by position, then oldest first, as GetNode returns them', async () => {
  const { figure } = await createTree(catalog)
  const second = await createRevision(catalog, figure.id, [2n], { position: 1 })
  const twin = await createRevision(catalog, figure.id, [3n], { position: 1 })
  const first = await createRevision(catalog, figure.id, [1n], { position: 0 })
  const reserved = { type: FIGURE_REVISION, parentId: figure.id }
  await catalog.client.reserve(reserved, ada)
  const deleted = await createRevision(catalog, figure.id, [9n], { position: 2 })
  await catalog.client.deleteNode({ id: deleted.id }, ada)

  const request = { parentId: figure.id, type: FIGURE_REVISION }
  const { nodes, nextPageToken } = await catalog.client.listChildren(request, ada)
  assert.deepEqual(nodes, [first, second, twin])
  assert.equal(nextPageToken, '')
  for (const node of nodes) assert.deepEqual(await get(catalog, node), node)
  assert.deepEqual(await all(figure.id, FIGURE_REVISION, 1), nodes)
})

test('pages nodes of the same microsecond in the order of creation', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const made = [analysis]
  for (let n = 0; n < 12; n++) made.push(await createNode(catalog, ANALYSIS, workspace.id))
  await catalog.query(`update node set created_on = '2026-11-21 12:00:00.000001+00'
    where parent_id = '${workspace.id}'`)
  for (const pageSize of [1, 5, 13, 14]) {
    const listed = await all(workspace.id, ANALYSIS, pageSize)
    assert.deepEqual(
      listed.map((node) => node.id),
      made.map((node) => node.id),
    )
  }
})

test('a page has at most 1000 nodes, which is the default', async () => {
  const { figure } = await createTree(catalog)
  await catalog.query(`insert into node (id, type, parent_id, lineage, workspace_id, state, position,
      created_by)
    select gen_random_uuid(), type, parent_id, lineage, workspace_id, 'active', g, 'ada'
      from (select 'figure_revision' as type, id as parent_id, lineage, workspace_id from node
             where id = '${figure.id}') f, generate_series(0, 1000) g`)
  const request = { parentId: figure.id, type: FIGURE_REVISION }
  for (const pageSize of [0, -1, 1000, 5000]) {
    const page = await catalog.client.listChildren({ ...request, pageSize }, ada)
    assert.equal(page.nodes.length, 1000)
    assert.ok(page.nextPageToken)
  }
})

test('lists only children of the requested type', async () => {
  const { workspace } = await createTree(catalog)
  const { nodes } = await catalog.client.listChildren({ parentId: workspace.id, type: FIGURE }, ada)
  assert.deepEqual(nodes, [])
})

test('checks 401, 404, 403 and 400 in this order', async () => {
  const { figure, workspace } = await createTree(catalog)
  const list = (request: object, as = ada) =>
    catalog.client.listChildren({ parentId: workspace.id, type: ANALYSIS, ...request }, as)
  for (const parentId of [workspace.id, newId(), 'x']) {
    await assertError(list({ parentId }, nobody), unauthenticated)
    await assertError(list({ parentId, type: 0 }, nobody), unauthenticated)
  }
  const pending = await catalog.client.reserve({ type: FIGURE_REVISION, parentId: figure.id }, ada)
  for (const parentId of [newId(), 'x', pending.id]) await assertError(list({ parentId }), notFound)
  await assertError(list({}, bob), denied)
  const bad = (field: string) => ({ code: 'InvalidArgument', field }) as const
  await assertError(list({ type: 0 }), bad('type'))
  await assertError(list({ pageToken: 'x' }), bad('page_token'))
})

test('lists children by name, by creation and by change, in pages', async () => {
  const { workspace, analysis } = await createTree(catalog)
  const made = new Map<string, string>()
  for (const name of ['beta', 'Älpha', 'Zeta', 'alpha', 'alpha', 'x'.repeat(300)]) {
    const of = { type: FIGURE, parentId: analysis.id, name }
    const { node } = await catalog.client.createNode(of, ada)
    made.set(node?.id ?? '', name)
  }
  const [first = '', second = ''] = made.keys()
  await createRevision(catalog, second)
  await catalog.client.updateNode({ id: first, type: FIGURE, description: 'new' }, ada)
  const listed = async (order: ChildOrder, pageSize: number, filter = {}) => {
    const ids: string[] = []
    let pageToken = ''
    do {
      const request = { parentId: analysis.id, type: FIGURE, order, filter, pageSize, pageToken }
      const page = await catalog.client.listChildren(request, ada)
      assert.ok(page.nodes.length <= pageSize)
      ids.push(...page.nodes.map(({ id }) => id))
      pageToken = page.nextPageToken
    } while (pageToken)
    return ids.filter((id) => made.has(id))
  }
  const namesOf = (ids: string[]) => ids.map((id) => made.get(id)?.slice(0, 5))
  for (const pageSize of [1, 2, 3, 100]) {
    const byName = await listed(ChildOrder.NAME, pageSize)
    assert.deepEqual(namesOf(byName), ['alpha', 'alpha', 'Älpha', 'beta', 'xxxxx', 'Zeta'])
    assert.deepEqual(await listed(ChildOrder.NEWEST, pageSize), [...made.keys()].reverse())
    const rest = [...made.keys()].slice(2).reverse()
    assert.deepEqual(await listed(ChildOrder.CHANGED, pageSize), [first, second, ...rest])
    const words = { words: ['ALPH'] }
    assert.deepEqual(namesOf(await listed(ChildOrder.NAME, pageSize, words)), ['alpha', 'alpha'])
    const accented = { words: ['älpha'] }
    assert.deepEqual(namesOf(await listed(ChildOrder.CHANGED, pageSize, accented)), ['Älpha'])
    assert.deepEqual(await listed(ChildOrder.NEWEST, pageSize, { words: ['alpha', 'beta'] }), [])
    assert.deepEqual(await listed(ChildOrder.NEWEST, pageSize, { createdBy: 'bob' }), [])
    assert.equal((await listed(ChildOrder.UNSPECIFIED, pageSize, { createdBy: 'ada' })).length, 6)
  }
  const soon = { seconds: BigInt(Math.floor(Date.now() / 1000) + 60) }
  assert.equal((await listed(ChildOrder.NAME, 3, { createdUntil: soon })).length, 6)
  assert.deepEqual(await listed(ChildOrder.NAME, 3, { createdFrom: soon }), [])
  assert.equal(workspace.id, analysis.parentId)
})

test('refuses the token of another order, unknown orders and bad filters', async () => {
  const { workspace, figure } = await createTree(catalog)
  for (let n = 0; n < 2; n++) await createNode(catalog, ANALYSIS, workspace.id)
  const request = { parentId: workspace.id, type: ANALYSIS, pageSize: 1 }
  const ordered = (order: ChildOrder) => catalog.client.listChildren({ ...request, order }, ada)
  const orders = [ChildOrder.UNSPECIFIED, ChildOrder.NEWEST, ChildOrder.NAME, ChildOrder.CHANGED]
  const unknown = /\[invalid_argument\] page_token: is not a page token of this list/
  const tokens = new Map<ChildOrder, string>()
  for (const order of orders) tokens.set(order, (await ordered(order)).nextPageToken)
  const forged = [
    'name~',
    'name~x',
    `name~${base64(['\ud800', '1'])}`,
    `name~${base64(['\0', '1'])}`,
  ]
  for (const order of orders) {
    for (const pageToken of [
      ...orders.flatMap((of) => (of === order ? [] : [tokens.get(of) ?? ''])),
      ...forged,
    ]) {
      await assert.rejects(catalog.client.listChildren({ ...request, order, pageToken }, ada), {
        message: unknown,
      })
    }
  }
  const fields: [object, RegExp][] = [
    [{ order: 9 }, /order: /],
    [{ parentId: figure.id, type: FIGURE_REVISION, order: ChildOrder.NAME }, /order: /],
    [{ filter: { words: Array(11).fill('a') } }, /words: /],
    [{ filter: { words: [''] } }, /words: /],
    [{ filter: { words: ['a\0'] } }, /words: /],
    [{ filter: { createdBy: 'a'.repeat(101) } }, /created_by: /],
    [{ filter: { createdFrom: { seconds: 10n ** 15n } } }, /created_from: /],
    [{ filter: { createdUntil: { seconds: -1n } } }, /created_until: /],
  ]
  for (const [changed, message] of fields) {
    await assert.rejects(catalog.client.listChildren({ ...request, ...changed }, ada), { message })
  }
})

const base64 = (values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
