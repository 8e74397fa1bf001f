import type { ActivityEntry } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import { activitySchema, activityShape } from '../../shapes/activity.js'
import { unlessAway } from '../../unless-away.js'
import { isTrue } from '../members.js'
import type { Resource } from './resources.js'

/** Switches of the views of the activity log. */
export const activityFilters = {
  exclude_deleted: z.string().optional(),
  deduplicate: z.string().optional(),
}

export const filtersIn = (query: {
  exclude_deleted?: string | undefined
  deduplicate?: string | undefined
}) => ({
  excludeDeleted: isTrue(query.exclude_deleted),
  deduplicate: isTrue(query.deduplicate),
})

/** A page with how much there is: counted to a bound, and never less than what was answered. */
export const activityPageSchema = z.object({
  items: z.array(activitySchema),
  has_more: z.boolean(),
  total_count: z.int(),
  fetched_count: z.int(),
})

type Request = ReturnType<typeof filtersIn> & { offset: number; pageSize: number }

/** Full items of the log of one object, newest first. */
export async function activityPage(
  input: Pick<Input, 'services' | 'call'>,
  object: Pick<Resource, 'type'> & { id: string },
  request: Request,
) {
  const { services, call } = input
  const page = await services.catalog.listActivity({ ...object, ...request, detailed: true }, call)
  const items = await activityItems(input, page.entries)
  return {
    items,
    has_more: page.nextPageToken !== '',
    total_count: page.totalCount,
    fetched_count: items.length,
  }
}

/** Longer side of the pictures in a log. */
const sizePx = 128

/** One call for the thumbnails of all; each target's once. */
export async function activityItems(
  { services, call }: Pick<Input, 'services' | 'call'>,
  entries: ActivityEntry[],
) {
  const groups = new Map<string, string[]>()
  for (const { targetId, newestRevisionIds } of entries) {
    if (newestRevisionIds.length > 0) groups.set(targetId, newestRevisionIds)
  }
  const pngs = new Map<string, Uint8Array>()
  if (groups.size > 0) {
    const request = { groups: [...groups.values()].map((revisionIds) => ({ revisionIds })), sizePx }
    const answer = await unlessAway(services.revisions.readThumbnails(request, call))
    for (const [i, id] of [...groups.keys()].entries()) pngs.set(id, answer?.pngs[i] ?? none)
  }
  return entries.map((entry) => activityShape(entry, pngs.get(entry.targetId) ?? none))
}

const none = new Uint8Array()
