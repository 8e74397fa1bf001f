import { type Executor, statement } from '@figbase/kit/db'

export type KeyedRequestRow = {
  id: string
  /** Null while the body is not received. */
  fingerprint: Buffer | null
  /** Null before the answer. */
  status: number | null
  /** JSON. */
  headers: string | null
  body: string | null
}

export type Key = { owner: string; apiKeyId: string; key: string }

type Beginning = Key & { id: string; fingerprint: Buffer | null; retentionMs: number }

/** A request older than the retention is replaced by a new one. */
const begun = statement<KeyedRequestRow, Beginning>(`
  insert into keyed_request as k (owner, api_key_id, key, id, fingerprint)
  values (:owner, :apiKeyId, :key, :id::uuid, :fingerprint)
  on conflict (owner, api_key_id, key) do update
     set (id, fingerprint, status, headers, body, begun_on) = (
       select case when is_old then excluded.id else k.id end,
              case when is_old then excluded.fingerprint
                   else coalesce(k.fingerprint, excluded.fingerprint) end,
              case when not is_old then k.status end,
              case when not is_old then k.headers end,
              case when not is_old then k.body end,
              case when is_old then excluded.begun_on else k.begun_on end
         from (select k.begun_on < now() - :retentionMs::float * interval '1 ms' as is_old) age)
  returning k.id, k.fingerprint, k.status, k.headers, k.body`)

/** The request with a key, which is created if there is none. By keyed_request_pkey. */
export async function beginKeyedRequest(db: Executor, key: Beginning): Promise<KeyedRequestRow> {
  const [row] = await begun(db, key)
  if (!row) throw new Error('beginning a keyed request returned no row')
  return row
}

type Answer = { owner: string; id: string; status: number; headers: string; body: string }

const finished = statement<KeyedRequestRow, Answer>(`
  update keyed_request k
     set headers = case when k.status is null then :headers else k.headers end,
         body = case when k.status is null then :body else k.body end,
         status = coalesce(k.status, :status::smallint)
   where k.id = :id::uuid and k.owner = :owner
  returning k.id, k.fingerprint, k.status, k.headers, k.body`)

/** Stores the answer unless there is one; undefined for an unknown request. By keyed_request_id_key. */
export async function finishKeyedRequest(
  db: Executor,
  answer: Answer,
): Promise<KeyedRequestRow | undefined> {
  return (await finished(db, answer))[0]
}

const deleted = statement<{ id: string }>(`
  delete from keyed_request k
   where k.id in (
     select o.id from keyed_request o
      where o.begun_on < now() - $1::float * interval '1 ms'
      limit $2)
  returning k.id`)

/** Deletes old requests; returns how many. By keyed_request_begun_idx. */
export const deleteKeyedRequests = async (
  db: Executor,
  olderThanMs: number,
  rowsMax: number,
): Promise<number> => (await deleted(db, olderThanMs, rowsMax)).length
