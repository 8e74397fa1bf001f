import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { NodeType } from '@figbase/proto/catalog'
import type { Story } from '@figbase/proto/stories'
import type { Input } from '../../endpoint.js'
import { mayBeShortId, revisionId } from '../../http/short-id.js'

/** Of the address of a revision. */
export const addressCharsMax = 500

/** A figure, and one of its revisions. */
export type Told = { revisionId: string; name: string }

/** The newest revisions of the figures of a workspace that were active last; without it, of all workspaces of the reader. */
export async function recentFigures(input: Input, workspaceId: string): Promise<Told[]> {
  const { services, call, cfg } = input
  const request = { workspaceId, type: NodeType.FIGURE, newestRevisions: 1 }
  return toldOf(
    (await services.catalog.listRecent({ ...request, pageSize: cfg.pageItemsMax }, call)).nodes,
  )
}

/** The newest revision of each figure that has one. */
export const toldOf = (figures: { name: string; newestRevisionIds: string[] }[]): Told[] =>
  figures.flatMap(({ name, newestRevisionIds: [revisionId] }) =>
    revisionId ? [{ revisionId, name }] : [],
  )

/** The revisions that a story tells, as far as the reader may view them. */
export async function toldFigures({ services, call }: Input, story: Story): Promise<Told[]> {
  const nodes = story.revisions.flatMap(({ node }) => node ?? [])
  if (nodes.length === 0) return []
  const ids = nodes.map(({ parentId }) => parentId)
  const figures = await services.catalog.resolveNodes({ ids }, call)
  const names = new Map(figures.nodes.map(({ id, name }) => [id, name]))
  return nodes.map(({ id, parentId }) => ({ revisionId: id, name: names.get(parentId) ?? id }))
}

/** The id of a revision in what a person pastes: the address of its page, its id or its short id. */
export async function revisionIn(input: Input, text: string): Promise<string> {
  const [id = ''] = /[\w-]+(?=\/?(?:[?#].*)?$)/.exec(text.trim().slice(0, addressCharsMax)) ?? []
  if (!isUuid(id) && !mayBeShortId(id)) throw invalid('revision_id', 'is not that of a revision')
  return revisionId(input, id)
}
