import type { GetNodeResponse, Node, NodePage, NodeType } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { required } from '../required.js'

/** The lists to read with a node; catalog returns the first page of each. */
export type NodeIncludes = {
  children?: NodeType[]
  scopedAssets?: boolean
  /** The number of ids of the newest revisions. */
  newestRevisions?: number
}

/** A node with the first pages of its lists, as far as they were requested and catalog supports it. */
export type NodeWithLists = {
  node: Node
  firstChildren: Map<NodeType, NodePage>
  firstScopedAssets?: NodePage | undefined
  newestRevisionIds: string[]
}

export async function getNodeWithLists(
  { services, call }: Input,
  id: string,
  type: NodeType,
  includes: NodeIncludes,
): Promise<NodeWithLists> {
  return toNodeWithLists(await services.catalog.getNode({ id, type, ...includes }, call), includes)
}

function toNodeWithLists(answer: GetNodeResponse, { children = [] }: NodeIncludes): NodeWithLists {
  const { scopedAssets: firstScopedAssets, newestRevisionIds } = answer
  const first = answer.children.map((page, index) => [children[index], page] as const)
  return {
    node: required(answer.node),
    firstChildren: new Map(
      first.flatMap(([type, page]) => (type === undefined ? [] : [[type, page]])),
    ),
    firstScopedAssets,
    newestRevisionIds,
  }
}

/** A node without lists. */
export const withoutLists = (node: Node): NodeWithLists => ({
  node,
  firstChildren: new Map(),
  newestRevisionIds: [],
})

/** Only the lists in `includes`. */
export const withLists = (
  opened: NodeWithLists,
  { children = [], scopedAssets }: NodeIncludes,
): NodeWithLists => ({
  ...opened,
  firstChildren: new Map([...opened.firstChildren].filter(([type]) => children.includes(type))),
  firstScopedAssets: scopedAssets ? opened.firstScopedAssets : undefined,
})
