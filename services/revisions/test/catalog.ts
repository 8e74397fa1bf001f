import { Code, ConnectError, type ConnectRouter, type HandlerContext } from '@connectrpc/connect'
import { conflict, denied, invalid, notFound, precondition, unavailable } from '@figbase/kit/errors'
import { newId } from '@figbase/kit/ids'
import { CatalogService, NodeType, Permission } from '@figbase/proto/catalog'

type TestNode = {
  id: string
  type: NodeType
  parentId: string
  owner: string
  state: 'pending' | 'active'
  sizeBytes: bigint
  micros: bigint
  position: number
  silent: boolean
  version: number
  contentVersion: number
  updatedMicros?: bigint
  updatedBy?: string
  name?: string
  autoAssignPending?: boolean
  importSource?: string
}

type TestReservation = { id: string; nodeId: string; owner: string; micros: bigint; growth: bigint }

/** A fake catalog: nodes in memory, each visible to its owner only. */
export type TestCatalog = {
  routes(router: ConnectRouter): unknown
  nodes: Map<string, TestNode>
  /** An analysis of this user. */
  analysis(owner: string): string
  /** A figure of this user. */
  figure(owner: string): string
  /** An asset of this user. */
  asset(owner: string): string
  /** Workspaces of nodes that are not in the default one. */
  workspaces: Map<string, string>
  /** Users who may view a node besides its owner. */
  shares: Set<string>
  /** Reserved updates that were not applied yet. */
  reservations: Map<string, TestReservation>
  /** Applied updates, in order. */
  applied: { id: string; nodeId: string; silent: boolean; hasLeaves: boolean }[]
  /** Bytes left in the plan. */
  quota: { bytesLeft?: bigint }
  /** The storage for new data of a node and its children, if it is not the default one. */
  storages: Map<string, string>
  /** Methods that fail, with their errors. */
  failing: Map<string, ConnectError>
  calls: string[]
  /** Pages of deleted revisions. */
  deleted: string[][]
  /** How far the times of reservations are in the past. */
  delay: { micros: bigint }
  /** Says after each call of this method whether its answer is lost. */
  lose(method: string, isLost: () => boolean): void
}

export const blank = {
  parentId: '',
  sizeBytes: 0n,
  micros: 1_750_000_000_000_000n,
  position: 0,
  silent: false,
  version: 1,
  contentVersion: 0,
}

export function createTestCatalog(): TestCatalog {
  const nodes = new Map<string, TestNode>()
  const failing = new Map<string, ConnectError>()
  const calls: string[] = []
  const deleted: string[][] = []
  const delay = { micros: 0n }
  const shares = new Set<string>()
  const workspaces = new Map<string, string>()
  const reservations = new Map<string, TestReservation>()
  const applied: TestCatalog['applied'] = []
  const quota: TestCatalog['quota'] = {}
  const storages: TestCatalog['storages'] = new Map()
  const losing = new Map<string, () => boolean>()
  let clock = BigInt(Date.now()) * 1000n

  const enter = (call: HandlerContext) => {
    calls.push(call.method.name)
    const error = failing.get(call.method.name)
    if (error) throw error
    return usernameOf(call)
  }
  const isLive = ({ state, type }: TestNode, wanted: NodeType) =>
    state === 'active' && (!wanted || wanted === type)
  const canView = ({ id, owner }: TestNode, username: string) =>
    owner === username || shares.has(`${username} ${id}`)
  const get = (id: string, username: string, type: NodeType, permission = Permission.VIEW) => {
    const node = nodes.get(id.toLowerCase())
    if (!node || !isLive(node, type)) throw notFound('the object')
    if (!canView(node, username)) throw denied('VIEW')
    if (permission !== Permission.VIEW && node.owner !== username) throw denied('UPDATE')
    return node
  }
  const liveBelow = (username: string, type: NodeType, parentId?: string) =>
    [...nodes.values()]
      .filter((one) => isLive(one, type) && canView(one, username))
      .filter((one) => parentId === undefined || one.parentId === parentId)
      .sort((a, b) => a.position - b.position)
      .map(toMessage)

  const workspaceId = newId()
  return {
    nodes,
    failing,
    calls,
    deleted,
    delay,
    analysis(owner) {
      const id = newId()
      nodes.set(id, { ...blank, id, owner, type: NodeType.ANALYSIS, state: 'active' })
      return id
    },
    figure(owner) {
      const id = newId()
      nodes.set(id, { ...blank, id, owner, type: NodeType.FIGURE, state: 'active' })
      return id
    },
    asset(owner) {
      const id = newId()
      nodes.set(id, { ...blank, id, owner, type: NodeType.ASSET, state: 'active' })
      return id
    },
    workspaces,
    shares,
    reservations,
    applied,
    quota,
    storages,
    lose: (method, isLost) => void losing.set(method, isLost),
    routes: (router) =>
      router.service(CatalogService, {
        checkAccess({ id, type, permission }, call) {
          const node = get(id, enter(call), type, permission)
          const { bytesLeft } = quota
          return {
            type: node.type,
            storageId: storages.get(node.id) ?? storages.get(node.parentId) ?? '',
            workspaceId: workspaces.get(node.id) ?? workspaceId,
            permissions: node.owner === usernameOf(call) ? [Permission.MANAGE] : [],
            ...(bytesLeft !== undefined && { storageBytesLeft: bytesLeft }),
          }
        },
        getNode({ id, type, withParent }, call) {
          const username = enter(call)
          const node = get(id, username, type)
          const parent = nodes.get(node.parentId)
          const isShown = withParent && parent && canView(parent, username)
          return { node: toMessage(node), ...(isShown && { parent: toParent(parent) }) }
        },
        listChildren: ({ parentId, type }, call) => ({
          nodes: liveBelow(enter(call), type, parentId),
        }),
        listNodes: ({ type }, call) => ({ nodes: liveBelow(enter(call), type) }),
        listDeletedNodes({ pageToken, types }, call) {
          enter(call)
          const known = [NodeType.FIGURE_REVISION, NodeType.ASSET_REVISION]
          const owned = [...known, NodeType.ANALYSIS, NodeType.WORKSPACE]
          if (!types.every((type) => owned.includes(type))) throw invalid('types', 'are others')
          const at = Number(pageToken || '0')
          const ids = deleted[at] ?? []
          const next = Math.min(at + 1, deleted.length)
          return { ids, nextPageToken: String(next), hasMore: next < deleted.length }
        },
        resolveNodes({ ids, type, permission }, call) {
          const username = enter(call)
          const live = ids.flatMap((id) => {
            const node = nodes.get(id)
            return node && isLive(node, type) ? [node] : []
          })
          const isAllowed = (node: TestNode) =>
            permission > Permission.VIEW ? node.owner === username : canView(node, username)
          return {
            nodes: live.filter(isAllowed).map(toMessage),
            hiddenIds: live.filter((node) => !isAllowed(node)).map((node) => node.id),
          }
        },
        listNewestRevisions({ id, type, pageSize }, call) {
          const owner = enter(call)
          const { id: parentId } = get(id, owner, type)
          const ids = liveBelow(owner, NodeType.FIGURE_REVISION, parentId).map((node) => node.id)
          return { ids: ids.reverse().slice(0, pageSize) }
        },
        reserve({ id = newId(), type, parentId }, call) {
          const owner = enter(call)
          const parent = toParent(get(parentId, owner, NodeType.UNSPECIFIED))
          if (nodes.has(id)) throw conflict('duplicate_client_id', 'taken')
          clock += 1n
          nodes.set(id, { ...blank, id, type, parentId, owner, state: 'pending', micros: clock })
          return { id, workspaceId, createdOn: toTime(clock), parent }
        },
        activate({ id, leaves, silent, position }, call) {
          const owner = enter(call)
          const node = nodes.get(id)
          if (!node) throw notFound('the reservation')
          if (node.owner !== owner) throw denied('CREATE')
          if (!nodes.has(node.parentId)) throw precondition('gone', 'the figure is gone')
          node.state = 'active'
          node.sizeBytes = leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, 0n)
          node.silent = silent
          node.position = position
          return { node: toMessage(node) }
        },
        reserveUpdate({ id, type, growthBytes, withParent }, call) {
          const owner = enter(call)
          const { id: nodeId, parentId } = get(id, owner, type, Permission.UPDATE)
          const parent = withParent ? nodes.get(parentId) : undefined
          clock += 1n
          const updateId = newId()
          const reservation = { id: updateId, nodeId, owner, micros: clock, growth: growthBytes }
          reservations.set(updateId, reservation)
          const updatedOn = toTime(clock - delay.micros)
          return { updateId, workspaceId, updatedOn, ...(parent && { parent: toParent(parent) }) }
        },
        activateUpdate({ updateId, id, leaves, contentVersion, silent }, call) {
          const owner = enter(call)
          const node = get(id, owner, NodeType.UNSPECIFIED)
          const reservation = reservations.get(updateId)
          const isLost = losing.get('ActivateUpdate')?.() ?? false
          if (!reservation) return { node: toMessage(node) }
          if (reservation.owner !== owner) throw denied('UPDATE')
          reservations.delete(updateId)
          applied.push({ id: updateId, nodeId: node.id, silent, hasLeaves: leaves !== undefined })
          if ((node.updatedMicros ?? 0n) <= reservation.micros) {
            node.updatedMicros = reservation.micros
            node.updatedBy = owner
          }
          node.version++
          if (leaves && contentVersion >= node.contentVersion) {
            node.contentVersion = contentVersion
            node.sizeBytes = leaves.leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, 0n)
          }
          if (isLost) throw unavailable('the answer was lost')
          return { node: toMessage(node) }
        },
        abandonUpdate({ updateId }, call) {
          enter(call)
          reservations.delete(updateId)
          return {}
        },
        deleteNode({ id, type }, call) {
          const node = get(id, enter(call), type, Permission.DELETE)
          nodes.delete(node.id)
          return {}
        },
        createNode({ id = newId(), type, parentId, name, autoAssignPending, importSource }, call) {
          const owner = enter(call)
          if (parentId !== workspaceId)
            get(parentId, owner, NodeType.UNSPECIFIED, Permission.CREATE)
          if (nodes.has(id)) throw conflict('duplicate_client_id', 'taken')
          const state = 'active' as const
          const own = { id, type, parentId, owner, name, autoAssignPending, importSource }
          const node = { ...blank, ...own, state }
          nodes.set(id, node)
          return { node: toMessage(node) }
        },
        updateNode({ id, type, name, parentId }, call) {
          const node = get(id, enter(call), type, Permission.UPDATE)
          if (name !== undefined) node.name = name
          if (parentId !== undefined) node.parentId = parentId
          return { node: toMessage(node) }
        },
        moveRevision({ id, figureId, position }, call) {
          enter(call)
          const node = nodes.get(id)
          if (!node || !nodes.has(figureId)) throw notFound('the revision')
          Object.assign(node, { parentId: figureId, position })
          return { node: toMessage(node) }
        },
        endAutoAssign({ id }, call) {
          enter(call)
          const node = nodes.get(id)
          if (!node) throw notFound('the figure')
          node.autoAssignPending = false
          return {}
        },
        abandon({ id }, call) {
          enter(call)
          if (nodes.get(id)?.state === 'pending') nodes.delete(id)
          return {}
        },
      }),
  }
}

const toTime = (micros: bigint) => ({
  seconds: micros / 1_000_000n,
  nanos: Number(micros % 1_000_000n) * 1000,
})

const toParent = ({ id, type, name, parentId }: TestNode) => ({
  id,
  type,
  name: name ?? '',
  parentId,
})

/** The message that catalog returns. */
export const toMessage = (node: TestNode) => ({
  id: node.id,
  type: node.type,
  parentId: node.parentId,
  sizeBytes: node.sizeBytes,
  createdBy: node.owner,
  createdOn: toTime(node.micros),
  version: node.version,
  name: node.name ?? '',
  autoAssignPending: node.autoAssignPending ?? false,
  importSource: node.importSource ?? '',
  ...(node.updatedBy !== undefined && { updatedBy: node.updatedBy }),
  ...(node.updatedMicros !== undefined && { updatedOn: toTime(node.updatedMicros) }),
})

/** The user of the signed principal. The kit's tests cover the signature. */
function usernameOf(call: HandlerContext): string {
  const token = call.requestHeader.get('figbase-principal')
  if (!token) throw new ConnectError('called without a principal', Code.Unauthenticated)
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return (claims as { u: string }).u
}
