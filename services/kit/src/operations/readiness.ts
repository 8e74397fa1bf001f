import { recent, shared, within } from './within.js'

/** Asks whether what a process needs answers. */
export type Check = () => Promise<boolean>

export type NotReady = { name: string; why: string }

export type ReadinessState = {
  /** Empty when the process is ready. */
  notReady: NotReady[]
  /** What is away, though the process goes on without it. */
  degraded: NotReady[]
}

export type Readiness = {
  /** Without it every request fails. What is added under one name is one server: each must find it well. */
  needs(name: string, check: Check): void
  /** Without it something waits, or fails by itself: it is only told of. */
  uses(name: string, check: Check): void
  /** From now on the checks decide. */
  started(): void
  stopping(): void
  state(): Promise<ReadinessState>
}

const freshMs = 1000

/**
 * Whether a process can serve. Nobody is asked twice at a time, nor more than once in a second, nor waited for
 * longer than `timeoutMs`.
 */
export function createReadiness(timeoutMs: number): Readiness {
  const needed = new Map<string, Check[]>()
  const used = new Map<string, Check[]>()
  let phase: 'start' | 'stop' | undefined = 'start'

  const addTo = (checks: Map<string, Check[]>) => (name: string, check: Check) => {
    const alone = shared(check)
    const bounded = recent(freshMs, async () => (await within(timeoutMs, alone())) === true)
    checks.set(name, [...(checks.get(name) ?? []), bounded])
  }

  return {
    needs: addTo(needed),
    uses: addTo(used),
    started() {
      phase = undefined
    },
    stopping() {
      phase = 'stop'
    },
    async state() {
      if (phase) return { notReady: [{ name: phase, why: 'is under way' }], degraded: [] }
      const [notReady, degraded] = await Promise.all([missingOf(needed), missingOf(used)])
      return { notReady, degraded }
    },
  }
}

async function missingOf(checks: Map<string, Check[]>): Promise<NotReady[]> {
  const asked = [...checks].map(async ([name, own]) => {
    const answers = await Promise.all(own.map((check) => check()))
    return answers.includes(false) ? [{ name, why: 'does not answer' }] : []
  })
  return (await Promise.all(asked)).flat()
}
