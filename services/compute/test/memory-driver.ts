import {
  AnotherRun,
  type Driver,
  type Measurement,
  type Observation,
  type RunRef,
  type RunSpec,
} from '../src/drivers/port.js'

type Run = {
  spec: RunSpec
  startedAtMs: number
  readyAtMs: number
  endedAtMs?: number
  failure?: string
}

type Known = { run?: Run; newestRunId: string; stopped: Set<string>; files: Set<string> }

export type MemoryDriverOptions = {
  /** Milliseconds since the epoch. */
  now?: () => number
  /** How long a run is starting. */
  startMs?: number
  /** Where each running run can be reached. */
  address?: string
  /** Called before and after each call takes effect; it may wait or throw. */
  interfere?: (call: string, when: 'before' | 'after') => Promise<void>
}

/** The machines of a driver in memory: what outlives the processes that use it. */
export class Machines {
  readonly known = new Map<string, Known>()
  /** Every run that ever began, with its time. */
  readonly runs: Run[] = []
  /** How often a second run of an instance was asked for. */
  refused = 0
  /** What is measured of instances, if not the usual; null: they cannot be measured. */
  readonly measurements = new Map<string, Partial<Measurement> | null>()
  readonly #now: () => number
  readonly #startMs: number
  readonly #address: string

  constructor({
    now = Date.now,
    startMs = 0,
    address = 'http://127.0.0.1:9',
  }: MemoryDriverOptions = {}) {
    this.#now = now
    this.#startMs = startMs
    this.#address = address
  }

  of(instanceId: string): Known {
    const known = this.known.get(instanceId) ?? {
      newestRunId: '',
      stopped: new Set(),
      files: new Set(),
    }
    this.known.set(instanceId, known)
    return known
  }

  start(spec: RunSpec): void {
    const known = this.of(spec.instanceId)
    const { run, newestRunId } = known
    if (spec.runId <= newestRunId || known.stopped.has(spec.runId)) return
    if (run && run.endedAtMs === undefined) {
      this.refused++
      throw new AnotherRun('another run has not ended')
    }
    const now = this.#now()
    known.run = { spec, startedAtMs: now, readyAtMs: now + this.#startMs }
    known.newestRunId = spec.runId
    this.runs.push(known.run)
  }

  stop({ instanceId, runId }: RunRef): void {
    const known = this.of(instanceId)
    known.stopped.add(runId)
    if (known.run?.spec.runId === runId) this.#end(known.run)
  }

  remove(instanceId: string): void {
    const { run } = this.of(instanceId)
    if (run) this.#end(run)
    this.known.delete(instanceId)
  }

  /** The run ends by itself, with an error if `failure` is given. */
  crash(instanceId: string, failure?: string): void {
    const run = this.known.get(instanceId)?.run
    if (!run || run.endedAtMs !== undefined) return
    if (failure !== undefined) run.failure = failure
    this.#end(run)
  }

  observe(): Observation[] {
    return [...this.known].flatMap(([instanceId, { run }]) =>
      run ? [this.#observation(instanceId, run)] : [],
    )
  }

  ranForMs = (run: Run): number => (run.endedAtMs ?? this.#now()) - run.startedAtMs

  #end(run: Run) {
    run.endedAtMs ??= this.#now()
  }

  #observation(instanceId: string, run: Run): Observation {
    const { startedAtMs, readyAtMs, endedAtMs, failure, spec } = run
    const common = {
      instanceId,
      runId: spec.runId,
      detail: failure ?? '',
      startedAt: new Date(startedAtMs),
      ranForMs: this.ranForMs(run),
    }
    if (endedAtMs !== undefined) {
      return { ...common, state: failure === undefined ? 'stopped' : 'failed' }
    }
    if (this.#now() < readyAtMs) return { ...common, state: 'starting' }
    return { ...common, state: 'running', address: this.#address }
  }
}

/** A driver that runs nothing; its calls may fail, before or after they took effect, and be late. */
export function createMemoryDriver(
  machines: Machines,
  { interfere = async () => {} }: MemoryDriverOptions = {},
): Driver {
  async function calling<T>(call: string, effect: () => T): Promise<T> {
    await interfere(call, 'before')
    const result = effect()
    await interfere(call, 'after')
    return result
  }
  return {
    name: 'memory',
    unavailableReason: async () => undefined,
    start: (spec) => calling('start', () => machines.start(spec)),
    stop: (run) => calling('stop', () => machines.stop(run)),
    remove: (instanceId) => calling('remove', () => machines.remove(instanceId)),
    observe: () => calling('observe', () => machines.observe()),
    measure: (instanceId) =>
      calling('measure', () => {
        const found = machines.observe().find((one) => one.instanceId === instanceId)
        const changes = machines.measurements.get(instanceId)
        return found?.state === 'running' && changes !== null
          ? { ...measurement, ...changes }
          : undefined
      }),
  }
}

const measurement: Measurement = {
  jupyterUp: true,
  activeKernelCount: 1,
  busyKernelCount: 0,
  cpuPct: 3,
  memPct: 20,
  diskPct: 1,
}
