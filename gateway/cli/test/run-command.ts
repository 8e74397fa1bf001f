import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const bundle = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url))

/** Runs the command as it is published, with the given environment only. */
export const run = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const { PATH = '' } = process.env
    const child = execFile(
      process.execPath,
      [bundle, ...args],
      { env: { PATH, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
    child.stdin?.end()
  })
