import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../failure.js'
import { syncFolder, writeDurably } from './files.js'
import { type Manifest, readManifest } from './manifest.js'

/** A directory with the backups of an installation, each in a subdirectory named by its time. */
export type BackupDirectory = {
  /** The complete backups of this installation, newest first. */
  list(): Promise<StoredBackup[]>
  /** Creates an incomplete backup; `complete` makes it a backup. */
  begin(now: Date): Promise<Draft>
  /** Removes the incomplete backups of this installation; returns how many. */
  removeIncomplete(): Promise<number>
  /** Removes all but the newest backups; returns how many were removed. */
  prune(keep: number): Promise<number>
}

export type StoredBackup = { name: string; dir: string; manifest: Manifest }
export type Draft = { dir: string; complete(): Promise<string>; discard(): Promise<void> }

const namePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const incomplete = '.incomplete'
/** File in an incomplete backup that identifies its installation. */
const ownerFile = 'installation'

export function openBackupDirectory(root: string, installation: string): BackupDirectory {
  const at = (name: string) => join(root, name)

  async function list() {
    const names = (await readdir(root)).filter((name) => namePattern.test(name))
    const found: StoredBackup[] = []
    for (const name of names.sort().reverse()) {
      const manifest = await readManifest(at(name)).catch(() => undefined)
      if (manifest?.installation !== installation) continue
      found.push({ name, dir: at(name), manifest })
    }
    return found
  }

  // Renamed first, so that a partly removed backup is incomplete.
  async function remove(name: string) {
    const draft = name.endsWith(incomplete) ? name : `${name}${incomplete}`
    if (draft !== name) await rename(at(name), at(draft))
    await rm(at(draft), { recursive: true, force: true })
  }

  return {
    list,
    async begin(now) {
      const taken = new Set(await readdir(root))
      const name = freeName(now, (one) => taken.has(one) || taken.has(`${one}${incomplete}`))
      const dir = at(`${name}${incomplete}`)
      await mkdir(dir, { mode: 0o700 })
      await writeDurably(join(dir, ownerFile), `${installation}\n`)
      return {
        dir,
        async complete() {
          await rename(dir, at(name))
          await syncFolder(root)
          return at(name)
        },
        discard: () => remove(`${name}${incomplete}`),
      }
    },
    async removeIncomplete() {
      const drafts = (await readdir(root)).filter((name) => name.endsWith(incomplete))
      let count = 0
      for (const name of drafts) {
        const owner = await readFile(join(at(name), ownerFile), 'utf8').catch((error) => {
          if (codeOf(error) === 'ENOENT') return ''
          throw error
        })
        if (owner.trim() !== installation) continue
        await remove(name)
        count++
      }
      return count
    },
    async prune(keep) {
      const old = (await list()).slice(keep)
      for (const { name } of old) await remove(name)
      return old.length
    },
  }
}

/** The name of a backup; a second later if there is one of this second. */
function freeName(time: Date, isTaken: (name: string) => boolean): string {
  const name = time.toISOString().replaceAll(':', '-').replace(/\.\d+/, '')
  return isTaken(name) ? freeName(new Date(time.getTime() + 1000), isTaken) : name
}
