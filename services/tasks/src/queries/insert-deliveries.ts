import type { HookEvent } from '../domain/webhook-events.js'
import type { NewNotification } from './insert-notifications.js'
import type { SharedEvent } from './live-events.js'

/** What the consumer of live events stores of an event. */
export type StoredEvent = {
  live?: SharedEvent
  hook?: HookEvent | undefined
  notifications?: NewNotification[]
}

/** SQL that puts the objects of new deliveries into the queue. A higher version keeps a sender from removing a row. */
export const queueing = (deliveries: string): string => `
  insert into webhook_queue (webhook_id, object_id)
  select distinct d.webhook_id, d.object_id from ${deliveries} d order by d.webhook_id, d.object_id
  on conflict on constraint webhook_queue_pkey do update
     set version = webhook_queue.version + 1
  returning webhook_id`

/**
 * Part of the statement that stores live events: the deliveries of each event to the active webhooks of its place, and
 * the organizations of workspaces. Events of nodes say their organization; others have that of their workspace.
 */
export const insertingDeliveries = {
  expressions: `
  hook_event as materialized (
    select e.event, e.names, e."objectId" as object_id, e.ids, e."workspaceId" as workspace_id,
           e."organizationId" as organization_id, e."isOfNode" as is_of_node, e.data, c.place
      from collected c
     cross join lateral json_to_record(c.item -> 'hook') as e (
       event text, names text[], "objectId" uuid, ids uuid[], "workspaceId" uuid,
       "organizationId" uuid, "isOfNode" boolean, data json)
     where c.item -> 'hook' is not null
  ), placed as (
    insert into workspace_place as p (workspace_id, organization_id, at)
    select n.* from (
      select distinct on (e.workspace_id) e.workspace_id, e.organization_id,
             (e.data ->> 'at')::timestamptz as at
        from hook_event e where e.is_of_node and e.workspace_id is not null
       order by e.workspace_id, at desc, e.place desc
    ) n left join workspace_place k on k.workspace_id = n.workspace_id
     where n.organization_id is distinct from k.organization_id
    on conflict on constraint workspace_place_pkey do update
       set organization_id = excluded.organization_id, at = excluded.at
     where p.at <= excluded.at
  ), delivery as (
    insert into webhook_delivery (webhook_id, event, object_id, data)
    select w.id, e.event, e.object_id, e.data
      from hook_event e cross join lateral (
        select s.id, s.events, s.object_ids, s.is_active, s.seq from webhook s
         where s.workspace_id = e.workspace_id
        union all
        select o.id, o.events, o.object_ids, o.is_active, o.seq from webhook o
         where o.organization_id = case
           when e.is_of_node then e.organization_id
           else (select p.organization_id from workspace_place p where p.workspace_id = e.workspace_id)
         end
      ) w
     where w.is_active and w.events && e.names
       and (w.object_ids = '{}' or w.object_ids && e.ids)
     order by e.place, w.seq
    returning webhook_id, object_id
  ), queued as (${queueing('delivery')}
  )`,
  hasRows: 'exists (select from queued)',
}
