import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { actAs, anonymous, user } from '@figbase/kit/rpc'
import { seededRandom } from '@figbase/kit/testing'
import { type NodeType, Permission, Role } from '@figbase/proto/catalog'
import { isListed, isLive, type ModelNode, newModelNode, rightsOf } from './permission-model.js'
import {
  ANALYSIS,
  ASSET,
  ASSET_REVISION,
  ada,
  createAssetRevision,
  createNode,
  createRevision,
  FIGURE,
  FIGURE_REVISION,
  ORGANIZATION,
  startTestCatalog,
  type TestCatalog,
  WORKSPACE,
} from './test-service.js'

let catalog: TestCatalog
before(async () => {
  catalog = await startTestCatalog()
})
after(() => catalog[Symbol.asyncDispose]())

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const random = seededRandom(seed)
const steps = 250
const people = ['bob', 'cyd', 'dan', 'eve', '']
const workspaceRoles = [Role.ADMIN, Role.CREATOR, Role.VIEWER]
const organizationRoles = [
  Role.ORG_ADMIN,
  Role.WORKSPACE_ADMIN,
  Role.WORKSPACE_CREATOR,
  Role.WORKSPACE_VIEWER,
]
const permissions = [
  Permission.VIEW,
  Permission.CREATE,
  Permission.UPDATE,
  Permission.DELETE,
  Permission.SHARE,
  Permission.MANAGE,
  Permission.COMMENT,
]

const content = [ANALYSIS, FIGURE, FIGURE_REVISION, ASSET, ASSET_REVISION]
const parentTypes = new Map([
  [ANALYSIS, WORKSPACE],
  [FIGURE, ANALYSIS],
  [FIGURE_REVISION, FIGURE],
  [ASSET, WORKSPACE],
  [ASSET_REVISION, ASSET],
])

const nodes: ModelNode[] = []

function pick<T>(from: readonly T[]): T {
  const [one] = from.slice(Math.floor(random() * from.length))
  assert.ok(from.length > 0)
  return one as T
}
const live = (...types: NodeType[]) =>
  nodes.filter((node) => types.includes(node.type) && isLive(node))
const somebody = () => pick(people.slice(0, -1))

function creatorOf(type: NodeType) {
  if (type === FIGURE_REVISION) return (parentId: string) => createRevision(catalog, parentId)
  if (type === ASSET_REVISION) return (parentId: string) => createAssetRevision(catalog, parentId)
  return (parentId: string) => createNode(catalog, type, parentId)
}

async function add(type: NodeType, parent?: ModelNode) {
  const parentId = parent?.id ?? ''
  const { id } = await creatorOf(type)(parentId)
  const owner = { [ORGANIZATION]: 'ORG_ADMIN', [WORKSPACE]: 'OWNER' }[type as number]
  nodes.push(newModelNode(id, type, parent, owner))
}

/** A random change by ada, who has all permissions. */
const changes: Record<string, () => Promise<void>> = {
  async grow() {
    const type = pick([WORKSPACE, ...content])
    const parentType = parentTypes.get(type)
    if (parentType === undefined) await add(type, pick([undefined, ...live(ORGANIZATION)]))
    else await add(type, pick(live(parentType)))
  },
  async member() {
    const { id, type, members } = pick(live(ORGANIZATION, WORKSPACE))
    const username = somebody()
    const role = pick(type === WORKSPACE ? workspaceRoles : organizationRoles)
    const request = { id, type, member: { username, role } }
    if (!members.has(username)) await catalog.client.addMember(request, ada)
    else if (random() < 0.5) await catalog.client.changeMember(request, ada)
    else {
      await catalog.client.removeMember({ id, type, username }, ada)
      members.delete(username)
      return
    }
    members.set(username, Role[role])
  },
  async share() {
    const node = pick(live(...content))
    const { id, type, shares } = node
    const username = somebody()
    const enabled = !shares.has(username)
    await catalog.client.setUserShare({ id, type, username, enabled }, ada)
    if (enabled) shares.add(username)
    else shares.delete(username)
  },
  async link() {
    const node = pick(live(...content).filter(linksAllowed))
    node.isLinked = !node.isLinked
    const { id, type, isLinked: enabled } = node
    await catalog.client.setLinkShare({ id, type, enabled }, ada)
  },
  async allow() {
    const node = pick(live(ORGANIZATION))
    node.allowsLinks = !node.allowsLinks
    const organization = { allowLinkSharing: node.allowsLinks }
    await catalog.client.updateNode({ id: node.id, organization }, ada)
  },
  async move() {
    const node = pick(live(WORKSPACE, ANALYSIS, FIGURE, ASSET))
    const { id, type } = node
    const parentType = parentTypes.get(type)
    const parent = pick(parentType ? live(parentType) : [undefined, ...live(ORGANIZATION)])
    await catalog.client.updateNode({ id, type, parentId: parent?.id ?? '' }, ada)
    node.parent = parent
  },
  async remove() {
    const node = pick(nodes.filter(isLive))
    if (live(node.type).length < 3) return
    await catalog.client.deleteNode({ id: node.id, type: node.type }, ada)
    node.isDeleted = true
    if (node.type !== ORGANIZATION) return
    for (const one of nodes) if (one.parent === node) one.parent = undefined
  },
}

/** Sets or removes a link; skipped where links are not allowed. */
const linksAllowed = (node: ModelNode): boolean =>
  node.allowsLinks && (!node.parent || linksAllowed(node.parent))

const callOf = (username: string) => actAs(username ? user(username) : anonymous)

async function allowed(username: string, { id }: ModelNode, permission: Permission) {
  try {
    await catalog.client.checkAccess({ id, permission }, callOf(username))
    return 'yes'
  } catch (error) {
    assert.ok(error instanceof ConnectError)
    return Code[error.code]
  }
}

function expected(username: string, node: ModelNode, permission: Permission) {
  if (isLive(node) && rightsOf(username, node).has(Permission[permission])) return 'yes'
  if (!username) return 'Unauthenticated'
  return isLive(node) ? 'PermissionDenied' : 'NotFound'
}

let checks = 0
async function check(username: string, node: ModelNode, permission: Permission) {
  checks++
  const asked = `${username || 'anonymous'}: ${Permission[permission]} (SEED=${seed})`
  assert.equal(
    await allowed(username, node, permission),
    expected(username, node, permission),
    asked,
  )
}

async function checkLists(username: string) {
  for (const type of [ORGANIZATION, WORKSPACE, ...content]) {
    const { nodes: listed } = await catalog.client.listNodes({ type }, callOf(username))
    const shown = nodes.filter((node) => node.type === type && isListed(username, node))
    assert.deepEqual(
      listed.map(({ id }) => id).sort(),
      shown.map(({ id }) => id).sort(),
      `${username}'s list of type ${type} (SEED=${seed})`,
    )
  }
}

/** Checks that the parent is returned only to callers who may view it. */
async function checkParent(username: string, node: ModelNode) {
  if (!isLive(node) || !rightsOf(username, node).has('VIEW')) return
  const request = { id: node.id, withParent: true }
  const { parent } = await catalog.client.getNode(request, callOf(username))
  const above = node.type === WORKSPACE ? undefined : node.parent
  const isShown = above !== undefined && rightsOf(username, above).has('VIEW')
  assert.equal(parent?.id, isShown ? above.id : undefined, `${username}: parent (SEED=${seed})`)
}

/** Resolves all nodes at once: the visible ones in order, and the ids of the other live ones. */
async function checkResolved(username: string) {
  const ids = nodes.map(({ id }) => id)
  const resolved = await catalog.client.resolveNodes({ ids }, callOf(username))
  const canView = (node: ModelNode) => rightsOf(username, node).has('VIEW')
  const idsOf = (some: { id: string }[]) => some.map(({ id }) => id)
  assert.deepEqual(
    [idsOf(resolved.nodes), resolved.hiddenIds],
    [
      idsOf(nodes.filter(isLive).filter(canView)),
      idsOf(nodes.filter((one) => isLive(one) && !canView(one))),
    ],
    `resolved for ${username || 'anonymous'} (SEED=${seed})`,
  )
}

test('permissions and lists match a model after random changes', async (t) => {
  for (let n = 0; n < 3; n++) await add(ORGANIZATION)
  for (let n = 0; n < 4; n++) await add(WORKSPACE)
  for (let n = 0; n < 4; n++) await add(ANALYSIS, pick(live(WORKSPACE)))
  for (let n = 0; n < 5; n++) await add(FIGURE, pick(live(ANALYSIS)))
  for (let n = 0; n < 5; n++) await add(FIGURE_REVISION, pick(live(FIGURE)))
  for (let n = 0; n < 3; n++) await add(ASSET, pick(live(WORKSPACE)))
  for (let step = 0; step < steps; step++) {
    const name = pick([
      'grow',
      'member',
      'member',
      'share',
      'share',
      'link',
      'allow',
      'move',
      'move',
      'remove',
    ])
    if (name === 'link' && !live(...content).some(linksAllowed)) continue
    if (!live(ANALYSIS).length || !live(FIGURE).length) {
      await add(ANALYSIS, pick(live(WORKSPACE)))
      await add(FIGURE, pick(live(ANALYSIS)))
    }
    if (!live(ASSET).length) await add(ASSET, pick(live(WORKSPACE)))
    await changes[name]?.()
    for (let n = 0; n < 6; n++) await check(pick(people), pick(nodes), pick(permissions))
    if (step % 10 !== 0) continue
    await checkLists(somebody())
    await checkResolved(pick(people))
  }
  for (const username of people) {
    if (username) await checkLists(username)
    await checkResolved(username)
    for (const node of nodes) {
      await checkParent(username, node)
      for (const one of permissions) await check(username, node, one)
    }
  }
  t.diagnostic(`${steps} changes of ${nodes.length} nodes, ${checks} permissions compared`)
})
