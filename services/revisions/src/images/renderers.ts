import { accessSync, constants } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'

/** Where the programs are that this machine has. */
export type Renderers = {
  /** `pdftocairo`, of Poppler. */
  pdf?: string | undefined
  /** `gs`, Ghostscript. */
  eps?: string | undefined
  /** `prlimit`: what bounds their memory and time. */
  prlimit?: string | undefined
}

/** Looks in folders with a colon between; empty: those of `PATH`. */
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
