import { type DataObject, DataType } from '@figbase/proto/revisions'
import { z } from 'zod'
import { Base64Stream, RawJson } from '../http/json/json-writer.js'
import type { Version } from '../versions.js'
import { coreSchema, coreShape } from './common.js'

const typeNames = {
  [DataType.IMAGE]: 'image',
  [DataType.CODE]: 'code',
  [DataType.TEXT]: 'text',
  [DataType.DATAFRAME]: 'dataframe',
  [DataType.FILE]: 'file',
} as const satisfies Partial<Record<DataType, string>>

export const dataTypeNames = Object.values(typeNames)

export function dataTypeOf(word: unknown): DataType | undefined {
  const found = Object.entries(typeNames).find(([, known]) => known === word)
  return found ? (Number(found[0]) as DataType) : undefined
}

export const dataSchema = z
  .object({
    ...coreSchema,
    entity_type: z.literal('external_data'),
    name: z.string().nullable(),
    type: z.enum(['image', 'code', 'text', 'dataframe', 'file']),
    metadata: z.unknown(),
    data: z.base64().nullable(),
    hash: z.string().length(64),
    is_clean_room: z.boolean(),
    processing_error: z.string().nullable(),
  })
  .meta({ id: 'DataObject', base: 'CoreObject', description: 'A file of a revision.' })

/** `data` is null if no bytes are given. */
export const dataShape = (
  object: DataObject,
  version: Version,
  bytes?: AsyncIterable<Uint8Array>,
) =>
  Object.assign(coreShape('external_data', object, version), {
    name: object.name ?? null,
    type: object.type === DataType.UNSPECIFIED ? 'file' : typeNames[object.type],
    metadata: new RawJson(object.metadataJson || '{}'),
    data: bytes ? new Base64Stream(bytes, Number(object.sizeBytes)) : null,
    hash: object.hash,
    is_clean_room: object.isCleanRoom,
    processing_error: object.processingError ?? null,
  })
