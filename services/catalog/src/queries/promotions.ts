import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'

export type PromotionRow = {
  code: string
  seq: bigint
  plan_id: string
  created_on: string
  expires_on: string | null
  uses_max: number | null
  uses: number
}

const columns = 'c.code, c.seq, c.plan_id, c.created_on, c.expires_on, c.uses_max, c.uses'

type InsertedPromotion = {
  code: string
  planId: string
  by: string
  expiresOn: string | null
  usesMax: number | null
}

const inserted = statement<PromotionRow, InsertedPromotion>(`
  insert into promotion as c (code, plan_id, created_by, expires_on, uses_max)
  values (:code, :planId, :by, :expiresOn::timestamptz, :usesMax::int) returning ${columns}`)

export type NewPromotion = Pick<PromotionRow, 'code' | 'plan_id' | 'expires_on' | 'uses_max'>

export async function insertPromotion(
  db: Db,
  { code, plan_id: planId, expires_on: expiresOn, uses_max: usesMax }: NewPromotion,
  by: string,
): Promise<PromotionRow> {
  const [row] = await inserted(db, { code, planId, by, expiresOn, usesMax })
  if (!row) throw new Error('promotion was not inserted')
  return row
}

const page = statement<PromotionRow>(`
  select ${columns} from promotion c
   where (c.created_on, c.seq) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::bigint, 0))
   order by c.created_on, c.seq limit $1`)

export function listPromotions(db: Db, limit: number, after?: Cursor): Promise<PromotionRow[]> {
  return page(db, limit, after?.createdOn ?? null, after?.seq ?? null)
}

const removed = statement<{ code: string }>('delete from promotion where code = $1 returning code')

export async function deletePromotion(db: Db, code: string): Promise<boolean> {
  return (await removed(db, code)).length > 0
}

// A repeated use by the same workspace or organization is not counted again.
const used = statement<{ plan_id: string }>(`
  with found as materialized (
    select c.code, c.plan_id,
           exists (select from promotion_use u where u.code = c.code and u.node_id = $2::uuid) as again
      from promotion c
     where c.code = $1 and (c.expires_on is null or c.expires_on > now())
       for update
  ), counted as (
    update promotion c set uses = c.uses + 1 from found f
     where c.code = f.code and not f.again and (c.uses_max is null or c.uses < c.uses_max)
    returning c.code
  ), noted as (
    insert into promotion_use (code, node_id, used_by) select code, $2::uuid, $3 from counted
  )
  select f.plan_id from found f where f.again or exists (select from counted)`)

/** The plan of a promotion code; undefined when the code is unknown, expired or used up. */
export async function usePromotion(
  tx: Tx,
  code: string,
  nodeId: string,
  by: string,
): Promise<string | undefined> {
  return (await used(tx, code, nodeId, by))[0]?.plan_id
}
