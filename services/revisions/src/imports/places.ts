import { create } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAs, user } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { PrincipalSchema } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import type { GitRepositoryRow, GitSlotRow } from '../db/schema.js'
import { importSourceOf } from '../domain/git-objects.js'
import type { Step } from '../domain/git-plan.js'
import type { SlotKind } from '../domain/git-slots.js'
import { moveSlot, saveSlot, setContent, setCreated } from '../queries/git-slots.js'
import { asOwner } from './open-remote.js'
import { describe, type Provenance } from './provenance.js'

const nodeTypes: Record<SlotKind, NodeType> = {
  analysis: NodeType.ANALYSIS,
  figure: NodeType.FIGURE,
  asset: NodeType.ASSET,
}

export type Places = {
  /** The slot of a step at its place, with its node. */
  slotOf(step: Step<GitSlotRow>, signal: AbortSignal): Promise<GitSlotRow>
}

type Options = {
  provenance: Provenance
  target: { workspaceId: string }
  slots: GitSlotRow[]
  /** The name of the analysis of files outside of folders; undefined: there is one analysis for all. */
  rootAnalysis: string | undefined
}

export function createPlaces(
  ctx: Ctx,
  { provenance, target: { workspaceId }, slots, rootAnalysis }: Options,
): Places {
  const { importId, row, head } = provenance
  const analyses = new Map(slots.filter(({ kind }) => kind === 'analysis').map((s) => [s.path, s]))

  async function analysisOf(folder: string | undefined, signal: AbortSignal): Promise<string> {
    if (folder === undefined) return row.target_id
    const known = analyses.get(folder)
    if (known?.is_created) return known.id
    const slot = await saveSlot(ctx.db, {
      id: ctx.newId(),
      ...{ repositoryId: row.id, kind: 'analysis', path: folder },
      ...{ name: folder || (rootAnalysis ?? ''), analysisId: null },
    })
    const importSource = importSourceOf(row.url, head.id, folder)
    await createNode(ctx, row, slot, { parentId: workspaceId, importSource }, signal)
    analyses.set(folder, { ...slot, is_created: true })
    return slot.id
  }

  return {
    async slotOf(step, signal) {
      const { kind, path, name, analysis, content } = step.wanted
      const analysisId = await analysisOf(analysis, signal)
      const place = { path, name, analysisId }
      const slot =
        step.slot ??
        (await saveSlot(ctx.db, { id: ctx.newId(), repositoryId: row.id, kind, ...place }))
      if (!slot.is_created) {
        const parent =
          kind === 'asset'
            ? { parentId: workspaceId, scopeId: analysisId }
            : { parentId: analysisId }
        const { importSource } = describe(step, provenance)
        await createNode(ctx, row, { ...slot, ...place }, { ...parent, importSource }, signal)
      }
      const isMoved = step.isRenamed || slot.name !== name || slot.analysis_id !== analysisId
      if (isMoved) {
        if (slot.is_created) await updateNode(ctx, row, slot, place, signal)
        await ctx.write((db) => moveSlot(db, { id: slot.id, ...place, importId }))
      }
      // The files have the same bytes, but others may have been renamed.
      if (!step.isChanged && JSON.stringify(slot.content) !== JSON.stringify(content))
        await ctx.write((db) => setContent(db, slot.id, content))
      return { ...slot, path, name, analysis_id: analysisId, is_created: true }
    },
  }
}

type NewNode = { parentId: string; scopeId?: string; importSource: string }

/** With the id of the slot, so that it is created once. Only services may choose ids and sources. */
async function createNode(
  ctx: Ctx,
  row: GitRepositoryRow,
  { id, kind, name }: Pick<GitSlotRow, 'id' | 'kind' | 'name'>,
  place: NewNode,
  signal: AbortSignal,
) {
  const service = create(PrincipalSchema, { ...user(row.created_by), isSystem: true })
  const request = { id, type: nodeTypes[kind], name, ...place }
  try {
    await ctx.catalog.createNode(request, { ...asOwner(row, signal), ...actAs(service) })
  } catch (error) {
    if (!hasCode(error, Code.AlreadyExists)) throw error
  }
  await ctx.write((db) => setCreated(db, id))
}

/** A name or a place that a person has changed stays. */
async function updateNode(
  { catalog }: Ctx,
  row: GitRepositoryRow,
  { id, kind, name, analysis_id: analysisId }: GitSlotRow,
  to: { name: string; analysisId: string },
  signal: AbortSignal,
) {
  const type = nodeTypes[kind]
  const as = asOwner(row, signal)
  const { node } = await catalog.getNode({ id, type }, as)
  if (!node) throw new Error('catalog returned no node')
  const isThere = (kind === 'asset' ? node.scopeId : node.parentId) === analysisId
  const isOther = to.analysisId !== analysisId && isThere
  const changes = {
    ...(node.name === name && to.name !== name && { name: to.name }),
    ...(isOther && kind === 'asset' && { scopeId: to.analysisId }),
    ...(isOther && kind === 'figure' && { parentId: to.analysisId }),
  }
  if (Object.keys(changes).length > 0) await catalog.updateNode({ id, type, ...changes }, as)
}
