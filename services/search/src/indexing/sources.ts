import { actAsSystem } from '@figbase/kit/rpc'
import { type Node, NodeType, type PlacedNode } from '@figbase/proto/catalog'
import type { ReadTextsResponse, Revision } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'

/** What the other services know of objects, by id. */
export type Sources = {
  nodes: Map<string, PlacedNode>
  /** The figures of the figure revisions. */
  parents: Map<string, Node>
  revisions: Map<string, Revision>
  texts: Map<string, ReadTextsResponse[]>
  comments: Map<string, string>
  /** The texts of stories. */
  stories: Map<string, string>
}

const revisionTypes = [NodeType.FIGURE_REVISION, NodeType.ASSET_REVISION]
const commentedTypes = [...revisionTypes, NodeType.FIGURE, NodeType.ASSET]

type Peers = Pick<Ctx, 'catalog' | 'revisions' | 'comments' | 'stories'>

/** Reads objects of any type with one call to each service. Unknown and purged objects are missing. */
export async function readSources(
  peers: Peers,
  ids: string[],
  signal: AbortSignal,
): Promise<Sources> {
  const asSystem = { ...actAsSystem(), signal }
  const placed = await peers.catalog.readPlaces({ ids }, asSystem)
  const nodes = new Map(placed.nodes.map((one) => [one.node?.id ?? '', one]))
  const sources: Sources = {
    nodes,
    parents: new Map(),
    revisions: new Map(),
    texts: new Map(),
    comments: new Map(),
    stories: new Map(),
  }
  const idsOf = (types: NodeType[]) =>
    [...nodes].flatMap(([id, { node }]) => (node && types.includes(node.type) ? id : []))
  const revisionIds = idsOf(revisionTypes)
  const targetIds = idsOf(commentedTypes)
  const storyIds = idsOf([NodeType.STORY])
  const readParents = async () => {
    const figureIds = idsOf([NodeType.FIGURE_REVISION]).map((id) => nodes.get(id)?.lineage.at(-2))
    const parents = await peers.catalog.readPlaces(
      { ids: [...new Set(figureIds.flatMap((id) => id ?? []))] },
      asSystem,
    )
    for (const { node } of parents.nodes) if (node) sources.parents.set(node.id, node)
  }
  const readRevisions = async () => {
    for await (const { revision } of peers.revisions.readContents({ revisionIds }, asSystem))
      if (revision) sources.revisions.set(revision.id, revision)
  }
  const readTexts = async () => {
    for await (const text of peers.revisions.readTexts({ revisionIds }, asSystem)) {
      const texts = sources.texts.get(text.revisionId)
      if (texts) texts.push(text)
      else sources.texts.set(text.revisionId, [text])
    }
  }
  const readComments = async () => {
    for await (const { targetId, text } of peers.comments.readTexts({ targetIds }, asSystem))
      sources.comments.set(targetId, text)
  }
  const readStories = async () => {
    for await (const { storyId, text } of peers.stories.readTexts({ storyIds }, asSystem))
      sources.stories.set(storyId, text)
  }
  await Promise.all([
    ...(revisionIds.length > 0 ? [readParents(), readRevisions(), readTexts()] : []),
    ...(targetIds.length > 0 ? [readComments()] : []),
    ...(storyIds.length > 0 ? [readStories()] : []),
  ])
  return sources
}
