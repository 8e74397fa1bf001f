/** What the instance shall be. */
export type Desired = 'running' | 'stopped' | 'terminated'
/**
 * What is known of its current run: `none` until the driver reports it. `gone`: the driver has nothing of the instance
 * any more.
 */
export type Observed = 'none' | 'starting' | 'running' | 'stopped' | 'failed' | 'gone'

export type State = { desired: Desired; observed: Observed }

export type Lifecycle =
  | 'pending'
  | 'starting'
  | 'running'
  | 'stopping'
  | 'stopped'
  | 'failed'
  | 'terminated'

/** What may happen to an instance: the commands of users, then what the reconciler found. */
export type Happening =
  | 'start'
  | 'stop'
  | 'terminate'
  | 'run_starting'
  | 'run_running'
  | 'run_stopped'
  | 'run_failed'
  | 'run_retried'
  | 'run_reappeared'
  | 'removed'

type Rule = {
  desired: Desired[]
  observed: Observed[]
  /** What changes. A terminated instance stays so. */
  to: Partial<State>
}

const unfinished: Observed[] = ['none', 'starting', 'running']
const ended: Observed[] = ['stopped', 'failed']
const always: Desired[] = ['running', 'stopped', 'terminated']

/** The state machine: in which states something may happen, and what follows. */
export const rules: Record<Happening, Rule> = {
  start: { desired: ['stopped'], observed: ended, to: { desired: 'running', observed: 'none' } },
  stop: { desired: ['running'], observed: unfinished, to: { desired: 'stopped' } },
  terminate: {
    desired: ['running', 'stopped'],
    observed: [...unfinished, ...ended],
    to: { desired: 'terminated' },
  },
  run_starting: { desired: always, observed: ['none'], to: { observed: 'starting' } },
  run_running: { desired: always, observed: ['none', 'starting'], to: { observed: 'running' } },
  // A user may end the notebook server from within: it is not started again.
  run_stopped: {
    desired: always,
    observed: unfinished,
    to: { desired: 'stopped', observed: 'stopped' },
  },
  run_failed: {
    desired: always,
    observed: unfinished,
    to: { desired: 'stopped', observed: 'failed' },
  },
  run_retried: {
    desired: ['running'],
    observed: ['starting', 'running', 'none'],
    to: { observed: 'none' },
  },
  // A start that was given up took effect late, after all of the instance was removed.
  run_reappeared: {
    desired: ['stopped', 'terminated'],
    observed: [...ended, 'gone'],
    to: { observed: 'running' },
  },
  removed: { desired: ['terminated'], observed: ended, to: { observed: 'gone' } },
}

export const launched: State = { desired: 'running', observed: 'none' }

/** The state after something happened; undefined if it cannot happen in this state. */
export function next({ desired, observed }: State, happening: Happening): State | undefined {
  const rule = rules[happening]
  if (!rule.desired.includes(desired) || !rule.observed.includes(observed)) return undefined
  const wanted = rule.to.desired ?? desired
  return {
    desired: desired === 'terminated' ? desired : wanted,
    observed: rule.to.observed ?? observed,
  }
}

/** Each desired state by what is observed; without the states that do not occur. */
const lifecycles: Record<Desired, Partial<Record<Observed, Lifecycle>>> = {
  running: { none: 'pending', starting: 'starting', running: 'running' },
  stopped: {
    none: 'stopping',
    starting: 'stopping',
    running: 'stopping',
    stopped: 'stopped',
    failed: 'failed',
  },
  terminated: {
    none: 'stopping',
    starting: 'stopping',
    running: 'stopping',
    // Its volume may be kept for a while.
    stopped: 'terminated',
    failed: 'terminated',
    gone: 'terminated',
  },
}

export function lifecycleOf({ desired, observed }: State): Lifecycle {
  const lifecycle = lifecycles[desired][observed]
  if (!lifecycle) throw new Error(`an instance is never ${observed} while it shall be ${desired}`)
  return lifecycle
}

/** Whether the reconciler has nothing to do or to look at. */
export const isAtRest = (state: State): boolean =>
  ['stopped', 'failed', 'terminated'].includes(lifecycleOf(state))
