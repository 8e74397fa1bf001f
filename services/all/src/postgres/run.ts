import { type SpawnOptions, spawn } from 'node:child_process'

export type Outcome = { code: number; output: string }

/** Runs a short command; `code` is 127 when the command does not exist. */
export function run(command: string, args: string[], options: SpawnOptions = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
    })
    child.stderr?.on('data', (chunk) => {
      output += chunk
    })
    child.once('error', (error) => resolve({ code: 127, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
