import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from '@figbase/kit/processes'
import { confinedCommand } from './confine.js'

/** Paths of the programs that are installed. */
export type GitPrograms = {
  git: string
  ssh?: string | undefined
  /** Limits the resources of the others. */
  prlimit?: string | undefined
  /** Only if it works here. */
  bwrap?: string | undefined
}

/** `GIT_CONFIG_GLOBAL` is of this version. */
const versionMin = [2, 32] as const
/** Also on a busy machine. */
const timeoutMs = 30_000

/** Undefined if Git is missing or too old. `gitPath` is its path; if it is empty, `PATH` is searched. */
export async function findGitPrograms(gitPath: string): Promise<GitPrograms | undefined> {
  const git = gitPath || findProgram('git')
  if (!git || !isNew(await outputOf([git, '--version']))) return undefined
  const bwrap = findProgram('bwrap')
  const confined = bwrap && confinedCommand(bwrap, {}, [git, '--version'])
  return {
    git,
    ssh: findProgram('ssh'),
    prlimit: findProgram('prlimit'),
    bwrap: confined && isNew(await outputOf(confined)) ? bwrap : undefined,
  }
}

function isNew(output: string) {
  const [major = 0, minor = 0] =
    /^git version (\d+)\.(\d+)/.exec(output)?.slice(1).map(Number) ?? []
  return major > versionMin[0] || (major === versionMin[0] && minor >= versionMin[1])
}

async function outputOf([program = '', ...args]: string[]) {
  const done = promisify(execFile)(program, args, { env: {}, timeout: timeoutMs })
  return done.then(
    ({ stdout }) => stdout,
    () => '',
  )
}
