import { hasType } from './examined.js'

const newestOf = (column: string, max: string, since: string) => `
  (select p.id, p.created_on from place p
    where p.${column} = root.id and (root.is_recent or p.hidden_by is null) and ${hasType} ${since}
    order by p.created_on desc, p.id limit ${max})`

/** Those below several roots are found once. */
const newestBelow = (max: string, since = '') => `
  select distinct p.created_on, p.id
    from (select unnest(:roots::uuid[]) as id, false as is_recent
          union all select unnest(:recent::uuid[]), true) root
   cross join lateral (
     ${['workspace_id', 'analysis_id', 'item_id', 'id']
       .map((column) => newestOf(column, max, since))
       .join(' union all ')}) p`

/**
 * The newest `newestMax` documents that the caller may find, in this order: among the first documents of each root are
 * `newestMax` since a time, and no other is needed from before it. Of n roots, about 2 x `newestMax` + 200 x n places are
 * read, at worst 25 x `newestMax` more. Uses place_workspace_newest_idx, place_analysis_newest_idx,
 * place_item_newest_idx and place_pkey.
 */
export const newestReadable = `
  with since as materialized (
    select f.created_on from (${newestBelow(':firstMax')}) f
     order by f.created_on desc offset :newestMax - 1 limit 1
  )
  select n.created_on, n.id from (
    ${newestBelow(':newestMax', `and p.created_on >= coalesce((select created_on from since), '-infinity')`)}) n
   order by n.created_on desc, n.id limit :newestMax`
