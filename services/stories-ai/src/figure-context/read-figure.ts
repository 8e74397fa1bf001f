import type { CallOptions } from '@connectrpc/connect'
import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { DataPart } from '../prompts/figure-data.js'
import { withinBudget } from './budget.js'
import { readParts } from './read-parts.js'

/** What a model gets to know of a figure revision. */
export type FigureContext = {
  revisionId: string
  workspaceId: string
  name: string
  /** PNG. */
  pictures: Uint8Array[]
  parts: DataPart[]
  /** What was left out because of its size, for users. */
  omissions: string[]
}

const type = NodeType.FIGURE_REVISION

/**
 * Reads a revision as the caller, within `tokensMax`. Whether the caller may use it with AI must have been checked.
 */
export async function readFigure(
  ctx: Ctx,
  { id, workspaceId }: { id: string; workspaceId: string },
  tokensMax: number,
  as: CallOptions,
): Promise<FigureContext> {
  const { revision } = await ctx.revisions.getRevision({ id, type }, as)
  if (!revision) throw new Error('revisions returned no revision')
  const name = revision.parent?.name ?? ''
  const sizePx = ctx.cfg.ai.pictureSizePx
  const { png } = await ctx.revisions.readThumbnail({ revisionId: id, sizePx, type }, as)
  const read = await readParts(ctx, revision, as)
  const fitted = await withinBudget([...aboutFigure(revision, name), ...read.parts], tokensMax)
  return {
    revisionId: id,
    workspaceId,
    name,
    pictures: png.length > 0 ? [png] : [],
    parts: fitted.parts,
    omissions: [...fitted.omissions, ...read.omissions],
  }
}

function aboutFigure({ metadataJson, description, revisionIndex }: Revision, name: string) {
  const lines = [`name: ${name}`, `revision: ${revisionIndex + 1}`]
  if (description) lines.push(`description: ${description.text}`)
  const about: DataPart[] = [{ kind: 'about', text: lines.join('\n') }]
  if (hasMembers(metadataJson)) about.push({ kind: 'metadata', text: metadataJson })
  return about
}

const hasMembers = (json: string) => !/^\s*(\{\s*\})?\s*$/.test(json)
