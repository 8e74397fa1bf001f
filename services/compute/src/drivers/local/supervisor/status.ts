import { processName } from '@figbase/kit/processes'
import { type RunStatus, writeJson } from '../run-files.js'
import { uptimeMs } from '../uptime.js'

export type StatusFile = {
  readonly current: RunStatus
  update(change: Partial<RunStatus>): Promise<void>
}

/** The status of a run that begins now, in a file. */
export async function createStatus(
  path: string,
  runId: string,
  leader: number,
): Promise<StatusFile> {
  let current: RunStatus = {
    runId,
    state: 'starting',
    detail: '',
    startedAt: new Date().toISOString(),
    beganMs: uptimeMs(),
    ranForMs: 0,
    leader: processName(leader),
  }
  await writeJson(path, current)
  return {
    get current() {
      return current
    },
    async update(change) {
      current = { ...current, ...change, ranForMs: uptimeMs() - current.beganMs }
      await writeJson(path, current)
    },
  }
}
