import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toIso } from '@figbase/kit/db'
import type { OnBehalf } from '@figbase/proto/catalog'
import { z } from 'zod'
import { addedWith, supports, type Version } from '../versions.js'

export const datetime = z.iso.datetime({ precision: 6 })
export const uuid = z.uuid()

/** A PNG; only in the detail form. */
export const thumbnailSchema = { thumbnail: z.base64().nullable() }

export const isoOrNull = (time: Timestamp | undefined): string | null => (time ? toIso(time) : null)

/** The fields of every core object. */
type Core = {
  id: string
  sizeBytes: bigint
  createdBy: string
  createdOn?: Timestamp | undefined
  updatedBy?: string | undefined
  updatedOn?: Timestamp | undefined
  childUpdatedOn?: Timestamp | undefined
  onBehalf?: OnBehalf | undefined
}

export const coreSchema = {
  api_id: uuid,
  entity_type: z.string(),
  size_bytes: z.int(),
  created_by: z.string(),
  created_on: datetime,
  updated_by: z.string().nullable(),
  updated_on: datetime.nullable(),
  last_activity_on: datetime,
  created_on_behalf: z.boolean().optional().meta(addedWith('onBehalf')),
  created_on_behalf_name: z.string().nullable().optional().meta(addedWith('onBehalf')),
  created_on_behalf_email: z.string().nullable().optional().meta(addedWith('onBehalf')),
}

/** What the core objects have in common, for the OpenAPI document. */
export const coreObjectSchema = z
  .object(coreSchema)
  .meta({ id: 'CoreObject', description: 'The members of every core object.' })

/**
 * All shapes add members with `Object.assign`: on Node.js 20, object literals with a leading spread take
 * microseconds, which was a sixth of the cost of a list response.
 */
export function coreShape(entityType: string, core: Core, version: Version) {
  const createdOn = isoOrNull(core.createdOn) ?? ''
  const updatedOn = isoOrNull(core.updatedOn)
  const shape = {
    api_id: core.id,
    entity_type: entityType,
    size_bytes: Number(core.sizeBytes),
    created_by: core.createdBy,
    created_on: createdOn,
    updated_by: core.updatedBy ?? null,
    updated_on: updatedOn,
    last_activity_on: latest(createdOn, updatedOn, isoOrNull(core.childUpdatedOn)),
  }
  if (!supports(version, 'onBehalf')) return shape
  return Object.assign(shape, {
    created_on_behalf: core.onBehalf !== undefined,
    created_on_behalf_name: core.onBehalf?.name ?? null,
    created_on_behalf_email: core.onBehalf?.email || null,
  })
}

/** All times have the same format and time zone, so they compare as text. */
function latest(first: string, ...others: (string | null)[]): string {
  let last = first
  for (const time of others) if (time !== null && time > last) last = time
  return last
}

/** Additional members of objects that can have children. */
export const childTimesSchema = {
  child_updated_by: z.string().nullable(),
  child_updated_on: datetime.nullable(),
}

export const childTimes = (core: {
  childUpdatedBy?: string | undefined
  childUpdatedOn?: Timestamp | undefined
}) => ({
  child_updated_by: core.childUpdatedBy ?? null,
  child_updated_on: isoOrNull(core.childUpdatedOn),
})

/** The origin of an imported object. */
export const importSchema = {
  is_imported: z.boolean(),
  import_source: z.string().nullable(),
  import_source_asset: uuid.nullable(),
}

const notImported = {
  is_imported: false,
  import_source: null,
  import_source_asset: null,
}

export const importOf = ({ importSource }: { importSource: string }) =>
  importSource === ''
    ? notImported
    : { is_imported: true, import_source: importSource, import_source_asset: null }
