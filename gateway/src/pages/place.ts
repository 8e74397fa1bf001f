import type { Node, NodeType, Parent } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { found } from '../routes/found.js'

/** An object of the tree and what it lives in. */
export async function getPlace(
  { services, call }: Input,
  id: string,
  type: NodeType,
): Promise<{ node: Node; parent: Parent }> {
  const answer = await services.catalog.getNode({ id, type, withParent: true }, call)
  return { node: found(answer.node), parent: found(answer.parent) }
}
