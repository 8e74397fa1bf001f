import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Paths of the external programs that are installed. */
export type Renderers = {
  /** `pdftocairo` of Poppler. */
  pdf?: string | undefined
  /** `gs`, Ghostscript. */
  eps?: string | undefined
  /** `prlimit`, which limits the memory and the time of the others. */
  prlimit?: string | undefined
}

/** `path` is a list of folders, separated by colons. If it is empty, `PATH` is searched. */
export function findRenderers(path: string): Renderers {
  const folders = (path || (process.env.PATH ?? '')).split(delimiter).filter(isAbsolute)
  const find = (name: string) => folders.map((folder) => join(folder, name)).find(isProgram)
  return { pdf: find('pdftocairo'), eps: find('gs'), prlimit: find('prlimit') }
}

function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
