import type { ActivityEntry } from '@figbase/proto/catalog'
import { z } from 'zod'
import type { Input } from '../../endpoint.js'
import { ifAvailable } from '../../if-available.js'
import { activitySchema, activityShape } from '../../shapes/activity.js'
import { flagQuery, isTrue } from '../query-flags.js'
import type { Resource } from './resources.js'

/** Filters of the activity log. */
export const activityFilters = {
  exclude_deleted: flagQuery,
  deduplicate: flagQuery,
}

export const filtersIn = (query: {
  exclude_deleted?: string | undefined
  deduplicate?: string | undefined
}) => ({
  excludeDeleted: isTrue(query.exclude_deleted),
  deduplicate: isTrue(query.deduplicate),
})

/** A page of items. `total_count` is capped, but never below the number of items read so far. */
export const activityPageSchema = z
  .object({
    items: z.array(activitySchema),
    has_more: z.boolean(),
    total_count: z.int(),
    fetched_count: z.int(),
  })
  .meta({ id: 'ActivityPage', description: 'A page of an activity log.' })

type Request = ReturnType<typeof filtersIn> & { offset: number; pageSize: number }

/** A page of full items of the log of one object, newest first. */
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

/** Longer side of the thumbnails, in pixels. */
const sizePx = 128

/** Adds the thumbnails of all targets with one RPC. */
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
    const answer = await ifAvailable(services.revisions.readThumbnails(request, call))
    for (const [i, id] of [...groups.keys()].entries()) pngs.set(id, answer?.pngs[i] ?? none)
  }
  return entries.map((entry) => activityShape(entry, pngs.get(entry.targetId) ?? none))
}

const none = new Uint8Array()
