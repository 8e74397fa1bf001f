import type { DescMessage, JsonObject } from '@bufbuild/protobuf'
import { type NamedStatement, type Statement, statement } from '../db/statement.js'
import {
  type AnyEventKind,
  type Consumer,
  checkConsumerName,
  type EventKind,
  type EventRecord,
  type ReceivedEvent,
  received,
} from './event.js'
import { type Entries, insertInboxSql, isBehindParked } from './inbox.js'

/** Maps one kind of event to the row to write; undefined: no row. */
export type BatchHandler = {
  event: AnyEventKind
  rowOf(event: EventRecord): JsonObject | undefined
}

/** A consumer that handles any number of events with one statement, including their inbox entries. */
export type BatchConsumer<Ctx> = {
  name: string
  handlers: BatchHandler[]
  /** Writes events that are not in the inbox, and adds them to it; without effect if one must wait behind others. */
  writeFresh: NamedStatement<
    { is_behind: boolean; has_also_written: boolean },
    Entries & { rows: (string | null)[] }
  >
  /** Writes events that are already in the inbox. */
  write: Statement<{ has_also_written: boolean }>
  /** Called after the commit; with whether `alsoWrites` has written rows. */
  onWritten(ctx: Ctx, hasAlsoWritten: boolean): void
}

export type BatchConsumerOptions<Ctx> = Pick<
  BatchConsumer<Ctx>,
  'name' | 'handlers' | 'onWritten'
> & {
  /** SQL that writes `collected (item, place)`: the rows of the handlers as JSON, and their order. */
  effect: string
  /** Further writes of the same statement: more of its common table expressions, and SQL for whether they write rows. */
  alsoWrites?: { expressions: string; hasRows: string }
}

export const isBatchConsumer = <Ctx>(consumer: Consumer<Ctx>): consumer is BatchConsumer<Ctx> =>
  'writeFresh' in consumer

/**
 * Defines a consumer that costs one statement per batch, for handlers that neither read nor wait. Only events that
 * failed before, or wait behind such, get a transaction of their own.
 */
export function defineBatchConsumer<Ctx>(options: BatchConsumerOptions<Ctx>): BatchConsumer<Ctx> {
  const { name, handlers, onWritten, effect, alsoWrites } = options
  checkConsumerName(name)
  const writes = `written as (
        ${effect}
      )${alsoWrites ? `, ${alsoWrites.expressions}` : ''}`
  const hasAlsoWritten = `${alsoWrites?.hasRows ?? 'false'} as has_also_written`
  return {
    name,
    handlers,
    onWritten,
    writeFresh: statement(`
      with e as (
        select * from unnest(:days::date[], :ids::uuid[], :keys::text[], :rows::json[])
               with ordinality as e (day, event_id, key, item, place)
      ), behind as materialized (
        select true as found from e where ${isBehindParked('e.key')} limit 1
      ), fresh as (
        ${insertInboxSql('not exists (select from behind)')}
      ), collected as (
        select e.item, e.place from e join fresh using (event_id) where e.item is not null
      ), ${writes}
      select exists (select from behind) as is_behind, ${hasAlsoWritten}`),
    write: statement(`
      with collected as (
        select item, place from unnest($1::json[]) with ordinality as e (item, place)
         where item is not null
      ), ${writes}
      select ${hasAlsoWritten}`),
  }
}

/** The handler of a batch consumer for one kind of event. */
export const batchHandler = <M extends DescMessage>(
  event: EventKind<M>,
  rowOf: (event: ReceivedEvent<M>) => JsonObject | undefined,
): BatchHandler => ({ event, rowOf: (record) => rowOf(received(event, record)) })
