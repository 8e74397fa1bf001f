import { join } from 'node:path'
import { createDatabase } from './database.js'
import type { Options } from './options.js'
import { startProduct } from './product.js'
import { measureKeyword } from './search-quality/keyword.js'
import { type Latency, measureSearchWords, type SearchWordsReport } from './search-speed/words.js'
import type { Progress } from './topology.js'

/** Measures the embedded engine on the PostgreSQL of a product, in databases of its own. */
export async function measureSearch(
  { searchWords, searchQuality, quick }: Pick<Options, 'searchWords' | 'searchQuality' | 'quick'>,
  scratch: string,
  progress: Progress,
): Promise<SearchWordsReport | undefined> {
  await using product = await startProduct('all-in-one', join(scratch, 'search'))
  if (searchQuality) await measureKeyword(await createDatabase(product, 'search_quality'))
  if (!searchWords) return undefined
  const databaseUrl = await createDatabase(product, 'search_words')
  const postgresCpu = () => product.trees.cpu().postgresMs
  // The product is stopped after the measurement.
  return await progress('searches of words', () =>
    measureSearchWords(quick, databaseUrl, postgresCpu),
  )
}

/** Prints the results of searches of words. */
export function printSearchWords(report: SearchWordsReport): void {
  const line = (name: string, { p50Ms, p95Ms, maxMs, postgresMs, serverMs }: Latency) =>
    console.log(
      `${name.padEnd(24)} p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms, longest ${maxMs.toFixed(0)} ms; ` +
        `CPU of PostgreSQL ${postgresMs.toFixed(1)} ms, of the server ${serverMs.toFixed(1)} ms`,
    )
  const { objects, all, any, mistyped, plain, indexedPerSecond, ratio, postgresRatio } = report
  console.log(`${objects} objects, indexed ${indexedPerSecond.toFixed(0)}/s`)
  line('all words', all)
  line('one of the words', any)
  line('one word mistyped', mistyped)
  line('plain statement', plain)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  console.log(
    `CPU time of all words / plain: ${ratio.toFixed(2)}, of PostgreSQL alone ${postgresRatio.toFixed(2)}; ` +
      `tables ${megabytes(report.tableBytes)}, indexes ${megabytes(report.indexBytes)}`,
  )
}
