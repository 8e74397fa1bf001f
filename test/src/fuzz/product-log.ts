import { readFileSync } from 'node:fs'

/** The errors in the log of the product: entries of that level, and what Node.js prints about uncaught errors. */
export function errorsInLog(): string[] {
  const file = process.env.FIGBASE_TEST_LOG
  if (!file) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.filter((line) =>
    line.startsWith('{')
      ? /"level":"(error|fatal)"/.test(line)
      : /^\w*Error\b|Unhandled|Uncaught/i.test(line),
  )
}
