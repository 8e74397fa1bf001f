import { type Node, NodeType } from '@figbase/proto/catalog'
import type { SearchResult } from '@figbase/proto/search'
import type { Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { assetRevisionInList } from '../../shapes/asset-revision.js'
import {
  shallowAnalysis,
  shallowAsset,
  shallowFigure,
  shallowWorkspace,
} from '../../shapes/containers.js'
import { figureRevisionInList } from '../../shapes/figure-revision.js'
import { shallowStory } from '../../shapes/story.js'
import type { Version } from '../../versions.js'

type Shape = (node: Node, version: Version) => unknown

const shapes: Partial<Record<NodeType, Shape>> = {
  [NodeType.WORKSPACE]: shallowWorkspace,
  [NodeType.ANALYSIS]: shallowAnalysis,
  [NodeType.FIGURE]: shallowFigure,
  [NodeType.ASSET]: shallowAsset,
  [NodeType.STORY]: shallowStory,
}

/** The shallow documents of found objects. Revisions are read with one call. */
export async function entitiesOf(
  { services, call, version }: Input,
  results: SearchResult[],
): Promise<(result: SearchResult) => unknown> {
  const nodes = results.map(({ node }) => required(node))
  const ofRevisions = nodes.filter(({ type }) => !shapes[type])
  const request = { nodes: ofRevisions, withoutThumbnail: true }
  const { revisions } =
    ofRevisions.length > 0
      ? await services.revisions.readSummaries(request, call)
      : { revisions: [] }
  const byId = new Map(revisions.map((revision) => [revision.id, revision]))
  return ({ node }) => {
    const { id, type } = required(node)
    const shape = shapes[type]
    if (shape) return shape(required(node), version)
    const revision = required(byId.get(id))
    return type === NodeType.FIGURE_REVISION
      ? figureRevisionInList(revision, version)
      : assetRevisionInList(revision, version)
  }
}
