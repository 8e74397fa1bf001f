import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import type { Node, NodeType } from '@figbase/proto/catalog'
import { tellStale } from '../src/job-names.js'
import { readUses } from '../src/periodic/read-uses.js'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  assertError,
  bob,
  contents,
  createNode,
  createRevision,
  createTree,
  denied,
  eve,
  FIGURE,
  FIGURE_REVISION,
  get,
  grant,
  nobody,
  notFound,
  startTestCatalog,
  system,
  type TestCatalog,
  unauthenticated,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog({ env: { STALE_SCAN_MAX: '7' } })
})
after(() => catalog[Symbol.asyncDispose]())

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const random = seededRandom(seed)
const steps = 150

/** A node of the model; only revisions have a position and uses. */
type Model = {
  id: string
  type: NodeType
  parent: Model | undefined
  isDeleted: boolean
  position: number
  uses: { used: Model; asset: Model }[]
  /** Of a figure: the confirmed position of each asset. */
  confirmed: Map<Model, number>
  counter: number
  /** The path when it was deleted: what has moved since cannot be restored. */
  pathBefore?: string
}

const nodes: Model[] = []
const isLive = ({ isDeleted, parent }: Model): boolean => !isDeleted && (!parent || isLive(parent))
const live = (type: NodeType) => nodes.filter((one) => one.type === type && isLive(one))
const workspaceOf = (node: Model): Model => (node.parent ? workspaceOf(node.parent) : node)

const pathOf = ({ id, parent }: Model): string => (parent ? `${pathOf(parent)} ${id}` : id)

function pick<T>(from: readonly T[]): T {
  assert.ok(from.length > 0)
  return from[Math.floor(random() * from.length)] as T
}

function add({ id, type }: Node, parent?: Model, more: Partial<Model> = {}): Model {
  const fresh = { isDeleted: false, position: 0, uses: [], confirmed: new Map(), counter: 0 }
  const made = { id, type, parent, ...fresh, ...more }
  nodes.push(made)
  return made
}

const newest = (parent: Model) =>
  nodes
    .filter((one) => one.parent === parent && isLive(one))
    .reduce<Model | undefined>((a, b) => (a && a.position > b.position ? a : b), undefined)

/** The assets that make a figure stale, as the specification says it. */
function staleBecause(figure: Model): { asset: Model; used: Model; newest: Model }[] {
  const byAsset = new Map<Model, Model>()
  for (const { used, asset } of newest(figure)?.uses ?? []) {
    const known = byAsset.get(asset)
    if (!known || known.position < used.position) byAsset.set(asset, used)
  }
  return [...byAsset].flatMap(([asset, used]) => {
    const last = newest(asset)
    if (!last || last.position <= used.position) return []
    if ((figure.confirmed.get(asset) ?? -1) >= last.position) return []
    return [{ asset, used, newest: last }]
  })
}

const childTypes = [ANALYSIS, FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION]
const parentTypes = new Map([
  [ANALYSIS, WORKSPACE],
  [FIGURE, ANALYSIS],
  [FIGURE_REVISION, FIGURE],
  [ASSET, WORKSPACE],
  [ASSET_REVISION, ASSET],
])

function randomUses() {
  const all = live(ASSET_REVISION)
  const count = Math.min(all.length, Math.floor(random() * 3))
  const used = new Set(Array.from({ length: count }, () => pick(all)))
  return [...used].map((one) => ({ used: one, asset: one.parent as Model }))
}

async function grow(type: NodeType) {
  const parent = pick(live(parentTypes.get(type) ?? WORKSPACE))
  if (type !== FIGURE_REVISION && type !== ASSET_REVISION) {
    add(await createNode(catalog, type, parent.id), parent)
    return
  }
  const position = parent.counter++
  const uses = type === FIGURE_REVISION ? randomUses() : []
  const usedIds = uses.map(({ used }) => used.id)
  const known = type === FIGURE_REVISION && { usedIds }
  const node = await createRevision(catalog, parent.id, [], { position, ...known }, type)
  add(node, parent, { position, uses })
}

/** A random change by ada, who owns both workspaces. */
const changes: Record<string, () => Promise<unknown>> = {
  publish: () => grow(pick([FIGURE_REVISION, FIGURE_REVISION, ASSET_REVISION])),
  grow: () => grow(pick(childTypes)),
  async remove() {
    const type = pick([...childTypes, FIGURE_REVISION, ASSET_REVISION])
    const [first, ...others] = live(type)
    if (!first || others.length < 3) return
    const node = pick([first, ...others])
    await catalog.client.deleteNode({ id: node.id, type }, ada)
    Object.assign(node, { isDeleted: true, pathBefore: pathOf(node) })
  },
  async restore() {
    const restorable = nodes.filter(
      (one) => one.isDeleted && one.parent && isLive(one.parent) && pathOf(one) === one.pathBefore,
    )
    if (restorable.length === 0) return
    const node = pick(restorable)
    await catalog.client.restoreNode({ id: node.id }, ada)
    node.isDeleted = false
  },
  async move() {
    const type = pick([ANALYSIS, FIGURE, ASSET])
    const [node, parent] = [pick(live(type)), pick(live(parentTypes.get(type) ?? WORKSPACE))]
    await catalog.client.updateNode({ id: node.id, type, parentId: parent.id }, ada)
    node.parent = parent
  },
  async moveRevision() {
    const node = pick(live(FIGURE_REVISION))
    const figure = pick(live(FIGURE).filter(({ parent }) => parent === node.parent?.parent))
    if (figure === node.parent) return
    const position = figure.counter++
    await catalog.client.moveRevision({ id: node.id, figureId: figure.id, position }, system)
    Object.assign(node, { parent: figure, position })
  },
  async relink() {
    const node = pick(live(FIGURE_REVISION))
    const uses = randomUses()
    node.counter++
    const { updateId } = await catalog.client.reserveUpdate({ id: node.id }, ada)
    const assetRevisionIds = uses.map(({ used }) => used.id)
    const sent = (version: number, ids: string[]) => ({
      ...{ updateId, id: node.id },
      uses: { figureRevisionId: node.id, version, assetRevisionIds: ids },
    })
    await catalog.client.activateUpdate(sent(node.counter + 1, assetRevisionIds), ada)
    node.uses = uses
    // An older version arrives late.
    const late = await catalog.client.reserveUpdate({ id: node.id }, ada)
    const older = { ...sent(node.counter, []), updateId: late.updateId }
    await catalog.client.activateUpdate(older, ada)
  },
  async confirm() {
    const figure = pick(live(FIGURE))
    const reasons = staleBecause(figure)
    const before = await contents(catalog)
    const request = { figureId: figure.id, reason: 'only a typing error was corrected' }
    const answer = await catalog.client.confirmFigure(request, ada)
    assert.equal(answer.figure?.isStale, false)
    for (const { asset, newest: last } of reasons) figure.confirmed.set(asset, last.position)
    const entries = (await contents(catalog))?.entries
    assert.equal(Number(entries), Number(before?.entries) + (reasons.length > 0 ? 1 : 0))
  },
}

async function staleIn(workspace: Model, as = ada) {
  const found: Node[] = []
  for (let pageToken = '', pages = 0; pages === 0 || pageToken; pages++) {
    const request = { workspaceId: workspace.id, pageSize: 2, pageToken }
    const page = await catalog.client.listStaleFigures(request, as)
    assert.ok(page.figures.length <= 2)
    found.push(...page.figures)
    pageToken = page.nextPageToken
  }
  return found
}

/** Compares the marks, the reasons and the lists with the model. */
async function compare(shared: Model) {
  const what = `SEED=${seed}`
  const stale = live(FIGURE).filter((figure) => staleBecause(figure).length > 0)
  for (const workspace of live(WORKSPACE)) {
    const listed = await staleIn(workspace)
    const expected = stale.filter((figure) => workspaceOf(figure) === workspace)
    assert.deepEqual(listed.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort(), what)
  }
  const { nodes: all } = await catalog.client.listNodes({ type: FIGURE }, ada)
  const marked = all.filter(({ isStale }) => isStale).map(({ id }) => id)
  assert.deepEqual(marked.sort(), stale.map(({ id }) => id).sort(), what)
  const figure = pick(live(FIGURE))
  const reasons = staleBecause(figure)
  const inView = { ada: reasons, eve: reasons.filter((one) => workspaceOf(one.asset) === shared) }
  for (const [as, expected] of [
    [ada, inView.ada],
    [eve, inView.eve],
  ] as const) {
    if (as === eve && workspaceOf(figure) !== shared) continue
    const node = await get(catalog, figure, as)
    assert.equal(node.isStale, reasons.length > 0, what)
    assert.deepEqual(
      node.staleBecause
        .map((one) => [one.assetId, one.usedRevisionId, one.newestRevisionId])
        .sort(),
      expected.map((one) => [one.asset.id, one.used.id, one.newest.id]).sort(),
      what,
    )
  }
}

test('stale figures match a model after random changes', async (t) => {
  const shared = add(await createNode(catalog, WORKSPACE))
  add(await createNode(catalog, WORKSPACE))
  await grant(catalog, 'eve', shared, 'viewer')
  for (const type of [ANALYSIS, FIGURE, ASSET]) for (let n = 0; n < 4; n++) await grow(type)
  for (let n = 0; n < 6; n++) await grow(ASSET_REVISION)
  for (let n = 0; n < 8; n++) await grow(FIGURE_REVISION)
  const names = ['publish', 'publish', 'publish', ...Object.keys(changes)]
  let staleSeen = 0
  for (let step = 0; step < steps; step++) {
    // Deletions of what contains them may take all of a type.
    for (const type of childTypes) if (live(type).length === 0) await grow(type)
    await changes[pick(names)]?.()
    for (const type of childTypes) if (live(type).length === 0) await grow(type)
    if (step % 3 === 0) await compare(shared)
    staleSeen += live(FIGURE).filter((figure) => staleBecause(figure).length > 0).length
  }
  assert.ok(staleSeen > steps / 10, `${staleSeen} stale figures (SEED=${seed})`)
  t.diagnostic(`${steps} changes, ${staleSeen} stale figures seen`)
})

/** A stale figure that uses an asset of another workspace. */
async function createStale() {
  const { workspace, analysis, figure } = await createTree(catalog)
  const elsewhere = await createNode(catalog, WORKSPACE)
  const asset = await createNode(catalog, ASSET, elsewhere.id)
  const addVersion = (position: number) =>
    createRevision(catalog, asset.id, [], { position }, ASSET_REVISION)
  const first = await addVersion(0)
  const revision = await createRevision(catalog, figure.id, [], { usedIds: [first.id] })
  const second = await addVersion(1)
  return { workspace, analysis, figure, elsewhere, asset, first, second, revision, addVersion }
}

test('a reader learns the assets that they may view, and that a figure is stale', async () => {
  const { workspace, figure, asset, first, second } = await createStale()
  await grant(catalog, 'bob', workspace, 'viewer')
  const { isStale, staleBecause: reasons } = await get(catalog, figure)
  assert.ok(isStale)
  const [reason, ...others] = reasons
  assert.deepEqual(others, [])
  const { $typeName: _, ...told } = reason ?? assert.fail('no reason')
  assert.deepEqual(told, {
    ...{ assetId: asset.id, assetName: 'a name', usedRevisionId: first.id, usedPosition: 0 },
    ...{ newestRevisionId: second.id, newestPosition: 1 },
    ...{ changedOn: second.createdOn, changedBy: 'ada' },
  })
  const hidden = await get(catalog, figure, bob)
  assert.deepEqual([hidden.isStale, hidden.staleBecause], [true, []])
  await grant(catalog, 'bob', asset, 'viewer', 'share')
  assert.deepEqual((await get(catalog, figure, bob)).staleBecause, reasons)
  const { node: renamed } = await catalog.client.updateNode({ id: figure.id, name: 'new' }, ada)
  assert.deepEqual(renamed?.staleBecause, reasons)
})

test('the confirmation of a figure takes UPDATE and a reason, and is logged', async () => {
  const { workspace, figure, addVersion } = await createStale()
  await grant(catalog, 'bob', workspace, 'viewer')
  const request = { figureId: figure.id, reason: 'the same data in another order' }
  const confirm = (as: typeof ada, more = {}) =>
    catalog.client.confirmFigure({ ...request, ...more }, as)
  const before = await contents(catalog)
  await assertError(confirm(nobody), unauthenticated)
  for (const as of [bob, eve]) await assertError(confirm(as), denied)
  for (const figureId of ['', 'x', workspace.id])
    await assertError(confirm(ada, { figureId }), notFound)
  for (const reason of ['', ' \n', 'x'.repeat(401), 'a\u0000b']) {
    await assertError(confirm(ada, { reason }), { code: 'InvalidArgument', field: 'reason' })
  }
  assert.deepEqual(await contents(catalog), before)

  assert.equal((await confirm(ada)).figure?.isStale, false)
  assert.equal((await get(catalog, figure)).isStale, false)
  const { entries } = await catalog.client.listActivity({ id: figure.id, type: FIGURE }, ada)
  const [entry] = entries
  assert.deepEqual(
    [entry?.action, entry?.actor, entry?.targetId, entry?.payloadJson],
    ['update', 'ada', figure.id, `{"note":"still_right","reason":"${request.reason}"}`],
  )
  // A repetition changes nothing.
  const after = await contents(catalog)
  await confirm(ada)
  assert.deepEqual(await contents(catalog), after)
  await addVersion(2)
  assert.ok((await get(catalog, figure)).isStale)
})

test('only those who may view a workspace list its stale figures', async () => {
  const { workspace, figure, asset } = await createStale()
  await grant(catalog, 'bob', figure, 'viewer', 'share')
  const list = (as: typeof ada, workspaceId = workspace.id) =>
    catalog.client.listStaleFigures({ workspaceId }, as)
  await assertError(list(nobody), unauthenticated)
  await assertError(list(bob), denied)
  await assertError(list(ada, figure.id), notFound)
  const odd = { workspaceId: workspace.id, pageToken: 'odd' }
  await assertError(catalog.client.listStaleFigures(odd, ada), {
    ...{ code: 'InvalidArgument', field: 'page_token' },
  })
  const { figures } = await list(ada)
  assert.deepEqual(
    figures.map(({ id, isStale, staleBecause: why }) => [
      id,
      isStale,
      why.map((one) => one.assetId),
    ]),
    [[figure.id, true, [asset.id]]],
  )
})

const never = new AbortController().signal

type Told = { payload: Record<string, string>; actor: string }

const toldAbout = ({ id }: Node) =>
  catalog.query<Told>(`select message -> 'payload' as payload, message ->> 'actor' as actor
    from (select message from outbox union all select message from outbox_sent) sent
   where message ->> 'key' = '${id}' and message ->> 'name' = 'catalog.figure.stale.v1'`)

/** Waits until no job is left. */
async function waitForJobs() {
  const sql = "select from job where name = 'tell-stale'"
  while ((await catalog.query(sql)).length > 0) await new Promise((done) => setTimeout(done, 20))
}

test('a new revision of an asset is announced for each figure that it makes stale', async () => {
  const { workspace, analysis, figure, asset, first, second } = await createStale()
  const other = await createNode(catalog, FIGURE, analysis.id)
  await waitForJobs()
  const [event, ...more] = await toldAbout(figure)
  assert.deepEqual(more, [])
  const { at, ...payload } = event?.payload ?? {}
  assert.ok(at)
  assert.deepEqual(
    [payload, event?.actor],
    [
      {
        ...{ figureId: figure.id, figureName: 'a name', workspaceId: workspace.id },
        ...{ analysisId: analysis.id, assetId: asset.id, assetRevisionId: second.id },
        figureCreatedBy: 'ada',
      },
      'ada',
    ],
  )
  // A revision of a figure is no change of an asset, even if it uses an old one.
  await createRevision(catalog, other.id, [], { usedIds: [first.id] })
  assert.ok((await get(catalog, other)).isStale)
  await waitForJobs()
  assert.deepEqual(await toldAbout(other), [])
  // A job may run twice.
  await catalog.ctx.transact((tx) =>
    catalog.ctx.enqueue(
      tx,
      tellStale,
      { assetRevisionId: second.id, requestId: '' },
      { key: 'again' },
    ),
  )
  await waitForJobs()
  assert.equal((await toldAbout(figure)).length, 1)
})

test('uses that catalog does not know are read from their service', async () => {
  const { figure, second, addVersion } = await createStale()
  const [silent, unknown] = [
    await createRevision(catalog, figure.id, [], { position: 1 }),
    await createRevision(catalog, figure.id, [], { position: 2 }),
  ]
  assert.equal((await get(catalog, figure)).isStale, false)
  catalog.uses.set(unknown.id, [second.id])
  const run = () => readUses.run(catalog.ctx, never)
  await run()
  assert.equal(await run(), false)
  assert.equal((await get(catalog, figure)).isStale, false)
  await addVersion(2)
  assert.ok((await get(catalog, figure)).isStale)
  await catalog.client.deleteNode({ id: unknown.id, type: FIGURE_REVISION }, ada)
  assert.equal((await get(catalog, figure)).isStale, false)
  await catalog.client.deleteNode({ id: silent.id, type: FIGURE_REVISION }, ada)
  assert.ok((await get(catalog, figure)).isStale)
})
