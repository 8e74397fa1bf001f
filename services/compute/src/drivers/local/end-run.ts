import { pidOf } from '@figbase/kit/processes'
import { confinedProcesses, kill, unconfinedProcesses } from './processes-of.js'
import type { RunRecord, RunStatus } from './run-files.js'

/** Kills the supervisor of a run, and all processes of the run. Resolves when none is left. */
export async function killRun(record: RunRecord, status: RunStatus | undefined): Promise<void> {
  const supervisor = pidOf(record.supervisor)
  if (supervisor) kill(supervisor)
  await endLeftovers(record, status)
}

/** Ends processes of a run whose supervisor has ended. */
export async function endLeftovers(
  { runId }: Pick<RunRecord, 'runId'>,
  status: RunStatus | undefined,
): Promise<void> {
  const leader = status && pidOf(status.leader)
  if (leader) await confinedProcesses(leader).end()
  // What is confined has ended; this finds the others.
  if (runId) await unconfinedProcesses(leader, runId).end()
}
