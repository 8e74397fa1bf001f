import { NodeType } from '@figbase/proto/catalog'
import type { MessageKey } from '../texts/texts.js'

/** The kinds of objects: the first part of the address of their pages, and their names. */
export type Kind = { type: NodeType; segment: string; name: MessageKey; names: MessageKey }

export const kinds = {
  organization: {
    type: NodeType.ORGANIZATION,
    segment: 'organization',
    name: 'kind.organization',
    names: 'list.organizations',
  },
  workspace: {
    type: NodeType.WORKSPACE,
    segment: 'workspace',
    name: 'kind.workspace',
    names: 'list.workspaces',
  },
  analysis: {
    type: NodeType.ANALYSIS,
    segment: 'analysis',
    name: 'kind.analysis',
    names: 'list.analyses',
  },
  figure: { type: NodeType.FIGURE, segment: 'figure', name: 'kind.figure', names: 'list.figures' },
  asset: { type: NodeType.ASSET, segment: 'asset', name: 'kind.asset', names: 'list.assets' },
  story: { type: NodeType.STORY, segment: 'story', name: 'kind.story', names: 'list.stories' },
  figureRevision: {
    type: NodeType.FIGURE_REVISION,
    segment: 'revision',
    name: 'kind.revision',
    names: 'list.revisions',
  },
  assetRevision: {
    type: NodeType.ASSET_REVISION,
    segment: 'asset_revision',
    name: 'kind.revision',
    names: 'list.revisions',
  },
} satisfies Record<string, Kind>

const byType = new Map<NodeType, Kind>(Object.values(kinds).map((kind) => [kind.type, kind]))

export function kindOf(type: NodeType): Kind {
  const kind = byType.get(type)
  if (!kind) throw new Error(`no page for the type ${NodeType[type]}`)
  return kind
}

/** The address of the page of an object. */
export const pagePath = ({ id, type }: { id: string; type: NodeType }): string =>
  `/${kindOf(type).segment}/${id}/`
