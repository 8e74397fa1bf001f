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
import { supports, type Version } from '../../versions.js'
import type { Document } from '../document.js'
import { fullAssetRevision, fullFigureRevision } from './full-revision.js'

/** The differences between figure and asset revisions, which share all routes. */
export type RevisionKind = {
  segment: 'revision' | 'asset_revision'
  type: NodeType
  parent: { member: 'figure' | 'asset' | 'analysis'; type: NodeType }
  /** Whether the client may choose the id of a new revision. */
  hasClientId(version: Version): boolean
  hasShortId: boolean
  /** Whether links to assets are written with these revisions. */
  hasLinks: boolean
  /** The list form. */
  listed(revision: Revision, version: Version): unknown
  listedSchema: z.ZodType
  full(input: Input, revision: Revision): Promise<Document>
  fullSchema: z.ZodType
}

export const figureRevisions: RevisionKind = {
  segment: 'revision',
  type: NodeType.FIGURE_REVISION,
  parent: { member: 'figure', type: NodeType.FIGURE },
  hasClientId: (version) => supports(version, 'clientId'),
  hasShortId: true,
  hasLinks: true,
  listed: figureRevisionInList,
  listedSchema: figureRevisionInListSchema,
  full: fullFigureRevision,
  fullSchema: figureRevisionSchema,
}

/** Revisions created in an analysis; a background task assigns them to a figure. */
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
