import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '@figbase/kit/files'
import { DriverFailed } from '../port.js'
import { starterName, starterNotebook } from '../starter-notebook.js'
import { figbaseAddress } from './gf-url.js'
import { exists, type InstanceDirectory, instanceDirectory } from './instance-directory.js'
import type { UidRange } from './settings.js'

/**
 * Creates what is missing of the directories of an instance, and empties those that belong to one run. No process of
 * the instance may be running. Returns the user id of the instance if there is a range of them.
 */
export async function createInstance(
  root: string,
  instanceId: string,
  gfUrl: string,
  uids: UidRange | undefined,
): Promise<number | undefined> {
  const directory = instanceDirectory(root, instanceId)
  await makeDirectory(directory.path)
  const uid = uids && (await uidOf(root, directory, uids))
  const { volume, temporary, shared, run, figbase, etc } = directory
  for (const path of [temporary, shared, run, figbase, etc]) {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
    await mkdir(path, { mode: 0o755 })
  }
  await writeEtc(etc, uid ?? process.getuid?.() ?? 0, gfUrl)
  for (const path of [temporary, shared, run]) if (uid) await chown(path, uid, uid)
  if (!(await exists(volume))) await createVolume(volume, uid)
  await writeFile(directory.log, '', { mode: 0o600 })
  return uid
}

/** Later, its content is that of the notebook, and this process must not write into it: it could follow links. */
async function createVolume(path: string, uid: number | undefined) {
  await mkdir(path, { mode: 0o755 })
  const starter = join(path, starterName)
  await writeFile(starter, starterNotebook(), { mode: 0o644 })
  if (uid) for (const each of [starter, path]) await chown(each, uid, uid)
}

async function writeEtc(etc: string, uid: number, gfUrl: string) {
  const { name } = figbaseAddress(gfUrl)
  const files = {
    passwd: `notebook:x:${uid}:${uid}::/home/notebook:/bin/bash\n`,
    group: `notebook:x:${uid}:\n`,
    hosts: `127.0.0.1 localhost notebook${name ? ` ${name}` : ''}\n`,
  }
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(etc, file), text, { mode: 0o644 })
  }
}

/** The same for as long as the instance exists, and of no other instance. */
async function uidOf(root: string, directory: InstanceDirectory, { first, last }: UidRange) {
  const own = await readUid(directory)
  if (own) return own
  const used = new Set<number>()
  for (const id of await readdir(root)) used.add(await readUid(instanceDirectory(root, id)))
  for (let uid = first; uid <= last; uid++) {
    if (used.has(uid)) continue
    await writeFile(directory.uid, `${uid}\n`, { mode: 0o600 })
    return uid
  }
  throw new DriverFailed('all user ids of COMPUTE_LOCAL_UIDS are in use')
}

const readUid = async ({ uid }: InstanceDirectory) =>
  Number(await readFile(uid, 'utf8').catch(() => '0'))
