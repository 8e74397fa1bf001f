import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { embedFigureName, readPictureAgainName, readPictureName } from '../jobs/likeness-names.js'

export type RevisionState = {
  /** A change waits, or a job works on it, or an older version is indexed. */
  isPending: boolean
  /** Its picture or its texts could not be read. */
  hasFailed: boolean
}

type Values = { id: string; version: number; texts: number; embeds: boolean }

const names = [embedFigureName, readPictureName, readPictureAgainName].map(
  ({ name }) => `'${name}'`,
)

const state = statement<RevisionState, Values>(`
  select coalesce(p.version < :version::int or p.texts <> :texts::int, true)
           or coalesce((select c.priority = 0 from change c where c.id = :id::uuid), false)
           or exists (
             select from job j where j.name in (${names}) and j.key = :id::uuid::text and j.state <> 'dead'
           ) as "isPending",
         l.problem is not null
           or coalesce(:embeds::boolean and l.embedded_hash is distinct from l.passages_hash, false)
           or coalesce(l.picture <> '' and l.picture_read is distinct from l.picture, false) as "hasFailed"
    from (select :id::uuid as id) as revision
    left join place p on p.id = revision.id
    left join likeness l on l.revision_id = revision.id`)

/** `embeds`: there is a model. Uses place_pkey, likeness_pkey, change_pkey and job_key_key. */
export async function readRevisionState(db: Db, values: Values): Promise<RevisionState> {
  const [row] = await state(db, values)
  if (!row) throw new Error('no row')
  return row
}
