import { stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of an instance. Only `volume` outlives runs. */
export type InstanceDirectory = {
  path: string
  /** The home directory in the notebook. */
  volume: string
  /** Temporary files. */
  temporary: string
  /** Shared memory is on disk, where it is counted. */
  shared: string
  /** The socket of the notebook server; notebooks can write here. */
  run: string
  /** The socket of Figbase; notebooks cannot write here. */
  figbase: string
  /** The generated part of `/etc`. */
  etc: string
  /** The user id of the instance. */
  uid: string
  /** Written by the driver: which run is the newest. */
  record: string
  /** Written by the supervisor of the run. */
  status: string
  log: string
}

export function instanceDirectory(root: string, instanceId: string): InstanceDirectory {
  const path = join(root, instanceId)
  return {
    path,
    volume: join(path, 'volume'),
    temporary: join(path, 'tmp'),
    shared: join(path, 'shm'),
    run: join(path, 'run'),
    figbase: join(path, 'figbase'),
    etc: join(path, 'etc'),
    uid: join(path, 'uid'),
    record: join(path, 'run.json'),
    status: join(path, 'status.json'),
    log: join(path, 'log'),
  }
}

/** The directories in which notebooks write. */
export const writableOf = ({ volume, temporary, shared, run }: InstanceDirectory): string[] => [
  volume,
  temporary,
  shared,
  run,
]

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

export const notebookSocket = 'jupyter.sock'
export const figbaseSocket = 'figbase.sock'
