import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { toIso } from '@figbase/kit'
import type { OnBehalf } from '@figbase/proto/catalog'
import { z } from 'zod'
import { from, has, type Version } from '../versions.js'

export const datetime = z.iso.datetime({ precision: 6 })
export const uuid = z.uuid()

/** A PNG; only the detail form has one. */
export const thumbnailSchema = { thumbnail: z.base64().nullable() }

export const isoOrNull = (time: Timestamp | undefined): string | null => (time ? toIso(time) : null)

/** What every core object has. */
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
  created_on_behalf: z.boolean().optional().meta(from('onBehalf')),
  created_on_behalf_name: z.string().nullable().optional().meta(from('onBehalf')),
  created_on_behalf_email: z.string().nullable().optional().meta(from('onBehalf')),
}

export function coreShape(entityType: string, core: Core, version: Version) {
  const createdOn = isoOrNull(core.createdOn) ?? ''
  const updatedOn = isoOrNull(core.updatedOn)
  const childUpdatedOn = isoOrNull(core.childUpdatedOn)
  const times = [createdOn, updatedOn, childUpdatedOn].filter((time) => time !== null)
  return {
    api_id: core.id,
    entity_type: entityType,
    size_bytes: Number(core.sizeBytes),
    created_by: core.createdBy,
    created_on: createdOn,
    updated_by: core.updatedBy ?? null,
    updated_on: updatedOn,
    // All are in one notation and one time zone, so text order is time order.
    last_activity_on: times.sort().at(-1) ?? createdOn,
    ...(has(version, 'onBehalf') && {
      created_on_behalf: core.onBehalf !== undefined,
      created_on_behalf_name: core.onBehalf?.name ?? null,
      created_on_behalf_email: core.onBehalf?.email || null,
    }),
  }
}

/** What those have too that can have children. */
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

/** Where an imported object came from. Nothing is imported yet. */
export const importSchema = {
  is_imported: z.boolean(),
  import_source: z.string().nullable(),
  import_source_asset: uuid.nullable(),
}

export const notImported = {
  is_imported: false,
  import_source: null,
  import_source_asset: null,
}
