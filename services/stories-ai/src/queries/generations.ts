import { statement } from '@figbase/kit/db'
import { hasJobSql } from '@figbase/kit/jobs'
import type { Db, GenerationStatus, Tx } from '../db/schema.js'
import { generateStory, refineStory } from '../job-names.js'

const taskOf = statement<{ task_id: string }>(
  'select task_id from story_generation where story_id = $1',
)

/** The task that writes a story now. Uses story_generation_pkey. */
export async function findGeneration(db: Db, storyId: string): Promise<string | undefined> {
  return (await taskOf(db, storyId))[0]?.task_id
}

type Generation = { storyId: string; taskId: string; status: GenerationStatus }

const begun = statement<never, Generation>(`
  with made as (
    insert into story_generation (story_id, task_id) values (:storyId, :taskId)
    on conflict on constraint story_generation_pkey do update set task_id = excluded.task_id
  )
  update story set generation_status = :status where id = :storyId::uuid`)

/** Replaces the task that writes a locked story. */
export async function beginGeneration(tx: Tx, generation: Generation): Promise<void> {
  await begun(tx, generation)
}

// The story is locked first, as by whoever begins another generation.
const ended = statement<{ id: string }>(`
  with locked as materialized (
    select id from story where id = $1 for no key update
  ), gone as (
    delete from story_generation g using locked l where g.story_id = l.id and g.task_id = $2 returning g.story_id
  )
  update story s set generation_status = null from gone g where s.id = g.story_id
  returning s.id`)

/** Ends a generation; false if the story is written by another task, or by none. */
export async function endGeneration(db: Db, storyId: string, taskId: string): Promise<boolean> {
  return (await ended(db, storyId, taskId)).length > 0
}

export type RunningGeneration = { story_id: string; task_id: string; has_job: boolean }

const page = statement<RunningGeneration>(`
  select g.story_id, g.task_id, ${hasJobSql([generateStory.name, refineStory.name], 'g.task_id::text')} as has_job
    from story_generation g where g.story_id > $1 order by g.story_id limit $2`)

/** After a story. Uses story_generation_pkey and job_key_key. */
export function listGenerations(
  db: Db,
  after: string,
  limit: number,
): Promise<RunningGeneration[]> {
  return page(db, after, limit)
}
