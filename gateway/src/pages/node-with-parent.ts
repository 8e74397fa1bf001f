import type { Node, NodeType, Parent } from '@figbase/proto/catalog'
import type { Input } from '../endpoint.js'
import { required } from '../required.js'

/** Reads a node and its parent; the parent is undefined if the caller may not view it. */
export async function getNodeWithParent(
  { services, call }: Input,
  id: string,
  type: NodeType,
): Promise<{ node: Node; parent: Parent | undefined }> {
  const answer = await services.catalog.getNode({ id, type, withParent: true }, call)
  return { node: required(answer.node), parent: answer.parent }
}
