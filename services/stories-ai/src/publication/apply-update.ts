import type { CallOptions } from '@connectrpc/connect'
import type { Node } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Content } from '../domain/content.js'
import { deleteSettled } from '../queries/updates.js'

export type UpdateApplication = {
  updateId: string
  storyId: string
  /** The version that `content` and `sizeBytes` belong to. */
  version: number
  content: Content
  sizeBytes: bigint
  silent: boolean
  /** For the activity entry; empty: none. */
  note: string
}

/** Reports a committed update to catalog. May be repeated. */
export async function applyUpdate(
  ctx: Ctx,
  { updateId, storyId, version, content, sizeBytes, silent, note }: UpdateApplication,
  as: CallOptions,
): Promise<Node> {
  const { name, description } = content
  const request = {
    updateId,
    id: storyId,
    leaves: { leaves: [] },
    contentVersion: version,
    texts: { name, ...(description !== null && { description }) },
    ownBytes: sizeBytes,
    silent,
    note,
  }
  const { node } = await ctx.catalog.activateUpdate(request, as)
  if (!node) throw new Error('catalog returned no node for an update')
  await ctx.write((db) => deleteSettled(db, [updateId]))
  return node
}
