import { setTimeout as sleep } from 'node:timers/promises'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { user, withOwnCall } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { CreateRevisionRequestSchema, RevisionsService, UseType } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { GitRepositoryRow, GitSlotRow } from '../db/schema.js'
import { cleanText } from '../domain/clean-text.js'
import { derivedId } from '../domain/derived-id.js'
import { objectOf } from '../domain/git-objects.js'
import type { Step } from '../domain/git-plan.js'
import { contentKey } from '../domain/git-slots.js'
import type { Repository } from '../git/repository.js'
import { setPublished } from '../queries/git-slots.js'
import { listExistingIds } from '../queries/revisions.js'
import { createRevision } from '../rpc/create-revision.js'
import { asOwner } from './open-remote.js'
import { describe, type Provenance } from './provenance.js'
import { readText } from './read-text.js'
import { revisionTypeOf } from './revision-type.js'

export type Publication = {
  slot: GitSlotRow
  step: Step<GitSlotRow>
  /** Ids of asset revisions. */
  links: string[]
  provenance: Provenance
}

/**
 * Publishes the files of a step as a revision, and returns its id. The id follows from the slot and the files, so that
 * the revision is created once, however often this is repeated.
 */
export async function publishSlot(
  ctx: Ctx,
  repository: Repository,
  { slot, step, links, provenance }: Publication,
  signal: AbortSignal,
): Promise<string> {
  const { content } = step.wanted
  const id = derivedId(slot.id, slot.revisions, contentKey(content))
  const { importId, row } = provenance
  const publication = { slot, step, links, provenance }
  try {
    await publish(ctx, repository, id, publication, signal)
  } catch (error) {
    if (!hasCode(error, Code.AlreadyExists)) throw error
    const [existing] = await listExistingIds(ctx.db, [id])
    if (existing === undefined) {
      // The process ended between the reservation and the commit.
      await ctx.catalog.abandon({ id }, asOwner(row, signal))
      await publish(ctx, repository, id, publication, signal)
    } else await untilActive(ctx, row, id, step, signal)
  }
  const { tags } = describe(step, provenance).metadata
  await ctx.write((db) => setPublished(db, slot, importId, { revisionId: id, content, tags }))
  return id
}

async function publish(
  ctx: Ctx,
  repository: Repository,
  id: string,
  { slot, step, links, provenance }: Publication,
  signal: AbortSignal,
) {
  const { row } = provenance
  const { kind, content } = step.wanted
  const isFigure = kind === 'figure'
  const { importSource, metadata } = describe(step, provenance)
  const description = isFigure ? await descriptionOf(ctx, repository, step) : ''
  const finish = {
    clientId: id,
    metadataJson: JSON.stringify({ git: metadata }),
    description,
    links: (await liveRevisions(ctx, row, links, signal)).map((assetRevisionId) => ({
      assetRevisionId,
      useType: UseType.DIRECT,
    })),
  }
  async function* parts(): AsyncGenerator<Message> {
    yield { part: { case: 'parent', value: { id: slot.id, type: revisionTypeOf(kind) } } }
    for (const file of content.files) {
      const bytes = (await repository.read(file.blob)) as AsyncIterable<Uint8Array>
      for await (const value of bytes) yield { part: { case: 'chunk', value } }
      yield { part: { case: 'objectEnd', value: objectOf(file) } }
    }
    yield { part: { case: 'finish', value: finish } }
  }
  const create = createRevision(ctx, { importSource })
  await withOwnCall(RevisionsService.method.createRevision, user(row.created_by), signal, (call) =>
    create(messagesOf(parts()), call),
  )
}

type Message = MessageInitShape<typeof CreateRevisionRequestSchema>

async function* messagesOf(parts: AsyncIterable<Message>) {
  for await (const part of parts) yield create(CreateRevisionRequestSchema, part)
}

/** That of the rules, or the text beside the picture. */
async function descriptionOf(ctx: Ctx, repository: Repository, { wanted }: Step<GitSlotRow>) {
  const { descriptionCharsMax: max } = ctx.cfg
  const { description, files } = wanted.content
  const file = files.find(({ role }) => role === 'description')
  const text = description ?? (file ? await readText(repository, file.blob, max) : '')
  return cleanText(text, max)
}

/** Those that the user may still view. */
async function liveRevisions(
  { catalog }: Ctx,
  row: GitRepositoryRow,
  ids: string[],
  signal: AbortSignal,
) {
  if (ids.length === 0) return []
  const request = { ids, type: NodeType.ASSET_REVISION }
  const { nodes } = await catalog.resolveNodes(request, asOwner(row, signal))
  return nodes.map((node) => node.id)
}

const pollMs = 200
const pollsMax = 50

/** Waits until the job of a revision that was committed has made it visible. */
async function untilActive(
  { catalog }: Ctx,
  row: GitRepositoryRow,
  id: string,
  { wanted }: Step<GitSlotRow>,
  signal: AbortSignal,
) {
  const type = revisionTypeOf(wanted.kind)
  for (let poll = 0; poll < pollsMax; poll++) {
    const { nodes } = await catalog.resolveNodes({ ids: [id], type }, asOwner(row, signal))
    if (nodes.length > 0) return
    await sleep(pollMs, undefined, { signal })
  }
  throw new Error(`the revision ${id} has not become visible`)
}
