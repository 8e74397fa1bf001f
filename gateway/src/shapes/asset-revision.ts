import type { Revision } from '@figbase/proto/revisions'
import { z } from 'zod'
import { RawJson } from '../http/json/json-writer.js'
import type { Version } from '../versions.js'
import { coreSchema, coreShape, thumbnailSchema, uuid } from './common.js'
import { dataSchema } from './data.js'
import { linkSchema } from './link.js'

/** A revision in the list of an asset: without its content. */
export const assetRevisionInListSchema = z
  .object({
    ...coreSchema,
    asset: uuid,
    revision_index: z.int(),
    data_hash: z.string().length(64).nullable(),
    is_processing: z.boolean(),
  })
  .meta({
    id: 'AssetRevisionShallow',
    base: 'CoreObject',
    description: 'A revision of an asset, without its content.',
  })

export const assetRevisionSchema = assetRevisionInListSchema
  .extend({
    ...thumbnailSchema,
    metadata: z.unknown(),
    data: z.array(dataSchema),
    figure_revisions: z.array(linkSchema),
  })
  .meta({
    id: 'AssetRevision',
    base: 'AssetRevisionShallow',
    description: 'A revision of an asset.',
  })

export const assetRevisionInList = (revision: Revision, version: Version) =>
  Object.assign(coreShape('asset_revision', revision, version), {
    asset: revision.parentId,
    revision_index: revision.revisionIndex,
    data_hash: revision.dataHash || null,
    is_processing: revision.isProcessing,
  })

export const assetRevisionShape = (
  revision: Revision,
  thumbnail: string | null,
  data: unknown[],
  figureRevisions: unknown,
  version: Version,
) =>
  Object.assign(assetRevisionInList(revision, version), {
    thumbnail,
    metadata: new RawJson(revision.metadataJson || '{}'),
    data,
    figure_revisions: figureRevisions,
  })
