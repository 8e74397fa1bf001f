import type { AnyEventKind } from './event.js'

/** SQL for each part of an event: `:eventId`, `m.name`. Null leaves a member of the payload out. */
export type PublishingSql = {
  /** A new UUIDv7. */
  id: string
  key: string
  actor: string
  requestId: string
  payload: Record<string, string>
  /** What follows `from`: an event is published for each of its rows. */
  from: string
}

/**
 * The insert that publishes, for a `statement` that writes what happened; `publish` is for all else.
 * Enums are written as their names, times as `isoTime` makes them.
 */
export function publishing(
  { name, schema }: AnyEventKind,
  { id, key, actor, requestId, payload, from }: PublishingSql,
): string {
  const members = Object.entries(payload).map(([member, value]) => {
    if (!schema.fields.some((field: { jsonName: string }) => field.jsonName === member)) {
      throw new Error(`${schema.typeName} has no ${member}`)
    }
    return `'${member}', ${value}`
  })
  return `
    insert into outbox (message)
    select json_strip_nulls(json_build_object(
             'id', ${id}::uuid, 'name', '${name}', 'key', ${key}::text, 'actor', ${actor}::text,
             'requestId', ${requestId}::text, 'traceparent', $traceparent::text,
             'payload', json_build_object(${members.join(', ')})))
      from ${from}`
}

/** A `timestamptz` as messages read it from JSON. */
export const isoTime = (value: string): string =>
  `to_char(${value} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
