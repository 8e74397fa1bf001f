/** The size of an instance. */
export type Size = { vcpu: number; memoryBytes: number }

/** One run of an instance: its notebook server from a start to its end. */
export type RunSpec = Size & {
  instanceId: string
  /** UUID version 7, so runs of an instance sort by the time of their creation. */
  runId: string
  /** Of the files that outlive runs. */
  volumeBytesMax: number
  /** All variables that the notebook server gets besides those that it needs itself: `GF_URL` and others. */
  environment: Record<string, string>
  /** The path below which the notebook server serves; begins and ends with `/`. */
  basePath: string
  /** The notebook server refuses requests without it. */
  token: string
}

export type RunRef = Pick<RunSpec, 'instanceId' | 'runId'>

/**
 * `starting`: its processes run, and it serves no requests yet. `stopped`: it ended because of `stop`, or by itself
 * without an error. `failed`: it ended with an error, or could not be started.
 */
export type RunState = 'starting' | 'running' | 'stopped' | 'failed'

/** The newest run of an instance. No process of a run that is `stopped` or `failed` is left. */
export type Observation = RunRef & {
  state: RunState
  /** For the owner of the instance: why it failed. Empty if there is nothing to say. */
  detail: string
  /** Where the notebook server listens, while it is running: `http://127.0.0.1:40123`. */
  address?: string
  /** When its processes began; absent if none ever did. It does not change. */
  startedAt?: Date
  /**
   * How long its processes have been running, until now or until they ended, by a clock that is never set. It is
   * what is billed. 0 if none ever began.
   */
  ranForMs: number
}

/** Whether processes of the run may be left. */
export const isAlive = ({ state }: Pick<Observation, 'state'>): boolean =>
  state === 'starting' || state === 'running'

/** What a driver measured from outside a running instance, so that a notebook cannot forge it. */
export type Measurement = {
  /** The notebook server answers. */
  jupyterUp: boolean
  activeKernelCount: number
  /** While the server does not answer, what it answered last. */
  busyKernelCount: number
  /** Percent of what the size of the instance permits: 0 to 100. Of processors, in the last seconds. */
  cpuPct: number
  memPct: number
  diskPct: number
  /** Of a kernel or of the server; absent if unknown. */
  lastActivityAt?: Date
  /** How old this is that the server told of its kernels and of activity; absent: it was asked just now. */
  kernelsAgeMs?: number
}

/** `start` is refused: another run of the instance has not ended. */
export class AnotherRun extends Error {
  override name = 'AnotherRun'
}

/** The driver failed or refused, temporarily or not; the message is for the owner of the instance. */
export class DriverFailed extends Error {
  override name = 'DriverFailed'
}

/**
 * Runs instances. Each call may be repeated, and may be made by several processes at once; a call may take effect
 * although it rejects. An instance never has two runs at a time, whatever the order of the calls. Runs outlive the
 * process that started them, and any process with the same settings sees and ends them.
 *
 * A call ends soon after its signal was aborted.
 *
 * Only the reconciler calls the methods that change something.
 */
export interface Driver {
  readonly name: 'local' | 'kubernetes' | 'memory'
  /** Why no instance can be launched here, as a sentence for users; undefined if they can. */
  unavailableReason(): Promise<string | undefined>
  /**
   * Starts a run; resolves before the notebook server serves. Creates the volume if there is none. Does nothing if
   * this run, or a later one of the instance, was started or stopped before. Throws AnotherRun, or DriverFailed.
   */
  start(spec: RunSpec, signal: AbortSignal): Promise<void>
  /**
   * Begins to end every process of the run, however detached, and keeps the volume; `observe` says when it has ended.
   * The run never starts again, also if its `start` is still on its way. Leaves other runs alone.
   */
  stop(run: RunRef, signal: AbortSignal): Promise<void>
  /**
   * Ends every process of the instance and deletes its volume and all that the driver knows of it. `observe` lists
   * the instance until all is gone.
   */
  remove(instanceId: string, signal: AbortSignal): Promise<void>
  /**
   * The newest run of each instance of which anything is left, be it a process, a volume or a run that has ended.
   * Throws DriverFailed if it cannot see all of them.
   */
  observe(signal: AbortSignal): Promise<Observation[]>
  /** Undefined if the instance is not running, or cannot be measured now. */
  measure(instanceId: string, signal: AbortSignal): Promise<Measurement | undefined>
  /**
   * Resolves when another state may be observed than the last time, at the latest after `timeoutMs`. Absent where only
   * looking tells.
   */
  changed?(timeoutMs: number, signal: AbortSignal): Promise<void>
}
