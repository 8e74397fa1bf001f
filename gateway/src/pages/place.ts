import type { Node, NodeType, Parent } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { found } from '../routes/found.js'

/** An object of the tree and what it lives in, if the caller may view that. */
export async function getPlace(
  { services, call }: Input,
  id: string,
  type: NodeType,
): Promise<{ node: Node; parent: Parent | undefined }> {
  const answer = await services.catalog.getNode({ id, type, withParent: true }, call)
  return { node: found(answer.node), parent: answer.parent }
}
