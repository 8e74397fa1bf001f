import type { CallOptions } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { actAs, user } from '@figbase/kit/rpc'
import { type Node, NodeType } from '@figbase/proto/catalog'
import { RevisionState } from '@figbase/proto/stories'
import type { Ctx } from './context.js'
import type { Opened } from './domain/opened.js'

/** What the caller may know about the revisions that a story tells. */
export type Told = {
  /** Whether catalog was asked about it. */
  has(id: string): boolean
  stateOf(id: string): RevisionState
  nodeOf(id: string): Node | undefined
}

/** As if no revision may be viewed. */
export const nothingTold: Told = {
  has: () => false,
  stateOf: () => RevisionState.DELETED,
  nodeOf: () => undefined,
}

/**
 * What a reader sees of a story: what they may view, and what was opened to its readers. A revision stays open as long
 * as the user who opened it may view it.
 */
export async function resolveShown(
  ctx: Pick<Ctx, 'catalog'>,
  told: Told,
  opened: Opened,
  { signal }: CallOptions,
): Promise<Told> {
  const openers = new Map<string, string[]>()
  for (const [id, by] of Object.entries(opened)) {
    if (told.stateOf(id) !== RevisionState.HIDDEN) continue
    openers.set(by, [...(openers.get(by) ?? []), id])
  }
  const shown = new Map<string, Node>()
  for (const [by, ids] of openers) {
    const request = { ids, type: NodeType.FIGURE_REVISION, withoutLinks: true }
    const asOpener = { ...actAs(user(by)), ...(signal && { signal }) }
    const { nodes } = await ctx.catalog.resolveNodes(request, asOpener)
    for (const node of nodes) shown.set(node.id, node)
  }
  return {
    has: told.has,
    nodeOf: (id) => told.nodeOf(id) ?? shown.get(id),
    stateOf: (id) => (shown.has(id) ? RevisionState.OPENED : told.stateOf(id)),
  }
}

/** Asks catalog about revisions with one call; at most STORY_REVISIONS_MAX. */
export async function resolveTold(
  ctx: Pick<Ctx, 'catalog'>,
  ids: string[],
  as: CallOptions,
): Promise<Told> {
  if (ids.length === 0) return nothingTold
  const request = { ids, type: NodeType.FIGURE_REVISION }
  const { nodes, hiddenIds } = await ctx.catalog.resolveNodes(request, as)
  const visible = new Map(nodes.map((node) => [node.id, node]))
  const hidden = new Set(hiddenIds)
  const asked = new Set(ids)
  return {
    has: (id) => asked.has(id),
    nodeOf: (id) => visible.get(id),
    stateOf(id) {
      if (visible.has(id)) return RevisionState.VISIBLE
      return hidden.has(id) ? RevisionState.HIDDEN : RevisionState.DELETED
    },
  }
}

export const isVisible = (id: string, told: Told): boolean =>
  told.stateOf(id) === RevisionState.VISIBLE

/** Does not tell whether the revision exists. `field` is the member of the request that names it. */
export const notVisible = (field: string) =>
  invalid(field, 'does not exist, or you may not view it')
