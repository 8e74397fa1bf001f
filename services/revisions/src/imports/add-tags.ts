import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { user, withOwnCall } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import {
  RevisionsService,
  UpdateRevisionRequest_Mode,
  UpdateRevisionRequestSchema,
} from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { GitSlotRow } from '../db/schema.js'
import type { Step } from '../domain/git-plan.js'
import { withTags } from '../domain/git-tags.js'
import { setTags } from '../queries/git-slots.js'
import { listWithMetadata } from '../queries/revisions.js'
import { updateRevision } from '../rpc/update-revision.js'
import { describe, type Provenance } from './provenance.js'

type Tagged = { slot: GitSlotRow; step: Step<GitSlotRow>; provenance: Provenance }

/** Adds the tags that the commits of an unchanged slot have got since to its last revision; returns them. */
export async function addTags(
  ctx: Ctx,
  { slot, step, provenance }: Tagged,
  signal: AbortSignal,
): Promise<string[]> {
  const { tags } = describe(step, provenance).metadata
  const added = tags.filter((tag) => !slot.tags.includes(tag))
  if (added.length === 0 || slot.revision_id === null) return []
  const [revision] = await listWithMetadata(ctx.db, [slot.revision_id])
  const metadataJson = revision && withTags(revision.metadata, added)
  if (metadataJson) {
    const type = slot.kind === 'figure' ? NodeType.FIGURE_REVISION : NodeType.ASSET_REVISION
    const target = {
      ...{ id: revision.id, type, mode: UpdateRevisionRequest_Mode.REPLACE },
      expectedVersion: revision.version,
    }
    const update = { target, finish: { metadataJson, silent: true } }
    if (!(await isUpdated(ctx, provenance.row.created_by, update, signal))) return []
  }
  await ctx.write((db) => setTags(db, slot.id, [...slot.tags, ...added]))
  return added
}

type Message = MessageInitShape<typeof UpdateRevisionRequestSchema>
type Part<Case> = Extract<NonNullable<Message['part']>, { case: Case }>['value']
type Update = { target: Part<'target'>; finish: Part<'finish'> }

/** False if the user may not update it any more, or if it has been changed meanwhile. */
async function isUpdated(
  ctx: Ctx,
  username: string,
  { target, finish }: Update,
  signal: AbortSignal,
) {
  async function* messages() {
    yield create(UpdateRevisionRequestSchema, { part: { case: 'target', value: target } })
    yield create(UpdateRevisionRequestSchema, { part: { case: 'finish', value: finish } })
  }
  const { updateRevision: method } = RevisionsService.method
  try {
    await withOwnCall(method, user(username), signal, (call) =>
      updateRevision(ctx)(messages(), call),
    )
    return true
  } catch (error) {
    const codes = [Code.NotFound, Code.PermissionDenied, Code.FailedPrecondition]
    if (codes.some((code) => hasCode(error, code))) return false
    throw error
  }
}
