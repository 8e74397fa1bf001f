import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import type { ActivityEntry } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { DigestPlaces } from '../domain/notification-settings.js'
import type { Notice } from '../mail/notice.js'
import { type Described, kinds, readNames } from './describe.js'
import { placesOf } from './digest-places.js'
import { listViewed } from './viewed.js'

type ActivityCtx = Pick<Ctx, 'catalog' | 'identity' | 'cfg'>

const callTimeoutMs = 10_000
/** Of each place. */
const objectsMax = 100

/**
 * What others did in the chosen places since a time, as the person may see it: of each object that is not deleted, the
 * newest entry of the activity log; newest first. Leaves out places and objects that the person may not view any more:
 * the log of a place keeps the entries of what was moved to another one.
 */
export async function readActivity(
  ctx: ActivityCtx,
  username: string,
  chosen: DigestPlaces,
  since: Date,
  signal: AbortSignal,
): Promise<Described[]> {
  const options = { signal, timeoutMs: callTimeoutMs }
  const call = { ...actAs(user(username)), ...options }
  const all: ActivityEntry[] = []
  for (const place of placesOf(chosen)) {
    const request = { ...place, pageSize: objectsMax, excludeDeleted: true, deduplicate: true }
    const page = await ctx.catalog.listActivity(request, call).catch((error: unknown) => {
      if (hasCode(error, Code.NotFound) || hasCode(error, Code.PermissionDenied)) return undefined
      throw error
    })
    const isNew = (entry: ActivityEntry) =>
      timeOf(entry) > since.getTime() && entry.actor !== username
    all.push(...(page?.entries.filter(isNew) ?? []))
  }
  const newest = newestOfEach(all)
  const ids = newest.map(({ targetId }) => targetId)
  const viewed = await listViewed(ctx, username, ids, { ...actAsSystem(), ...options })
  const entries = newest.filter(({ targetId }) => viewed.has(targetId))
  const names = await readNames(
    ctx,
    entries.map(({ actor }) => actor),
    signal,
  )
  return entries.flatMap((entry) => {
    const notice = noticeOf(ctx, entry, names)
    return notice ? { ...notice, id: entry.id, objectId: entry.targetId } : []
  })
}

const timeOf = ({ at }: ActivityEntry) => (at ? timestampDate(at).getTime() : 0)

/** Newest first. An object may be in several places. */
function newestOfEach(entries: ActivityEntry[]): ActivityEntry[] {
  const newest = new Map<string, ActivityEntry>()
  for (const entry of entries.toSorted((a, b) => timeOf(b) - timeOf(a)))
    if (!newest.has(entry.targetId)) newest.set(entry.targetId, entry)
  return [...newest.values()]
}

function noticeOf(
  { cfg }: ActivityCtx,
  { targetId, targetType, targetName: name, actor, action }: ActivityEntry,
  names: Map<string, string>,
): Notice | undefined {
  const kind = kinds[targetType]
  if (!kind) return undefined
  return {
    ...{ kind: 'activity', action, name, text: '', noun: name === '' ? 'unnamed' : kind.noun },
    actor: names.get(actor.toLowerCase()) ?? actor,
    url: `${cfg.baseUrl}/${kind.path}/${targetId}`,
  }
}
