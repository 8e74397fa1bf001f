import { type Cursor, statement } from '@figbase/kit/db'
import { isoTimeSql, publishSql } from '@figbase/kit/events'
import type { Db, InstanceEventRow } from '../db/schema.js'
import type { Lifecycle } from '../domain/lifecycle.js'
import { instanceChanged } from '../events.js'

/** The values of `eventAdded`. */
export type EventValues = {
  /** A UUIDv7. */
  eventId: string
  kind: string
  lifecycle: Lifecycle
  text: string
  /** Empty: Figbase itself. */
  actor: string
}

/** SQL that adds the event of `i`, an instance that was inserted or changed, and publishes it. */
export const eventAdded: string = `
  event as (
    insert into instance_event (instance_id, kind, lifecycle, detail, actor)
    select i.id, :kind, :lifecycle, :text, :actor from i
    returning kind, lifecycle, detail, actor, created_on
  ), published as (
    ${publishSql(instanceChanged, {
      id: ':eventId',
      key: 'i.id',
      actor: 'e.actor',
      requestId: "coalesce($request_id, '')",
      payload: {
        instanceId: 'i.id',
        workspaceId: 'i.workspace_id',
        name: 'i.name',
        kind: 'e.kind',
        lifecycle: "'LIFECYCLE_' || upper(e.lifecycle)",
        detail: 'left(e.detail, 1000)',
        at: isoTimeSql('e.created_on'),
      },
      from: 'i, event e',
    })}
  )`

const ofInstance = statement<
  InstanceEventRow,
  { instanceId: string; createdOn: string | undefined; seq: string | undefined; limit: number }
>(`
  select seq, instance_id, kind, lifecycle, detail, actor, created_on from instance_event
   where instance_id = :instanceId
     and (:createdOn::timestamptz is null or (created_on, seq) < (:createdOn::timestamptz, :seq::bigint))
   order by created_on desc, seq desc limit :limit`)

/** Newest first. Uses instance_event_instance_idx. */
export const listEvents = (
  db: Db,
  instanceId: string,
  limit: number,
  after: Cursor | undefined,
): Promise<InstanceEventRow[]> =>
  ofInstance(db, { instanceId, limit, createdOn: after?.createdOn, seq: after?.seq })
