import { type InstanceDirectory, writableOf } from '../instance-directory.js'
import { kill, type RunProcesses } from '../processes-of.js'
import { createDiskWatch } from './disk-watch.js'
import { memoryOf } from './usage.js'

/** What a run takes, and what was done about it. */
export type Taken = {
  memoryBytes: number
  diskBytes: number
  /** For the owner: why processes were ended. */
  note: string
  /** For the owner: why the run must end. */
  problem: string
}

export type LimitOptions = {
  directory: InstanceDirectory
  processes: RunProcesses
  memoryBytesMax: number
  volumeBytesMax: number
  /** How many of the first processes are the notebook server and what it runs in. */
  serverProcesses: number
}

/** A volume over its limit may only shrink: what still grows it beyond this is the server itself. */
const growthMax = 1.25

/** Ends processes that take more than the instance may; to be called again and again. */
export function createLimits(options: LimitOptions): () => Taken {
  const { directory, processes, memoryBytesMax, volumeBytesMax, serverProcesses } = options
  let note = ''
  let problem = ''

  const disk = createDiskWatch(writableOf(directory), (bytes, before) => {
    if (bytes <= volumeBytesMax) return
    const why = `its files take more than ${volumeBytesMax} bytes`
    note = `kernels were ended: ${why}`
    // Kernels and terminals; the notebook server is left, so that its user can delete files.
    for (const pid of processes.list().slice(serverProcesses)) kill(pid)
    const stillGrows = before > volumeBytesMax && bytes > before
    if (stillGrows && bytes > volumeBytesMax * growthMax) problem = why
  })

  return () => {
    const pids = processes.list()
    disk.look(pids)
    const { bytes: memoryBytes, largest } = memoryOf(pids, memoryBytesMax)
    if (memoryBytes > memoryBytesMax && largest) {
      kill(largest)
      note = `a process was ended: together they took more than ${memoryBytesMax} bytes of memory`
    }
    return { memoryBytes, diskBytes: disk.bytes, note, problem }
  }
}
