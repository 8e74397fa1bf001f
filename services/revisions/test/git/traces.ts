import { readdir, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processName } from '@figbase/kit/processes'

/** Other processes may fetch at the same time. */
const prefix = `figbase-git-${processName()}-`
const endTimeoutMs = 5000

/** Temporary folders and processes of repositories that are left. */
export async function tracesLeft(): Promise<string[]> {
  const until = Date.now() + endTimeoutMs
  let traces = await traceNames()
  // Killed processes need a moment.
  while (traces.length > 0 && Date.now() < until) {
    await sleep(50)
    traces = await traceNames()
  }
  return traces
}

async function traceNames() {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  const ids = await processIds()
  const processes = await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '')
      if (!environment.includes(`${tmpdir()}/${prefix}`)) return []
      return [await readFile(`/proc/${id}/cmdline`, 'latin1').catch(() => id)]
    }),
  )
  return [...folders, ...processes.flat()]
}

/** Whether any process of this machine has the text in its arguments. */
export async function isInArguments(text: string): Promise<boolean> {
  const files = (await processIds()).map((id) => `/proc/${id}/cmdline`)
  const all = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))
  return all.some((line) => line.includes(text))
}

/** None where there is no `/proc`. */
const processIds = async () =>
  (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))

/** Files of fetched repositories: path, mode and content. */
export async function filesLeft(): Promise<{ path: string; mode: number; content: string }[]> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix))
  const files = await Promise.all(
    folders.map((name) => readdir(join(tmpdir(), name), { recursive: true, withFileTypes: true })),
  )
  const paths = files.flat().filter((entry) => entry.isFile())
  return Promise.all(
    paths.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      const { mode } = await stat(path)
      return { path, mode: mode & 0o777, content: await readFile(path, 'latin1') }
    }),
  )
}
