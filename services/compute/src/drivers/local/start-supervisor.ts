import { spawn } from 'node:child_process'
import { open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { processName } from '@figbase/kit/processes'
import type { SupervisorSpec } from './supervisor/spec.js'

const program = fileURLToPath(new URL('./supervisor/program.js', import.meta.url))
const heapMiB = 64

/** A process that waits; it ends if this process does before the release. */
export type WaitingSupervisor = { name: string; release(spec: SupervisorSpec): void }

export async function startSupervisor(log: string): Promise<WaitingSupervisor> {
  await using output = await open(log, 'a', 0o600)
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMiB}`, program], {
    cwd: '/',
    env: {},
    // It outlives this process, and Ctrl-C does not reach it.
    detached: true,
    stdio: ['pipe', output.fd, output.fd],
  })
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  child.stdin?.on('error', () => {})
  child.unref()
  return {
    name: processName(child.pid),
    release: (spec) => void child.stdin?.end(JSON.stringify(spec)),
  }
}
