import type { AnyEventKind } from './event.js'

/** SQL expressions for the parts of an event, such as `:eventId`. Null members of the payload are omitted. */
export type PublishingSql = {
  /** A new UUIDv7. */
  id: string
  key: string
  actor: string
  requestId: string
  payload: Record<string, string>
  /** The `from` clause: one event is published per row. */
  from: string
}

/**
 * SQL that publishes events, to be part of the `statement` that writes; use `publish` elsewhere. Enums must be names
 * and times must be formatted with `isoTimeSql`.
 */
export function publishSql(
  { name, schema }: AnyEventKind,
  { id, key, actor, requestId, payload, from }: PublishingSql,
): string {
  const members = Object.entries(payload).map(([member, value]) => {
    if (!schema.fields.some((field: { jsonName: string }) => field.jsonName === member)) {
      throw new Error(`${schema.typeName} has no field ${member}`)
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

/** SQL that formats a `timestamptz` for protobuf JSON. */
export const isoTimeSql = (value: string): string =>
  `to_char(${value} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
