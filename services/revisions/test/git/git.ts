import { execFileSync } from 'node:child_process'
import { createLogger } from '@figbase/kit/log'
import { createGit, type Git } from '../../src/git/git.js'
import type { GitLimits } from '../../src/git/limits.js'

export const limits: GitLimits = {
  timeoutMs: 30_000,
  receivedBytesMax: 64 * 2 ** 20,
  diskBytesMax: 128 * 2 ** 20,
  memoryBytesMax: 2 ** 30,
  objectsMax: 100_000,
  commitsMax: 1000,
  filesMax: 5000,
  fileBytesMax: 2 ** 20,
  pathDepthMax: 20,
  pathBytesMax: 500,
  tagsMax: 1000,
}

/** Git with the limits of tests; `hostsAllowed` may be on this machine. */
export const testGit = (hostsAllowed: string[], caFile = '', other: Partial<GitLimits> = {}): Git =>
  createGit(
    { path: '', caFile, hostsAllowed, limits: { ...limits, ...other } },
    createLogger('git', 'silent'),
  )

const identity = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
}

/** Runs Git as the author of a repository. */
export const git = (cwd: string, args: string[], input?: string | Buffer): string =>
  execFileSync('git', args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      ...identity,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
    ...(input !== undefined && { input }),
  })
    .toString()
    .trim()

/** Without bubblewrap, as on a machine where it does not work. */
export const unconfined = (git: Git): Git => ({
  ...git,
  async programs() {
    const found = await git.programs()
    return found && { ...found, bwrap: undefined }
  },
})
