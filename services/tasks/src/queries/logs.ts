import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'

export type LogRow = { seq: bigint; created_on: string; line: string }

const inserted = statement(`
  insert into task_log (task_id, at, line)
  select $1, coalesce(l.at, now()), l.line
    from unnest($2::timestamptz[], $3::text[]) with ordinality as l (at, line, place)
   order by l.place`)

/** Appends the lines in order; a null time means now. */
export async function appendLogs(
  tx: Tx,
  taskId: string,
  lines: { at: string | null; line: string }[],
): Promise<void> {
  const times = lines.map(({ at }) => at)
  const texts = lines.map(({ line }) => line)
  await inserted(tx, taskId, times, texts)
}

type Bounds = { linesMax: number; bytesMax: number; dropped: number }

const trimmed = statement<never, Bounds & { taskId: string }>(`
  with sized as (
    select seq, row_number() over newest as place, sum(octet_length(line)) over newest as bytes
      from task_log where task_id = :taskId window newest as (order by seq desc)
  ), gone as (
    delete from task_log l using sized s
     where l.task_id = :taskId and l.seq = s.seq and (s.place > :linesMax::int or s.bytes > :bytesMax::bigint)
    returning l.seq
  )
  update task set logs_dropped = logs_dropped + :dropped::int + (select count(*) from gone)
   where id = :taskId and (:dropped::int > 0 or exists (select from gone))`)

/** Keeps the newest lines; adds the number of deleted lines and `dropped` to the count of the task. */
export async function trimLogs(tx: Tx, taskId: string, bounds: Bounds): Promise<void> {
  await trimmed(tx, { ...bounds, taskId })
}

const page = statement<LogRow>(`
  select l.seq, l.at as created_on, l.line from task_log l
   where l.task_id = $1 and l.seq > $2::bigint order by l.seq limit $3`)

/** Oldest first, by task_log_pkey. */
export function listLogs(db: Db, taskId: string, limit: number, after = '0'): Promise<LogRow[]> {
  return page(db, taskId, after, limit)
}
