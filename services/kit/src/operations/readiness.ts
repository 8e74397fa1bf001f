import { shared, within } from './within.js'

/** Asks whether what a process needs answers. */
export type Check = () => Promise<boolean>

export type NotReady = { name: string; why: string }

export type Readiness = {
  add(name: string, check: Check): void
  /** From now on the checks decide. */
  started(): void
  stopping(): void
  /** What is not ready; empty when the process is. */
  missing(): Promise<NotReady[]>
}

/** Whether a process can serve. Nobody is asked twice at a time, nor waited for longer than `timeoutMs`. */
export function createReadiness(timeoutMs: number): Readiness {
  const checks = new Map<string, Check>()
  let phase: 'start' | 'stop' | undefined = 'start'
  const ask = shared(async () => {
    const answers = await Promise.all(
      [...checks].map(async ([name, check]) => ({
        name,
        isWell: await within(timeoutMs, check()),
      })),
    )
    return answers.filter(({ isWell }) => !isWell).map(({ name }) => doesNotAnswer(name))
  })
  return {
    add: (name, check) => void checks.set(name, shared(check)),
    started() {
      phase = undefined
    },
    stopping() {
      phase = 'stop'
    },
    missing: async () => (phase ? [{ name: phase, why: 'is under way' }] : ask()),
  }
}

const doesNotAnswer = (name: string): NotReady => ({ name, why: 'does not answer' })
