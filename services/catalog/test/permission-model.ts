import { NodeType } from '@figbase/proto/catalog'

const V = ['VIEW', 'COMMENT']
const VCS = ['VIEW', 'COMMENT', 'CREATE', 'SHARE']
const VCUDS = ['VIEW', 'COMMENT', 'CREATE', 'UPDATE', 'DELETE', 'SHARE']
const VCUSM = ['VIEW', 'COMMENT', 'CREATE', 'UPDATE', 'SHARE', 'MANAGE']
const all = ['VIEW', 'COMMENT', 'CREATE', 'UPDATE', 'DELETE', 'SHARE', 'MANAGE']

/** Duplicates the table of the service, to detect mistakes in it. */
const rights: Record<string, { organization: string[]; workspace: string[]; content: string[] }> = {
  OWNER: { organization: [], workspace: all, content: all },
  ADMIN: { organization: [], workspace: VCUSM, content: all },
  CREATOR: { organization: [], workspace: VCS, content: VCUDS },
  VIEWER: { organization: [], workspace: V, content: V },
  ORG_ADMIN: { organization: all, workspace: all, content: all },
  WORKSPACE_ADMIN: { organization: ['VIEW', 'COMMENT', 'CREATE'], workspace: VCUSM, content: all },
  WORKSPACE_CREATOR: {
    organization: ['VIEW', 'COMMENT', 'CREATE'],
    workspace: VCS,
    content: VCUDS,
  },
  WORKSPACE_VIEWER: { organization: V, workspace: V, content: V },
}

export type ModelNode = {
  id: string
  type: NodeType
  parent: ModelNode | undefined
  isDeleted: boolean
  /** Role by username. */
  members: Map<string, string>
  shares: Set<string>
  isLinked: boolean
  /** Only for organizations. */
  allowsLinks: boolean
}

export const newModelNode = (
  id: string,
  type: NodeType,
  parent?: ModelNode,
  owner?: string,
): ModelNode => ({
  id,
  type,
  parent,
  isDeleted: false,
  members: new Map(owner ? [['ada', owner]] : []),
  shares: new Set(),
  isLinked: false,
  allowsLinks: true,
})

/** The node and its ancestors up to the organization. */
export function pathOf(node: ModelNode): ModelNode[] {
  return node.parent ? [node, ...pathOf(node.parent)] : [node]
}

/** Deleting an organization clears `parent` of its workspaces, so they stay live. */
export const isLive = (node: ModelNode): boolean => pathOf(node).every((one) => !one.isDeleted)

const placeOf = ({ type }: ModelNode) =>
  type === NodeType.ORGANIZATION
    ? 'organization'
    : type === NodeType.WORKSPACE
      ? 'workspace'
      : 'content'

/** The permissions of a user on a node, computed from the whole path; '' is anonymous. */
export function rightsOf(username: string, node: ModelNode): Set<string> {
  const path = pathOf(node)
  const roles = path.flatMap((one) => one.members.get(username) ?? [])
  const found = new Set(roles.flatMap((role) => rights[role]?.[placeOf(node)] ?? []))
  const isShared = username !== '' && path.some((one) => one.shares.has(username))
  const linksAllowed = path.every((one) => one.allowsLinks)
  if (isShared) for (const right of V) found.add(right)
  if (linksAllowed && path.some((one) => one.isLinked)) found.add('VIEW')
  return found
}

/** Whether lists of the user contain the node. Links do not count. */
export const isListed = (username: string, node: ModelNode): boolean =>
  isLive(node) &&
  pathOf(node).some((one) => {
    const role = one.members.get(username)
    const isMember = role !== undefined && (rights[role]?.[placeOf(node)].length ?? 0) > 0
    return isMember || one.shares.has(username)
  })
