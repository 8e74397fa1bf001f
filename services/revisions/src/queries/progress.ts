import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { extractText, processRevision, rerender } from '../job-names.js'

/** Whether a picture, hashes or texts will change, and how many data objects have text. */
export type Progress = { isPending: boolean; texts: number }

const names = [processRevision, rerender, extractText].map(({ name }) => `'${name}'`)

const progress = statement<Progress>(`
  select exists (
           select from job
            where name in (${names}) and key = $1::uuid::text and state <> 'dead'
         ) as "isPending",
         (select count(*)::int from extracted_text t join external_data d on d.id = t.data_id
           where t.revision_id = $1::uuid and d.position is not null) as texts`)

/** By job_key_key, extracted_text_revision_idx and external_data_pkey. */
export async function readProgress(db: Db, revisionId: string): Promise<Progress> {
  const [row] = await progress(db, revisionId)
  if (!row) throw new Error('no row')
  return row
}
