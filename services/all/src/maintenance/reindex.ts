import { setTimeout as sleep } from 'node:timers/promises'
import { requestRebuild } from '@figbase/search'
import type { Host } from '../main.js'
import { openDatabase } from '../open-database.js'
import { readSettings } from '../settings.js'

export type ReindexOptions = { noWait: boolean }

const pollMs = 500

/** Requests a new search index, and follows its progress until it replaces the current one. */
export async function runReindex(
  { noWait }: ReindexOptions,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const settings = readSettings(host.env, host.cwd, host.root)
  await using database = await openDatabase(settings, host)
  const options = { database: await database.of('search'), env: host.env }
  await using rebuild = await requestRebuild(options)
  if (!database.isRunning) return console.log('the search index is built when Figbase starts')
  if (noWait) return console.log('the search index is being built')
  let shown = ''
  for (let state = await rebuild.read(); state !== 'finished'; state = await rebuild.read()) {
    const line =
      state === 'waiting'
        ? 'waiting for the search service'
        : `${state.objects} of about ${state.total} objects`
    if (line !== shown) console.log(line)
    shown = line
    await sleep(pollMs, undefined, { signal })
  }
  console.log('the search index was built')
}
