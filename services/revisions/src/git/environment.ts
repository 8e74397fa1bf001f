import { dirname } from 'node:path'
import type { GitPrograms } from './programs.js'

/** Nothing of a repository, of the account or of the system makes Git run a program or connect to a host. */
const settings: [name: string, value: string][] = [
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.symlinks', 'false'],
  ['core.askPass', '/bin/false'],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['transfer.bundleURI', 'false'],
  ['protocol.allow', 'never'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['log.mailmap', 'false'],
  ['log.showSignature', 'false'],
  ['i18n.logOutputEncoding', 'UTF-8'],
  // Bounds of memory; large files are read in pieces.
  ['core.bigFileThreshold', '1m'],
  ['core.packedGitWindowSize', '16m'],
  ['core.packedGitLimit', '256m'],
  ['core.deltaBaseCacheLimit', '32m'],
  ['pack.threads', '1'],
  // Packs are never written as single files.
  ['fetch.unpackLimit', '1'],
  ['transfer.unpackLimit', '1'],
  ['fetch.fsckObjects', 'true'],
]

/** What old programs wrote, and what is harmless because nothing is checked out: paths are judged one by one. */
const accepted = [
  ...['badDate', 'badDateOverflow', 'badTimezone', 'missingSpaceBeforeDate', 'zeroPaddedDate'],
  ...['badEmail', 'missingEmail', 'missingSpaceBeforeEmail', 'badName', 'missingNameBeforeEmail'],
  ...['zeroPaddedFilemode', 'badFilemode', 'nullSha1', 'multipleAuthors'],
  ...['hasDot', 'hasDotdot', 'hasDotgit'],
  ...['gitmodulesBlob', 'gitmodulesLarge', 'gitmodulesMissing', 'gitmodulesName'],
  ...[
    'gitmodulesParse',
    'gitmodulesPath',
    'gitmodulesSymlink',
    'gitmodulesUpdate',
    'gitmodulesUrl',
  ],
  ...['gitattributesBlob', 'gitattributesLarge', 'gitattributesLineLength'],
  ...['gitattributesMissing', 'gitattributesSymlink'],
]

/** The whole environment of Git. It reads the file `config` as the configuration of its user. */
export function gitEnvironment(
  { git, ssh }: GitPrograms,
  folder: string,
  config: string,
): Record<string, string> {
  const all = [...settings, ...accepted.map((id) => [`fetch.fsck.${id}`, 'ignore'] as const)]
  const programs = [git, ssh].filter((path) => path !== undefined).map(dirname)
  return {
    PATH: [...new Set([...programs, '/usr/bin', '/bin'])].join(':'),
    HOME: folder,
    TMPDIR: folder,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: config,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: `${all.length}`,
    ...Object.fromEntries(
      all.flatMap(([name, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, name],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  }
}
