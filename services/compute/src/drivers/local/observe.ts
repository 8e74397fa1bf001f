import { isProcessGone } from '@figbase/kit/processes'
import type { Measurement, Observation } from '../port.js'
import { endLeftovers } from './end-run.js'
import { instanceDirectory } from './instance-directory.js'
import { isEnded, type RunRecord, type RunStatus, readJson, writeJson } from './run-files.js'
import { uptimeMs } from './uptime.js'

/** What is known of the newest run of an instance. */
export type Known = { record: RunRecord; status: RunStatus | undefined }

export async function readInstance(root: string, instanceId: string): Promise<Known | undefined> {
  const directory = instanceDirectory(root, instanceId)
  const record = await readJson<RunRecord>(directory.record)
  if (!record) return undefined
  // A supervisor writes its last status before it ends: whether it has is asked first.
  const isSupervised = record.supervisor !== '' && !isProcessGone(record.supervisor)
  const newest = await readJson<RunStatus>(directory.status)
  const status = newest?.runId === record.runId ? newest : undefined
  if (isSupervised || (status && isEnded(status.state))) return { record, status }
  await endLeftovers(record, status)
  if (!status) return { record, status }
  const lost = lostStatus(record, status)
  await writeJson(directory.status, lost)
  return { record, status: lost }
}

/** Of a run whose supervisor was killed. */
function lostStatus({ stopped, runId }: RunRecord, status: RunStatus): RunStatus {
  if (stopped.includes(runId)) return { ...status, state: 'stopped', detail: '' }
  return { ...status, state: 'failed', detail: 'its processes were ended from outside' }
}

/** Undefined if the instance has no run. */
export function observationOf(
  instanceId: string,
  { record, status }: Known,
): Observation | undefined {
  const { runId } = record
  if (!runId) return undefined
  if (!status) return { instanceId, runId, ...notBegun(record), ranForMs: 0 }
  const { state, detail, address, startedAt, beganMs } = status
  return {
    instanceId,
    runId,
    state,
    detail,
    ...(state === 'running' && address !== undefined && { address }),
    startedAt: new Date(startedAt),
    ranForMs: isEnded(state) ? status.ranForMs : uptimeMs() - beganMs,
  }
}

function notBegun({
  supervisor,
  stopped,
  runId,
}: RunRecord): Pick<Observation, 'state' | 'detail'> {
  if (supervisor && !isProcessGone(supervisor)) return { state: 'starting', detail: '' }
  if (stopped.includes(runId)) return { state: 'stopped', detail: '' }
  return { state: 'failed', detail: 'it could not be started' }
}

export function measurementOf({ status }: Known): Measurement | undefined {
  if (status?.state !== 'running' || !status.measurement) return undefined
  const { lastActivityAt, kernelsAskedMs, ...measurement } = status.measurement
  return {
    ...measurement,
    ...(lastActivityAt && { lastActivityAt: new Date(lastActivityAt) }),
    kernelsAgeMs: Math.max(0, Math.round(uptimeMs() - kernelsAskedMs)),
  }
}
