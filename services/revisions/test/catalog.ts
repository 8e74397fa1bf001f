import { Code, ConnectError, type ConnectRouter, type HandlerContext } from '@connectrpc/connect'
import { conflict, denied, newId, notFound, precondition } from '@figbase/kit'
import { CatalogService, NodeType } from '@figbase/proto/catalog'

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
}

/** A stand-in for catalog: nodes in memory, each for its owner only. */
export type TestCatalog = {
  routes(router: ConnectRouter): unknown
  nodes: Map<string, TestNode>
  /** A figure of this user. */
  figure(owner: string): string
  /** Throws in these methods, for as long as it is there. */
  failing: Map<string, ConnectError>
  calls: string[]
}

export const blank = {
  parentId: '',
  sizeBytes: 0n,
  micros: 1_750_000_000_000_000n,
  position: 0,
  silent: false,
}

export function createTestCatalog(): TestCatalog {
  const nodes = new Map<string, TestNode>()
  const failing = new Map<string, ConnectError>()
  const calls: string[] = []
  let clock = 1_760_000_000_123_456n

  const enter = (call: HandlerContext) => {
    calls.push(call.method.name)
    const error = failing.get(call.method.name)
    if (error) throw error
    return usernameOf(call)
  }
  const get = (id: string, username: string, type: NodeType) => {
    const node = nodes.get(id.toLowerCase())
    if (node?.state !== 'active' || (type && type !== node.type)) throw notFound('the object')
    if (node.owner !== username) throw denied('VIEW')
    return node
  }
  const liveBelow = (username: string, parentId?: string) =>
    [...nodes.values()]
      .filter((one) => one.state === 'active' && one.owner === username)
      .filter((one) => one.type === NodeType.FIGURE_REVISION)
      .filter((one) => parentId === undefined || one.parentId === parentId)
      .sort((a, b) => a.position - b.position)
      .map(toMessage)

  const workspaceId = newId()
  return {
    nodes,
    failing,
    calls,
    figure(owner) {
      const id = newId()
      nodes.set(id, { ...blank, id, owner, type: NodeType.FIGURE, state: 'active' })
      return id
    },
    routes: (router) =>
      router.service(CatalogService, {
        checkAccess: ({ id, type }, call) => ({ type: get(id, enter(call), type).type }),
        getNode: ({ id, type }, call) => ({ node: toMessage(get(id, enter(call), type)) }),
        listChildren: ({ parentId }, call) => ({ nodes: liveBelow(enter(call), parentId) }),
        listNodes: (_, call) => ({ nodes: liveBelow(enter(call)) }),
        listNewestRevisions({ id, type, pageSize }, call) {
          const owner = enter(call)
          const { id: parentId } = get(id, owner, type)
          const ids = liveBelow(owner, parentId).map((node) => node.id)
          return { ids: ids.reverse().slice(0, pageSize) }
        },
        resolveNodes({ ids, type }, call) {
          const owner = enter(call)
          const live = ids.flatMap((id) => nodes.get(id) ?? [])
          const known = live.filter((one) => one.state === 'active' && one.type === type)
          const mine = known.filter((one) => one.owner === owner)
          const hidden = known.filter((one) => one.owner !== owner)
          return { nodes: mine.map(toMessage), hiddenIds: hidden.map((one) => one.id) }
        },
        reserve({ id = newId(), type, parentId }, call) {
          const owner = enter(call)
          get(parentId, owner, NodeType.FIGURE)
          if (nodes.has(id)) throw conflict('duplicate_client_id', 'taken')
          clock += 1n
          nodes.set(id, { ...blank, id, type, parentId, owner, state: 'pending', micros: clock })
          return { id, workspaceId, createdOn: toTime(clock) }
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

const toMessage = ({ id, type, parentId, owner, sizeBytes, micros }: TestNode) => ({
  id,
  type,
  parentId,
  sizeBytes,
  createdBy: owner,
  createdOn: toTime(micros),
  version: 1,
})

/** The claims of the signed principal; its signature is the kit's affair. */
function usernameOf(call: HandlerContext): string {
  const token = call.requestHeader.get('figbase-principal')
  if (!token) throw new ConnectError('called without a principal', Code.Unauthenticated)
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return (claims as { u: string }).u
}
