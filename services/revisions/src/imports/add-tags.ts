import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { user, withOwnCall } from '@figbase/kit/rpc'
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
import { refusalOf } from './failures.js'
import { describe, type Provenance } from './provenance.js'
import { revisionTypeOf } from './revision-type.js'

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
    const target = {
      ...{ id: revision.id, type: revisionTypeOf(slot.kind) },
      ...{ mode: UpdateRevisionRequest_Mode.REPLACE, expectedVersion: revision.version },
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

/** False if it is refused: the user may not update it any more, or somebody has changed it meanwhile. */
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
    if (refusalOf(error) === undefined) throw error
    return false
  }
}
