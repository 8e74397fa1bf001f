import type { HandlerContext } from '@connectrpc/connect'
import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { Filter } from '../engine/port.js'

/** What the caller may find, in one workspace or everywhere ('') ; undefined: nothing. */
export async function readFilter(
  { catalog }: Pick<Ctx, 'catalog'>,
  workspaceId: string,
  call: HandlerContext,
): Promise<Filter | undefined> {
  const found = await catalog.listReadableRoots({ workspaceId }, forward(call))
  const { rootIds: roots, recentlyPlacedIds: recent } = found
  return roots.length + recent.length > 0 ? { roots, recent } : undefined
}
