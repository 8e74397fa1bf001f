import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../readmes/documents.js'

/** Runs files of `test/e2e` against a deployment; returns how many tests passed. */
export async function runEndToEnd(names: string[], url: string, dataDir: string): Promise<number> {
  const files = names.map((name) => join(root, 'test', 'dist', 'e2e', `${name}.test.js`))
  // Node.js runs no tests within tests, which it recognizes by this variable.
  const { NODE_TEST_CONTEXT, ...env } = process.env
  const settings = { FIGBASE_URL: url, FIGBASE_DATA_DIR: dataDir, FIGBASE_TOPOLOGY: 'kubernetes' }
  const args = ['--test', '--test-reporter=tap', ...files]
  try {
    const run = promisify(execFile)(process.execPath, args, { env: { ...env, ...settings } })
    const { stdout } = await run
    return Number(/^# pass (\d+)$/m.exec(stdout)?.[1])
  } catch (error) {
    throw new Error((error as { stdout?: string }).stdout ?? String(error))
  }
}
