import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitUrl } from '../domain/git-url.js'
import type { Git } from './git.js'
import { GitError } from './git-error.js'
import { readTags, type Tags } from './read-tags.js'
import type { Remote } from './repository.js'
import { runGit, type Workspace } from './run-git.js'
import {
  fingerprintsOf,
  readHostKeys,
  type SshFiles,
  sshCommand,
  sshProblem,
  writeSshFiles,
} from './ssh.js'
import { openTunnel, proxyUser, type Tunnel } from './tunnel.js'
import { requireLimits, watchFolder } from './watch-folder.js'

export const tip = 'refs/heads/tip'

export type Fetched = {
  tags: Tags
  hostKeys?: string | undefined
  hostKeyFingerprints: string[]
}

/** Fetches the branch without a checkout, and the names of the tags. Deletes the token and the key. */
export async function fetchRemote(
  { settings }: Git,
  workspace: Workspace,
  url: GitUrl,
  remote: Remote,
): Promise<Fetched> {
  const { limits, hostsAllowed, caFile } = settings
  const late = AbortSignal.timeout(limits.timeoutMs)
  const ends = new AbortController()
  const signal = AbortSignal.any([workspace.signal, late, ends.signal])
  const secrets = join(workspace.folder, 'secrets')
  let problem: GitError | undefined
  const fail = (error: GitError) => {
    problem ??= error
    ends.abort()
  }
  const online = { ...workspace, signal, config: join(secrets, 'config') }
  let ssh: SshFiles | undefined
  try {
    await mkdir(secrets, { mode: 0o700 })
    await using tunnel = await openTunnel(url, {
      hostsAllowed,
      receivedBytesMax: limits.receivedBytesMax,
      signal,
      onProblem: fail,
    })
    if (url.protocol === 'ssh') ssh = await writeSshFiles(secrets, url, remote, tunnel.port)
    if (caFile) await copyFile(caFile, join(secrets, 'ca.pem'))
    await writeConfig(online, { tunnel, ssh, token: remote.token, hasCa: caFile !== '' })
    await init(online)
    await using _ = watchFolder(online, fail)
    await runGit(online, fetchArguments(workspace, url, remote.branch), { canFetch: true })
    const tags = await readTags(online, url)
    const hostKeys = ssh && (await readHostKeys(ssh))
    return { tags, hostKeys, hostKeyFingerprints: fingerprintsOf(hostKeys ?? '') }
  } catch (error) {
    workspace.signal.throwIfAborted()
    if (problem) throw problem
    if (late.aborted) throw new GitError('timed_out', 'fetching the repository took too long')
    await requireLimits(workspace)
    throw (ssh && (await sshProblem(ssh, remote.hostKeys))) ?? error
  } finally {
    await rm(secrets, { recursive: true, force: true })
  }
}

const fetchArguments = ({ limits }: Workspace, { address }: GitUrl, branch: string) => [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-recurse-submodules',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-show-forced-updates',
  `--depth=${limits.commitsMax}`,
  '--end-of-options',
  address,
  `+refs/heads/${branch}:${tip}`,
]

type Access = {
  tunnel: Tunnel
  ssh: SshFiles | undefined
  token: string | undefined
  hasCa: boolean
}

/** In a file, because other accounts can see the arguments of processes. */
async function writeConfig(
  { config, folder, programs }: Workspace,
  { tunnel, ssh, token, hasCa }: Access,
) {
  const { port, password } = tunnel
  const lines = ssh
    ? [
        '[protocol "ssh"]',
        'allow = always',
        '[ssh]',
        'variant = ssh',
        '[core]',
        `sshCommand = ${quoted(sshCommand(programs.ssh ?? '', ssh))}`,
      ]
    : [
        '[protocol "https"]',
        'allow = always',
        '[http]',
        `proxy = http://${proxyUser}:${password}@127.0.0.1:${port}`,
        'proxyAuthMethod = basic',
        'followRedirects = initial',
        'sslVerify = true',
        ...(hasCa ? [`sslCAInfo = ${quoted(join(folder, 'secrets', 'ca.pem'))}`] : []),
        ...(token ? [`extraHeader = ${quoted(`Authorization: Basic ${basic(token)}`)}`] : []),
      ]
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 })
}

const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`

/** Most servers ignore the user name that belongs to a token; some need one, which then is before a colon. */
const basic = (token: string) =>
  Buffer.from(token.includes(':') ? token : `x-access-token:${token}`).toString('base64')

const init = (workspace: Workspace) =>
  runGit(workspace, ['init', '--quiet', '--bare', '--template=', '--initial-branch=tip'], {
    canFetch: true,
  })
