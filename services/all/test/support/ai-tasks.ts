import { inDatabase } from './in-database.js'
import { until } from './launched.js'

/**
 * When the process was killed: how many requests the model had got, how many answers were stored for tasks, and how many
 * requests were paid.
 */
export type Progress = { asked: number; kept: number; paid: number }

const steps = `select (select count(*) from ai_answer where scope <> '')::int as kept,
                      (select coalesce(sum(requests), 0) from ai_usage)::int as paid`
const running = `select from job where name in ('generate-story', 'refine-story', 'reply-to-comment')`
const leftBehind = `
  select (select count(*) from story_generation) + (select count(*) from ai_reply)
       + (select count(*) from story where generation_status is not null) as count`

/** Deletes the answers that were stored for earlier tasks, and what they cost. */
export const deleteAnswers = (dataDir: string): Promise<unknown> =>
  inDatabase(dataDir, 'stories-ai', (client) =>
    client.query('truncate ai_answer, ai_request, ai_usage, ai_quota'),
  )

/** Reads the database of a process that was killed. */
export const progressOf = (dataDir: string, asked: number): Promise<Progress> =>
  inDatabase(dataDir, 'stories-ai', async (client) => {
    const { rows } = await client.query<Omit<Progress, 'asked'>>(steps)
    return { asked, kept: 0, paid: 0, ...rows[0] }
  })

/** Waits until no task is left, and until nothing is left behind. */
export async function tasksEnd(dataDir: string): Promise<void> {
  await inDatabase(dataDir, 'stories-ai', async (client) => {
    await until(async () => (await client.query(running)).rowCount === 0, 'the tasks to end')
    const countLeft = async () => (await client.query<{ count: string }>(leftBehind)).rows[0]?.count
    await until(async () => Number(await countLeft()) === 0, 'no story or reply to wait for a task')
  })
}
