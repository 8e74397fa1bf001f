import { timestampDate } from '@bufbuild/protobuf/wkt'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAs, user } from '@figbase/kit/rpc'
import { type ActivityEntry, NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Notice } from '../mail/notice.js'
import { type Described, kinds, readNames } from './describe.js'

type ActivityCtx = Pick<Ctx, 'catalog' | 'identity' | 'cfg'>

const callTimeoutMs = 10_000
/** Of each workspace. */
const objectsMax = 100

/**
 * What others did in these workspaces since a time, as the person may see it: of each object that is not deleted, the
 * newest entry of the activity log. Leaves out workspaces that the person may not view any more.
 */
export async function readActivity(
  ctx: ActivityCtx,
  username: string,
  workspaceIds: string[],
  since: Date,
  signal: AbortSignal,
): Promise<Described[]> {
  const call = { ...actAs(user(username)), signal, timeoutMs: callTimeoutMs }
  const entries: ActivityEntry[] = []
  for (const id of workspaceIds) {
    const request = { id, type: NodeType.WORKSPACE, pageSize: objectsMax }
    const page = await ctx.catalog
      .listActivity({ ...request, excludeDeleted: true, deduplicate: true }, call)
      .catch((error: unknown) => {
        if (hasCode(error, Code.NotFound) || hasCode(error, Code.PermissionDenied)) return undefined
        throw error
      })
    const isNew = ({ at, actor }: ActivityEntry) =>
      at !== undefined && timestampDate(at) > since && actor !== username
    entries.push(...(page?.entries.filter(isNew) ?? []))
  }
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
