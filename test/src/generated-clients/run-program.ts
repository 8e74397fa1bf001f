import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program until it ends, and returns what it printed; throws with its output if it failed. */
export async function runProgram(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const options = { env: { ...process.env, ...env }, timeout: 120_000, maxBuffer: 2 ** 24 }
  const failed = (error: Error & { stdout?: string; stderr?: string }) => {
    throw new Error(`${command} failed\n${error.stdout}${error.stderr}`, { cause: error })
  }
  const { stdout } = await promisify(execFile)(command, args, options).catch(failed)
  return stdout.trim()
}
