import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'

/** Deletes some that have expired in the same statement. */
const used = statement<{ id: string }, { id: string; expiresOn: Date }>(`
  with expired as (
    delete from used_address
     where id = any(array(select id from used_address where expires_on < now() order by expires_on limit 100
                            for update skip locked))
  )
  insert into used_address (id, expires_on) values (:id, :expiresOn::timestamptz + interval '1 hour')
  on conflict do nothing returning id`)

/** Notes that an address was used; true for the first of several calls only. Uses used_address_expires_idx. */
export const useAddress = async (db: Db, id: string, expiresOn: Date): Promise<boolean> =>
  (await used(db, { id, expiresOn })).length > 0
