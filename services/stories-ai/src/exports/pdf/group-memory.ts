import { readdirSync } from 'node:fs'
import { memoryBytesOf, statOf } from '@figbase/kit/processes'

const checkMs = 100

/** Kills the process group of this process if its other processes take more memory. */
export function watchMemory(bytesMax: number): { end(): void } {
  const timer = setInterval(() => {
    if (childrenBytes() > bytesMax) process.kill(-process.pid, 'SIGKILL')
  }, checkMs)
  return { end: () => clearInterval(timer) }
}

/** The memory of the other processes in the group that this process leads. */
function childrenBytes(): number {
  let bytes = 0
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    if (pid !== process.pid && statOf(pid)?.group === process.pid) bytes += memoryBytesOf(pid)
  }
  return bytes
}
