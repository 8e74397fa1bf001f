import type { CallOptions } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType, type PlacedNode } from '@figbase/proto/catalog'
import type { Comment } from '@figbase/proto/comments'
import type { Recipient } from '@figbase/proto/identity/accounts'
import type { Ctx } from '../context.js'
import type { NotificationRow, TaskRow } from '../db/schema.js'
import type { NotificationKind } from '../domain/notification-settings.js'
import type { Notice, Noun } from '../mail/notice.js'
import { listOwnByIds } from '../queries/tasks.js'
import { listViewed } from './viewed.js'

type DescribeCtx = Pick<Ctx, 'db' | 'catalog' | 'comments' | 'identity' | 'cfg'>

const callTimeoutMs = 10_000

/** What mails say about notifications. */
export type Described<Kind extends Notice['kind'] = Notice['kind']> = Notice & {
  kind: Kind
  id: string
  objectId: string
}

/**
 * Reads what these notifications of one person are about. Leaves out what the person may not view at this moment, as a
 * member or by a share, and deleted objects and comments. A link does not count: it would let authors mail anybody.
 */
export async function describe(
  ctx: DescribeCtx,
  recipient: Recipient,
  rows: NotificationRow[],
  signal: AbortSignal,
): Promise<Described<NotificationKind>[]> {
  const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
  const ofTasks = rows.filter(({ kind }) => kind === 'failed_task')
  const ofNodes = rows.filter(({ kind }) => kind !== 'failed_task')
  const [tasks, nodes, comments] = await Promise.all([
    listOwnByIds(ctx.db, recipient.username, idsOf(ofTasks, 'object_id')),
    readNodes(ctx, recipient.username, idsOf(ofNodes, 'object_id'), call),
    readComments(ctx, idsOf(ofNodes, 'comment_id'), call),
  ])
  const actorOf = ({ comment_id, actor }: NotificationRow) =>
    comment_id === null ? actor : (comments.get(comment_id)?.author ?? '')
  const names = await readNames(ctx, ofNodes.map(actorOf), signal)
  const described = rows.map((row): Described<NotificationKind> | undefined => {
    if (row.kind === 'failed_task') return ofTask(row, tasks.get(row.object_id))
    const comment = row.comment_id === null ? undefined : comments.get(row.comment_id)
    if (row.comment_id !== null && comment?.targetId !== row.object_id) return undefined
    const actor = actorOf(row)
    if (row.comment_id !== null && actor.toLowerCase() === row.username) return undefined
    const object = nodes.get(row.object_id)
    if (!object) return undefined
    const anchor = comment ? `#comment-${comment.id}` : ''
    const { noun, name, path } = object
    return {
      ...{ id: row.id, objectId: row.object_id, kind: row.kind, noun, name },
      actor: names.get(actor.toLowerCase()) ?? actor,
      text: comment?.content ?? '',
      url: `${ctx.cfg.baseUrl}/${path}/${row.object_id}${anchor}`,
    }
  })
  return described.filter((one) => one !== undefined)
}

const idsOf = (rows: NotificationRow[], column: 'object_id' | 'comment_id') => [
  ...new Set(rows.flatMap((row) => row[column] ?? [])),
]

function ofTask(
  row: NotificationRow,
  task: TaskRow | undefined,
): Described<NotificationKind> | undefined {
  if (!task) return undefined
  return {
    ...{ id: row.id, objectId: row.object_id, kind: row.kind, noun: 'task', name: task.name },
    ...{ actor: '', text: task.error ?? '', url: undefined },
  }
}

/** For each type: the path of its page, its noun, and whether it has the name of its parent. */
export const kinds: Partial<Record<NodeType, { path: string; noun: Noun; isRevision?: true }>> = {
  [NodeType.ORGANIZATION]: { path: 'organization', noun: 'organization' },
  [NodeType.WORKSPACE]: { path: 'workspace', noun: 'workspace' },
  [NodeType.ANALYSIS]: { path: 'analysis', noun: 'analysis' },
  [NodeType.FIGURE]: { path: 'figure', noun: 'figure' },
  [NodeType.FIGURE_REVISION]: { path: 'r', noun: 'revision', isRevision: true },
  [NodeType.ASSET]: { path: 'asset', noun: 'asset' },
  [NodeType.ASSET_REVISION]: { path: 'asset_revision', noun: 'revision', isRevision: true },
  [NodeType.STORY]: { path: 'story', noun: 'story' },
}

type Object = { noun: Noun; name: string; path: string }

/** The objects that the person may view. A revision has the name of its figure or asset, if they may view that, too. */
async function readNodes(
  ctx: DescribeCtx,
  username: string,
  ids: string[],
  call: CallOptions,
): Promise<Map<string, Object>> {
  if (ids.length === 0) return new Map()
  const placed = await readPlaces(ctx, ids, call)
  const parentIds = [...placed.values()].flatMap(({ node }) =>
    node?.parentId && kinds[node.type]?.isRevision ? node.parentId : [],
  )
  const parents = await readPlaces(ctx, [...new Set(parentIds)], call)
  const nodeIds = [...new Set([...placed.keys(), ...parents.keys()])]
  const viewed = await listViewed(ctx, username, nodeIds, call)
  const objects = new Map<string, Object>()
  for (const [id, { node }] of placed) {
    const kind = node && kinds[node.type]
    if (!kind || !viewed.has(id)) continue
    const { path, noun, isRevision } = kind
    const named = isRevision ? parents.get(node.parentId)?.node : node
    const name = named && viewed.has(named.id) ? named.name : ''
    objects.set(id, { path, name, noun: name === '' ? 'unnamed' : noun })
  }
  return objects
}

async function readPlaces({ catalog }: DescribeCtx, ids: string[], call: CallOptions) {
  const placed = new Map<string, PlacedNode>()
  if (ids.length === 0) return placed
  const { nodes } = await catalog.readPlaces({ ids }, call)
  for (const one of nodes) if (one.node && !one.deletedRootId) placed.set(one.node.id, one)
  return placed
}

async function readComments({ comments }: DescribeCtx, ids: string[], call: CallOptions) {
  const found = new Map<string, Comment>()
  if (ids.length === 0) return found
  for await (const { comment } of comments.readComments({ ids }, call))
    if (comment) found.set(comment.id, comment)
  return found
}

/** Full names by username in lower case; users without one are left out. */
export async function readNames(
  { identity }: Pick<Ctx, 'identity'>,
  usernames: string[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const named = [...new Set(usernames.filter((username) => username !== ''))]
  if (named.length === 0) return new Map<string, string>()
  const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
  const { users } = await identity.listUsers({ usernames: named }, call)
  const full = users.map(
    ({ username, firstName, lastName }) =>
      [username.toLowerCase(), `${firstName} ${lastName}`.trim()] as const,
  )
  return new Map(full.filter(([, name]) => name !== ''))
}
