import { NodeType } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import type { z } from 'zod'
import type { Input } from '../../endpoint.js'
import {
  assetRevisionInList,
  assetRevisionInListSchema,
  assetRevisionSchema,
} from '../../shapes/asset-revision.js'
import {
  figureRevisionInList,
  figureRevisionInListSchema,
  figureRevisionSchema,
} from '../../shapes/figure-revision.js'
import { has, type Version } from '../../versions.js'
import { fullAssetRevision, fullFigureRevision } from './full-revision.js'

/** What differs between the revisions of figures and those of assets; the routes are the same. */
export type RevisionKind = {
  segment: 'revision' | 'asset_revision'
  type: NodeType
  parent: { member: 'figure' | 'asset' | 'analysis'; type: NodeType }
  /** Whether the caller may choose the id of a new one. */
  hasClientId(version: Version): boolean
  hasShortId: boolean
  /** Whether they are what links to assets are written with. */
  hasLinks: boolean
  /** As it stands in lists. */
  listed(revision: Revision, version: Version): unknown
  listedSchema: z.ZodType
  full(input: Input, revision: Revision): Promise<unknown>
  fullSchema: z.ZodType
}

export const figureRevisions: RevisionKind = {
  segment: 'revision',
  type: NodeType.FIGURE_REVISION,
  parent: { member: 'figure', type: NodeType.FIGURE },
  hasClientId: (version) => has(version, 'clientId'),
  hasShortId: true,
  hasLinks: true,
  listed: figureRevisionInList,
  listedSchema: figureRevisionInListSchema,
  full: fullFigureRevision,
  fullSchema: figureRevisionSchema,
}

/** Which figure of the analysis they belong to is found out afterwards. */
export const assignedRevisions: RevisionKind = {
  ...figureRevisions,
  parent: { member: 'analysis', type: NodeType.ANALYSIS },
}

export const assetRevisions: RevisionKind = {
  segment: 'asset_revision',
  type: NodeType.ASSET_REVISION,
  parent: { member: 'asset', type: NodeType.ASSET },
  hasClientId: () => true,
  hasShortId: false,
  hasLinks: false,
  listed: assetRevisionInList,
  listedSchema: assetRevisionInListSchema,
  full: fullAssetRevision,
  fullSchema: assetRevisionSchema,
}

export const revisionKinds: RevisionKind[] = [figureRevisions, assetRevisions]
