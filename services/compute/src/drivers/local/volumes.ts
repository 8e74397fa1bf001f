import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { makeDirectory } from '@figbase/kit/files'
import { isUuid } from '@figbase/kit/ids'
import { exists, instanceDirectory } from './instance-directory.js'
import { type RunRecord, writeJson } from './run-files.js'

/** Earlier than any. */
const noRunId = '00000000-0000-0000-0000-000000000000'

/** The instances of the driver `local` with files below `root`. */
export async function listVolumes(root: string): Promise<string[]> {
  const names = (await exists(root)) ? await readdir(root) : []
  const ids: string[] = []
  for (const name of names.filter(isUuid).sort()) {
    if (await exists(instanceDirectory(root, name).volume)) ids.push(name)
  }
  return ids
}

/**
 * Writes the files of an instance into a new archive, and returns its size. The notebook may be running, and is not
 * trusted: `tar` follows no links, whenever they are made.
 */
export async function archiveVolume(
  root: string,
  instanceId: string,
  archive: string,
  signal: AbortSignal,
): Promise<number> {
  const { path, volume, uid } = instanceDirectory(root, instanceId)
  const paths = [volume, ...((await exists(uid)) ? [uid] : [])]
  const members = paths.map((each) => each.slice(path.length + 1))
  const options = ['--create', '--numeric-owner', '--one-file-system', '--sparse']
  const file = await open(archive, 'wx', 0o600)
  try {
    await tar([...options, '--directory', path, ...members], ['ignore', file.fd], signal)
    await file.sync()
    return (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** Restores the files of an instance that is not below `root` yet. */
export async function restoreVolume(
  root: string,
  instanceId: string,
  archive: string,
  signal: AbortSignal,
): Promise<void> {
  const { path, record } = instanceDirectory(root, instanceId)
  await makeDirectory(path)
  const options = ['--extract', '--numeric-owner', '--preserve-permissions', '--directory', path]
  const file = await open(archive, 'r')
  try {
    await tar(options, [file.fd, 'ignore'], signal)
  } finally {
    await file.close()
  }
  // So that the driver knows that there is something of the instance, which no run needs.
  const noRun: RunRecord = {
    runId: noRunId,
    stopped: [noRunId],
    supervisor: '',
    isRemoved: false,
  }
  await writeJson(record, noRun)
}

/** 1: files changed while they were read. */
const exitCodes = [0, 1]

type Stdio = ['ignore' | number, 'ignore' | number]

async function tar(options: string[], [input, output]: Stdio, signal: AbortSignal) {
  const child = spawn('tar', ['--file', '-', ...options], {
    stdio: [input, output, 'pipe'],
    signal,
  })
  const said = child.stderr ? text(child.stderr) : ''
  const [errors, [code]] = await Promise.all([said, once(child, 'exit')])
  if (!exitCodes.includes(code)) throw new Error(`tar failed: ${errors.trim().slice(-1000)}`)
}
