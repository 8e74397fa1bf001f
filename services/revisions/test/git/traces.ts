import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const prefix = 'figbase-git-'

/** Temporary folders and processes of repositories that are left. */
export async function tracesLeft(): Promise<string[]> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const processes = await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')
      if (!environment.includes(`${tmpdir()}/${prefix}`)) return []
      return [await readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => id)]
    }),
  )
  return [...folders, ...processes.flat()]
}
