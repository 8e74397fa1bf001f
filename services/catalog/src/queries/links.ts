import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { linksAllowedSql, organizationJoin } from './node-sql.js'

const linkById = statement<{ is_allowed: boolean; is_enabled: boolean }>(`
  select ${linksAllowedSql} as is_allowed,
         exists (select from access_grant g where g.subject = '' and g.node_id = n.id and g.kind = 'link')
           as is_enabled
    from node n ${organizationJoin} where n.id = $1`)

/** Whether the node itself is shared by link, and whether its organization and the site allow links. */
export async function findLink(db: Db, id: string) {
  const [link] = await linkById(db, id)
  return link ?? { is_allowed: false, is_enabled: false }
}
