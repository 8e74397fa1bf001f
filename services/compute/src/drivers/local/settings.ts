import { resolve } from 'node:path'
import type { EnvReader } from '@figbase/kit/config'

/** Accounts of instances where this process is root; none of them needs a name. */
export type UidRange = { first: number; last: number }

export type LocalSettings = {
  directory: string
  jupyterPath: string
  uids: UidRange
  mayRunUnconfined: boolean
  processesMax: number
}

const uidBound = 2 ** 31 - 1

export function readLocalSettings(env: EnvReader): LocalSettings {
  const directory = env.text(
    'COMPUTE_LOCAL_DIR',
    '',
    'directory of the instances of the driver `local`; default: `compute` in the data directory',
  )
  return {
    directory: directory && resolve(directory),
    jupyterPath: env.text(
      'COMPUTE_LOCAL_JUPYTER_PATH',
      '/usr/bin/jupyter-notebook',
      'the notebook server of the driver `local`: Jupyter Notebook 6, below `/usr`',
    ),
    uids: readUids(env),
    mayRunUnconfined: env.bool(
      'COMPUTE_LOCAL_UNCONFINED',
      false,
      'if bubblewrap cannot confine notebooks, they run all the same, and can read and do everything that Figbase can: its files, database and secrets, and all that the account may; never as root',
    ),
    processesMax: env.positiveInt(
      'COMPUTE_LOCAL_PROCESSES_MAX',
      512,
      'processes and threads that an instance of the driver `local` may have at a time',
    ),
  }
}

function readUids(env: EnvReader): UidRange {
  const name = 'COMPUTE_LOCAL_UIDS'
  const about =
    'user ids of instances of the driver `local` if Figbase runs as root, one for each; no other account may have them'
  const example = '1900000000-1900000999'
  const value = env.text(name, example, about)
  const [, first = 0, last = 0] = (/^(\d{1,10})-(\d{1,10})$/.exec(value) ?? []).map(Number)
  if (first < 1 || last < first || last > uidBound) env.reportInvalid(name, value, about, example)
  return { first, last }
}
