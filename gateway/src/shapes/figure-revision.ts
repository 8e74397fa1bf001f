import type { Parent } from '@figbase/proto/catalog'
import type { Revision } from '@figbase/proto/revisions'
import { z } from 'zod'
import { RawJson } from '../http/json/json-writer.js'
import type { Version } from '../versions.js'
import {
  coreSchema,
  coreShape,
  datetime,
  importOf,
  importSchema,
  isoOrNull,
  thumbnailSchema,
  uuid,
} from './common.js'
import { dataSchema } from './data.js'
import { linkSchema, linkShape } from './link.js'

/** A revision in the list of a figure. It must not have data, links or metadata: otherwise a client refuses to save it. */
export const figureRevisionInListSchema = z
  .object({
    ...coreSchema,
    ...importSchema,
    figure: uuid,
    revision_index: z.int(),
    short_id: z.string().nullable(),
    image_hash: z.string().nullable(),
    is_processing: z.boolean(),
    is_clean_room: z.boolean(),
    description: z.string().nullable(),
    description_timestamp: datetime.nullable(),
    description_author: z.string().nullable(),
  })
  .meta({
    id: 'RevisionShallow',
    base: 'CoreObject',
    description: 'A revision of a figure, without its content.',
  })

export const figureRevisionSchema = figureRevisionInListSchema
  .extend({
    ...thumbnailSchema,
    metadata: z.unknown(),
    data: z.array(dataSchema),
    assets: z.array(linkSchema),
    figure_metadata: z.object({
      api_id: uuid,
      name: z.string(),
      description: z.string().nullable(),
      analysis: uuid.nullable(),
    }),
  })
  .meta({ id: 'Revision', base: 'RevisionShallow', description: 'A revision of a figure.' })

export const figureRevisionInList = (revision: Revision, version: Version) =>
  Object.assign(coreShape('figure_revision', revision, version), importOf(revision), {
    figure: revision.parentId,
    revision_index: revision.revisionIndex,
    short_id: revision.shortId || null,
    image_hash: revision.imageHash || null,
    is_processing: revision.isProcessing,
    is_clean_room: revision.isCleanRoom,
    description: revision.description?.text ?? null,
    description_timestamp: isoOrNull(revision.description?.writtenOn),
    description_author: revision.description?.author ?? null,
  })

export const figureRevisionShape = (
  revision: Revision,
  figure: Parent | undefined,
  thumbnail: string | null,
  data: unknown[],
  version: Version,
) =>
  Object.assign(figureRevisionInList(revision, version), {
    thumbnail,
    metadata: new RawJson(revision.metadataJson || '{}'),
    data,
    assets: revision.links.map(linkShape),
    // Clients expect a string as name, even if the caller may not view the figure.
    figure_metadata: {
      api_id: revision.parentId,
      name: figure?.name ?? '',
      description: figure?.description ?? null,
      analysis: figure?.parentId ?? null,
    },
  })
