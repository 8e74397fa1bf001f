import { type Executor, statement } from '../db/statement.js'

/** One page of a list. `nextPageToken` continues after it, also after the last page. */
type Page = { ids: string[]; nextPageToken: string; hasMore: boolean }

const readToken = statement<{ page_token: string }>('select page_token from purge_progress')

const saveToken = statement<never>(`
  insert into purge_progress (page_token) values ($1)
  on conflict (is_only) do update set page_token = excluded.page_token`)

/**
 * Calls `work` for each page that was added since the last run. The table `purge_progress` of the service keeps the
 * token of the next page, empty at first. `work` is idempotent: after a crash it gets the same page again.
 */
export async function resumePages(
  db: Executor,
  list: (pageToken: string) => Promise<Page>,
  work: (ids: string[]) => Promise<void>,
): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const pageToken = (await readToken(db))[0]?.page_token ?? ''
    const page = await list(pageToken)
    if (page.ids.length > 0) await work(page.ids)
    await saveToken(db, page.nextPageToken)
    hasMore = page.hasMore
  }
}
