import type { HandlerContext } from '@connectrpc/connect'
import { forward } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'

const callTimeoutMs = 10_000

/** All workspaces that the caller may read. */
export async function readableWorkspaces(
  { catalog }: Pick<Ctx, 'catalog'>,
  call: HandlerContext,
): Promise<string[]> {
  const options = { ...forward(call), timeoutMs: callTimeoutMs }
  const ids: string[] = []
  for (let pageToken = ''; ; ) {
    const page = await catalog.listNodes({ type: NodeType.WORKSPACE, pageToken }, options)
    ids.push(...page.nodes.map((node) => node.id))
    pageToken = page.nextPageToken
    if (!pageToken) return ids
  }
}
