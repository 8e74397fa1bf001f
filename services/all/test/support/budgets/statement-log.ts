import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type EmbeddedPostgres, startPostgres } from '../../../src/postgres/embedded.js'

/** An entry of PostgreSQL's log with `log_statement = all`, including BEGIN and COMMIT. */
export type Statement = { application: string; text: string }

export type LoggedPostgres = EmbeddedPostgres & {
  /** What was logged since the last call. */
  read(): Promise<Statement[]>
}

const settings = {
  log_statement: 'all',
  log_line_prefix: '%m|%a|',
  fsync: 'off',
  synchronous_commit: 'off',
}
const entryStart = /^(?=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/m
const entry = /^[^|]+\|([^|]*)\|LOG: {2}(?:statement|execute [^:]*): ([\s\S]*)$/

/** A server that logs each statement; statements of the application `ignored` are skipped. */
export async function startLoggedPostgres(
  dataDir: string,
  ignored: string,
): Promise<LoggedPostgres> {
  const postgres = await startPostgres({ dataDir, settings })
  const log = join(dataDir, 'postgres.log')
  let position = 0
  return {
    ...postgres,
    async read() {
      const bytes = (await readFile(log)).subarray(position)
      position += bytes.length
      return bytes
        .toString()
        .split(entryStart)
        .flatMap((text) => {
          const [, application = '', statement] = entry.exec(text) ?? []
          if (statement === undefined || application === ignored) return []
          return [{ application, text: statement }]
        })
    },
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  }
}

/** Describes a statement in one line. */
export const line = ({ application, text }: Statement): string =>
  `    ${application}: ${text
    .replace(/-- prepared|\s+/g, ' ')
    .trim()
    .slice(0, 150)}`
