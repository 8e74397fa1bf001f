import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

const found = statement<{ response: string }>(`
  select response from ai_answer
   where scope = $1 and hash = $2 and created_on > now() - $3::bigint * interval '1 ms'`)

/** Uses ai_answer_pkey. */
export async function findAnswer(
  db: Db,
  scope: string,
  hash: string,
  retentionMs: number,
): Promise<string | undefined> {
  return (await found(db, scope, hash, retentionMs))[0]?.response
}

type Answer = { scope: string; hash: string; prompt: string; response: string }

const inserted = statement<never, Answer>(`
  insert into ai_answer (scope, hash, prompt, response) values (:scope, :hash, :prompt, :response)
  on conflict on constraint ai_answer_pkey do update
     set response = excluded.response, created_on = excluded.created_on`)

export async function insertAnswer(db: Db, answer: Answer): Promise<void> {
  await inserted(db, answer)
}

const removed = statement<{ hash: string }>(`
  delete from ai_answer
   where (scope, hash) in (select scope, hash from ai_answer
                            where created_on <= now() - $1::bigint * interval '1 ms' order by created_on limit $2)
  returning hash`)

/** The oldest first. Uses ai_answer_created_idx. */
export async function deleteOldAnswers(db: Db, ageMs: number, limit: number): Promise<number> {
  return (await removed(db, ageMs, limit)).length
}
