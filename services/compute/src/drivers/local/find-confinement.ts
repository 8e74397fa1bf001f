import { once } from 'node:events'
import { access, constants, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { newOrderedId } from '@figbase/kit/ids'
import { bubblewrapPath } from './bubblewrap.js'
import { createInstance } from './create-instance.js'
import { instanceDirectory, notebookSocket } from './instance-directory.js'
import type { LocalSettings } from './settings.js'
import { type Confinement, startEntry } from './start-entry.js'

/** How notebooks run here; `reason`, for users, if they cannot. */
export type Found = { isConfined: boolean } | { reason: string }

export const isRoot = () => process.geteuid?.() === 0
/** The longest path of a socket. */
const socketPathBytesMax = 107
const detailCharsMax = 300

/** Tries whether programs can be confined here, by confining one. */
export async function findConfinement(settings: LocalSettings): Promise<Found> {
  const { directory, jupyterPath, mayRunUnconfined } = settings
  if (process.platform !== 'linux') return { reason: 'notebooks on this machine need Linux' }
  const missing = await firstMissing([jupyterPath, '/usr/bin/python3'])
  if (missing) return { reason: `${missing} is not installed` }
  const problem = await whyNotConfined(settings)
  if (!problem) return { isConfined: true }
  if (mayRunUnconfined && !isRoot()) {
    const socket = join(instanceDirectory(directory, newOrderedId()).run, notebookSocket)
    const isShort = Buffer.byteLength(socket) <= socketPathBytesMax
    return isShort ? { isConfined: false } : { reason: 'the path of COMPUTE_LOCAL_DIR is too long' }
  }
  return { reason: `notebooks cannot be confined on this machine: ${problem}` }
}

async function whyNotConfined(settings: LocalSettings): Promise<string | undefined> {
  const { directory, jupyterPath, uids } = settings
  const system = '/usr/'
  if (directory.startsWith(system)) return 'COMPUTE_LOCAL_DIR is below /usr, which notebooks see'
  if (!jupyterPath.startsWith(system)) return 'COMPUTE_LOCAL_JUPYTER_PATH is not below /usr'
  const programs = [bubblewrapPath, ...(isRoot() ? ['/usr/bin/setpriv'] : [])]
  const missing = await firstMissing(programs)
  if (missing) return `${missing} is not installed`
  const instanceId = newOrderedId()
  try {
    const ids = isRoot() ? uids : undefined
    const uid = await createInstance(directory, instanceId, 'http://localhost:8000', ids)
    return await tryIn(directory, instanceId, { uid })
  } finally {
    await rm(instanceDirectory(directory, instanceId).path, { recursive: true, force: true })
  }
}

async function tryIn(root: string, instanceId: string, confinement: Confinement) {
  try {
    const entry = await startEntry(
      instanceDirectory(root, instanceId),
      confinement,
      instanceId,
      'pipe',
    )
    const output = text(entry.child.stderr as Readable)
    const exited = once(entry.child, 'exit')
    entry.release({
      command: ['/usr/bin/true'],
      environment: {},
      cwd: '/home/notebook',
      port: 8000,
      vcpu: 1,
      limits: { memoryBytes: 2 ** 30, fileBytes: 2 ** 20, processes: 100 },
    })
    const [code] = await exited
    return code === 0 ? undefined : (await output).trim().slice(-detailCharsMax)
  } catch (error) {
    return (error as Error).message
  }
}

async function firstMissing(paths: string[]): Promise<string | undefined> {
  for (const path of paths) {
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!found) return path
  }
  return undefined
}
