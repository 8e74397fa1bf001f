import { memoizeFor, singleFlight, tryWithin } from '../timing/memoize.js'

/** Checks whether a dependency is available. */
export type Check = () => Promise<boolean>

export type NotReady = { name: string; why: string }

export type ReadinessState = {
  /** Empty when the process is ready. */
  notReady: NotReady[]
  /** Unavailable optional dependencies. */
  degraded: NotReady[]
}

export type Dependency = { name: string; isRequired: boolean; isAvailable: boolean }

export type Readiness = {
  /** Adds a required dependency. All checks under one name are of one server and must pass. */
  needs(name: string, check: Check): void
  /** Adds an optional dependency, which is only reported. */
  uses(name: string, check: Check): void
  /** Startup is complete: from now on the checks decide. */
  started(): void
  stopping(): void
  /** Whether each dependency is available, in every phase. */
  dependencies(): Promise<Dependency[]>
  state(): Promise<ReadinessState>
}

const freshMs = 1000

/**
 * Readiness of a process. Checks run once at a time, at most once a second, with a timeout of `timeoutMs`.
 */
export function createReadiness(timeoutMs: number): Readiness {
  const required = new Map<string, Check[]>()
  const optional = new Map<string, Check[]>()
  let phase: 'start' | 'stop' | undefined = 'start'

  const addTo = (checks: Map<string, Check[]>) => (name: string, check: Check) => {
    const checkOnce = singleFlight(check)
    const isAvailable = async () => (await tryWithin(timeoutMs, checkOnce())) === true
    checks.set(name, [...(checks.get(name) ?? []), memoizeFor(freshMs, isAvailable)])
  }

  const dependencies = async () =>
    (await Promise.all([runChecks(required, true), runChecks(optional, false)])).flat()

  return {
    needs: addTo(required),
    uses: addTo(optional),
    started() {
      phase = undefined
    },
    stopping() {
      phase = 'stop'
    },
    dependencies,
    async state() {
      if (phase) return { notReady: [{ name: phase, why: 'is under way' }], degraded: [] }
      const unavailable = (await dependencies()).filter(({ isAvailable }) => !isAvailable)
      return {
        notReady: unavailable.filter(({ isRequired }) => isRequired).map(notAnswering),
        degraded: unavailable.filter(({ isRequired }) => !isRequired).map(notAnswering),
      }
    },
  }
}

const notAnswering = ({ name }: Dependency): NotReady => ({ name, why: 'does not answer' })

async function runChecks(checks: Map<string, Check[]>, isRequired: boolean): Promise<Dependency[]> {
  return Promise.all(
    [...checks].map(async ([name, own]) => {
      const answers = await Promise.all(own.map((each) => each()))
      return { name, isRequired, isAvailable: !answers.includes(false) }
    }),
  )
}
