import { createHash } from 'node:crypto'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitUrl } from '../domain/git-url.js'
import { GitError } from './git-error.js'
import type { Remote } from './repository.js'

/** What ssh reads and writes. */
export type SshFiles = {
  config: string
  log: string
  knownHosts: string
}

const mode = 0o600

/** Writes the files of ssh, which reaches the server at a port of this machine. */
export async function writeSshFiles(
  secrets: string,
  { host, port }: GitUrl,
  { privateKey, hostKeys }: Remote,
  tunnelPort: number,
): Promise<SshFiles> {
  const file = (name: string) => join(secrets, name)
  const files = {
    config: file('ssh_config'),
    log: file('ssh_log'),
    knownHosts: file('known_hosts'),
  }
  await writeFile(files.knownHosts, hostKeys ?? '', { mode })
  if (privateKey) {
    await writeFile(file('key'), `${privateKey.replaceAll('\r\n', '\n').trimEnd()}\n`, { mode })
  }
  const options = [
    'HostName 127.0.0.1',
    `Port ${tunnelPort}`,
    // The name under which the key of the host is known.
    `HostKeyAlias ${port === 22 ? host : `[${host}]:${port}`}`,
    `StrictHostKeyChecking ${hostKeys ? 'yes' : 'accept-new'}`,
    `UserKnownHostsFile "${files.knownHosts}"`,
    'GlobalKnownHostsFile /dev/null',
    'HashKnownHosts no',
    'UpdateHostKeys no',
    'CheckHostIP no',
    `IdentityFile ${privateKey ? `"${file('key')}"` : 'none'}`,
    'IdentitiesOnly yes',
    'IdentityAgent none',
    'CertificateFile none',
    'PreferredAuthentications publickey',
    'BatchMode yes',
    'ForwardAgent no',
    'ForwardX11 no',
    'PermitLocalCommand no',
    'ControlMaster no',
    'ControlPath none',
    'LogLevel DEBUG1',
  ]
  await writeFile(files.config, `${['Host *', ...options].join('\n  ')}\n`, { mode })
  return files
}

/** Git asks the shell to run it; the paths have no characters that the shell interprets. */
export const sshCommand = (ssh: string, { config, log }: SshFiles): string =>
  [ssh, '-F', config, '-E', log].map((word) => `'${word}'`).join(' ')

export const readHostKeys = ({ knownHosts }: SshFiles): Promise<string> =>
  readFile(knownHosts, 'utf8')

/** As `ssh-keygen -l` prints them. */
export const fingerprintsOf = (hostKeys: string): string[] =>
  hostKeys
    .split('\n')
    .map((line) => line.split(' ')[2])
    .filter((key) => key !== undefined)
    .map((key) => `SHA256:${digestOf(key).replace(/=+$/, '')}`)

const digestOf = (key: string) =>
  createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64')

const logBytesMax = 2 ** 18

/** A server can make the log long. */
async function startOf(path: string) {
  try {
    await using file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(logBytesMax), 0, logBytesMax, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } catch {
    return ''
  }
}

/** Why ssh failed, if it did. */
export async function sshProblem({ log }: SshFiles, hostKeys = ''): Promise<GitError | undefined> {
  const text = await startOf(log)
  if (/Host key verification failed|No \S+ host key is known/.test(text)) {
    const found = /Server host key: \S+ (SHA256:[\w+/]+)/.exec(text)?.[1] ?? 'unknown'
    const before = fingerprintsOf(hostKeys).join(', ') || 'unknown'
    return new GitError(
      'host_key_changed',
      `the server has another host key than before: ${found} instead of ${before}`,
    )
  }
  if (/Permission denied \(|Load key .*(error|invalid)|no such identity/i.test(text)) {
    return new GitError('authentication_failed', 'the server refused the private key')
  }
  if (!/^Authenticated to /m.test(text)) {
    return new GitError('unreachable', 'the server could not be reached, or it does not speak SSH')
  }
  return undefined
}
