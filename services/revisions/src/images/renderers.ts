import { findProgram } from '@figbase/kit/processes'

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
export const findRenderers = (path: string): Renderers => ({
  pdf: findProgram('pdftocairo', path),
  eps: findProgram('gs', path),
  prlimit: findProgram('prlimit', path),
})
