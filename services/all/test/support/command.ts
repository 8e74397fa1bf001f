import { mock } from 'node:test'
import { main } from '../../src/main.js'

/**
 * Runs the launcher in this process, like `start.mjs`; returns its exit code and output. Slow steps, such as starting
 * PostgreSQL, are added to `begun`.
 */
export async function runCommand(
  dataDir: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  begun: string[] = [],
) {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  const log = mock.method(console, 'log', print)
  const error = mock.method(console, 'error', print)
  try {
    const code = await main({
      args,
      env: { PATH: process.env.PATH, FIGBASE_DATA_DIR: dataDir, ...env },
      cwd: dataDir,
      root: dataDir,
      progress: (title, work) => {
        begun.push(title)
        return work()
      },
    })
    return { code, output: lines.join('\n') }
  } finally {
    log.mock.restore()
    error.mock.restore()
  }
}
