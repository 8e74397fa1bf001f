import { type Executor, statement } from '@figbase/kit'

const read = statement<{ page_token: string }>('select page_token from purge_progress')

/** Catalog's page token for the deletions that come next; empty at first. */
export async function readProgress(db: Executor): Promise<string> {
  return (await read(db))[0]?.page_token ?? ''
}

const saved = statement<never>(`
  insert into purge_progress (page_token) values ($1)
  on conflict (is_only) do update set page_token = excluded.page_token`)

export async function saveProgress(db: Executor, pageToken: string): Promise<void> {
  await saved(db, pageToken)
}
