import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from '../../../src/child.js'
import type { Program } from '../../../src/programs.js'

const readyMs = 60_000
const pauseMs = 100

/** A process of a service or of the gateway, with ports that stay the same after a restart. */
export class Replica {
  #child: Child | undefined

  constructor(
    readonly program: Program,
    readonly number: number,
    readonly env: NodeJS.ProcessEnv,
    readonly operationsPort: number,
  ) {}

  get name(): string {
    return `${this.program.name} ${this.number}`
  }

  /** Waits until the process is ready. */
  async start(): Promise<void> {
    this.#child = startChild(this.program.name, this.program.file, this.env)
    await this.#child.ready
    const end = performance.now() + readyMs
    let response = ''
    while (performance.now() < end) {
      const answer = await fetch(`http://127.0.0.1:${this.operationsPort}/readyz`).catch(
        () => undefined,
      )
      response = (await answer?.text()) ?? ''
      if (answer?.ok) return
      await sleep(pauseMs)
    }
    throw new Error(`${this.name} was not ready after ${readyMs / 1000} s: ${response}`)
  }

  /** Sends SIGTERM, and waits for the exit. */
  async stop(): Promise<void> {
    await this.#child?.stop()
    this.#child = undefined
    // Shows which process does not end.
    console.log(`${this.name} has ended`)
  }

  /** Suspends the process: it accepts connections but does not respond. */
  freeze(): void {
    this.#signal('SIGSTOP')
  }

  thaw(): void {
    this.#signal('SIGCONT')
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#child?.pid) process.kill(this.#child.pid, name)
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    this.#child?.kill()
    await this.stop()
  }
}
