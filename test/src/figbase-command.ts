import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const bundle = fileURLToPath(
  new URL('../../../gateway/cli/dist/bundle/main.js', import.meta.url),
)

export type Ended = { code: number; stdout: string; stderr: string }

export type RunOptions = { env?: Record<string, string>; input?: string }

/** The command `figbase` on a machine with a home and a folder of its own. */
export interface Machine extends AsyncDisposable {
  folder: string
  /** For `spawn`. */
  process: { cwd: string; env: Record<string, string> }
  /** The file of profiles. */
  profiles: string
  run(args: string[], options?: RunOptions): Promise<Ended>
  /** Runs it, checks the exit code, and returns its output. */
  succeed(args: string[], options?: RunOptions): Promise<string>
  /** The document of `--json`. */
  json<T>(args: string[]): Promise<T>
  /** Runs it, checks the exit code, and returns the error of `--json`. */
  failWith(code: number, args: string[]): Promise<{ error: string; status?: number }>
  /** All that was printed. */
  printed(): string
}

export async function newMachine(): Promise<Machine> {
  const home = await mkdtemp(join(tmpdir(), 'figbase-command-'))
  const { PATH = '' } = process.env
  const own = { PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config') }
  let printed = ''
  const run: Machine['run'] = (args, { env, input = '' } = {}) =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [bundle, ...args],
        { cwd: home, env: { ...own, ...env }, timeout: 60_000 },
        (error, stdout, stderr) => {
          printed += stdout + stderr
          resolve({ code: Number(error?.code ?? 0), stdout, stderr })
        },
      )
      child.stdin?.end(input)
    })
  const succeed: Machine['succeed'] = async (args, options) => {
    const { code, stdout, stderr } = await run(args, options)
    assert.equal(code, 0, `figbase ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  return {
    folder: home,
    process: { cwd: home, env: own },
    profiles: join(home, '.config', 'figbase', 'profiles.json'),
    run,
    succeed,
    json: async (args) => JSON.parse(await succeed([...args, '--json'])),
    async failWith(wanted, args) {
      const { code, stdout, stderr } = await run([...args, '--json'])
      assert.equal(code, wanted, `figbase ${args.join(' ')}: ${stderr}`)
      assert.equal(stdout, '')
      return JSON.parse(stderr)
    },
    printed: () => printed,
    [Symbol.asyncDispose]: () => rm(home, { recursive: true }),
  }
}
