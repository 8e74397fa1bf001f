import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, InstanceEventRow, Tx } from '../db/schema.js'

type NewEvent = Pick<InstanceEventRow, 'instance_id' | 'kind' | 'lifecycle' | 'detail' | 'actor'>

const inserted = statement<never, NewEvent>(`
  insert into instance_event (instance_id, kind, lifecycle, detail, actor)
  values (:instance_id, :kind, :lifecycle, :detail, :actor)`)

export async function insertEvent(tx: Tx, event: NewEvent): Promise<void> {
  await inserted(tx, event)
}

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
