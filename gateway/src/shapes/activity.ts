import type { ActivityEntry } from '@figbase/proto/catalog'
import { z } from 'zod'
import { datetime, isoOrNull, uuid } from './common.js'
import { entityTypeOf } from './entity-type.js'

/** An entry without the current state of its target. */
export const briefActivitySchema = z
  .object({
    api_id: uuid,
    username: z.string(),
    timestamp: datetime,
    action: z.string(),
    target_id: uuid,
    target_type: z.string(),
  })
  .meta({
    id: 'ActivityShallow',
    description: 'An entry of an activity log, without the present state of its target.',
  })

export const activitySchema = briefActivitySchema
  .extend({
    target_name: z.string().nullable(),
    deleted: z.boolean(),
    deleted_sentinel: z.string().nullable(),
    thumbnail: z.base64().nullable(),
    analysis_id: uuid.nullable(),
    analysis_name: z.string().nullable(),
    note: z
      .string()
      .nullable()
      .meta({ description: 'What the change did, if the action alone does not say it.' }),
    reason: z.string().nullable().meta({
      description: 'With the note `still_right`: why the stale figure is still right. Else null.',
    }),
  })
  .meta({ id: 'Activity', base: 'ActivityShallow', description: 'An entry of an activity log.' })

export const briefActivity = (entry: ActivityEntry) => ({
  api_id: entry.id,
  username: entry.actor,
  timestamp: isoOrNull(entry.at),
  action: entry.action,
  target_id: entry.targetId,
  target_type: entityTypeOf(entry.targetType),
})

export const activityShape = (entry: ActivityEntry, thumbnail: Uint8Array) =>
  Object.assign(briefActivity(entry), {
    target_name: entry.targetName || null,
    deleted: entry.targetDeleted,
    // Never null for a deleted target, even if its name is unknown.
    deleted_sentinel: entry.targetDeleted
      ? entry.targetName || entityTypeOf(entry.targetType)
      : null,
    thumbnail: thumbnail.length > 0 ? Buffer.from(thumbnail).toString('base64') : null,
    analysis_id: entry.analysisId || null,
    analysis_name: entry.analysisName || null,
    ...noteIn(entry),
  })

/** Most entries have none, and are not parsed. */
export function noteIn({ payloadJson }: ActivityEntry): {
  note: string | null
  reason: string | null
} {
  if (!payloadJson.includes('"note"')) return { note: null, reason: null }
  const { note, reason } = JSON.parse(payloadJson) as { note?: unknown; reason?: unknown }
  return { note: textOrNull(note), reason: textOrNull(reason) }
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
