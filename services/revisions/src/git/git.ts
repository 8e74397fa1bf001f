import type { Logger } from '@figbase/kit/log'
import type { GitLimits } from './limits.js'
import { findGitPrograms, type GitPrograms } from './programs.js'

export type GitSettings = {
  /** Of Git; empty: found on `PATH`. */
  path: string
  /** Certificate authorities of Git servers; empty: those of the system. */
  caFile: string
  /** Hosts with private addresses that users may name. */
  hostsAllowed: string[]
  limits: GitLimits
}

/** Git of this machine. */
export type Git = {
  settings: GitSettings
  /** Looked for when they are needed first; undefined if Git is not installed. */
  programs(): Promise<GitPrograms | undefined>
}

export function createGit(settings: GitSettings, log: Logger): Git {
  let programs: Promise<GitPrograms | undefined> | undefined
  async function find() {
    const found = await findGitPrograms(settings.path)
    // It may be installed later.
    if (!found) programs = undefined
    else if (!found.bwrap || !found.prlimit) {
      const missing = [!found.bwrap && 'bubblewrap', !found.prlimit && 'prlimit'].filter(Boolean)
      log.warn({ missing }, 'git is less confined: programs are missing or do not work here')
    }
    return found
  }
  return {
    settings,
    programs() {
      programs ??= find()
      return programs
    },
  }
}
