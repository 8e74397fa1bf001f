import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Does work while no other process holds the lock of the file. The system releases it if this process is killed.
 * `signal` aborts the wait, not the work.
 */
export async function withLock<T>(
  file: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  // Node has no file locks; `flock` is part of every Linux. It holds the lock until its standard input ends.
  const holder = spawn('flock', [file, 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const giveUp = () => holder.kill()
  signal.addEventListener('abort', giveUp)
  const failed = new Promise<never>((_, reject) => {
    holder.once('error', reject)
    holder.once('exit', () => reject(signal.reason ?? new Error(`${file} could not be locked`)))
  })
  failed.catch(() => {})
  try {
    await Promise.race([once(holder.stdout, 'data'), failed])
    signal.removeEventListener('abort', giveUp)
    return await work()
  } finally {
    holder.stdin.end()
  }
}
