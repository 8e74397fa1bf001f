import { type GetNodeResponse, type Node, type NodeType, Permission } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { required } from '../required.js'

/** An object, its ancestors that the reader may view, outermost first, and what the reader may do with it. */
export type Placed = Pick<GetNodeResponse, 'ancestors' | 'permissions'> & { node: Node }

type Includes = { children?: NodeType[]; scopedAssets?: boolean }

/** With the first pages of the lists. */
export async function getPlaced(
  { services, call, cfg }: Input,
  id: string,
  type: NodeType,
  includes: Includes = {},
): Promise<Placed & Pick<GetNodeResponse, 'children' | 'scopedAssets'>> {
  const request = { id, type, withAncestors: true, withPermissions: true }
  const lists = { ...includes, childrenPageSize: cfg.pageItemsMax }
  const { node, ancestors, permissions, children, scopedAssets } = await services.catalog.getNode(
    { ...request, ...lists },
    call,
  )
  return { node: required(node), ancestors, permissions, children, scopedAssets }
}

export const may = ({ permissions }: Placed, permission: keyof typeof Permission): boolean =>
  permissions.includes(Permission[permission])
