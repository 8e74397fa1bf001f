import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from '../../src/child.js'
import type { Program } from '../../src/programs.js'

const readyMs = 60_000

/** One process of a service, or of the gateway, on ports that it keeps when it is started again. */
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

  /** Until it says that it is ready. */
  async start(): Promise<void> {
    this.#child = startChild(this.program.name, this.program.file, this.env)
    await this.#child.ready
    const end = performance.now() + readyMs
    let said = ''
    while (performance.now() < end) {
      const answer = await fetch(`http://127.0.0.1:${this.operationsPort}/readyz`).catch(
        () => undefined,
      )
      said = (await answer?.text()) ?? ''
      if (answer?.ok) return
      await sleep(20)
    }
    throw new Error(`${this.name} was not ready after ${readyMs / 1000} s: ${said}`)
  }

  /** As whoever runs it does: SIGTERM, and its end is waited for. */
  async stop(): Promise<void> {
    await this.#child?.stop()
    this.#child = undefined
    // Whoever waits for all of them to end reads who does not.
    console.log(`${this.name} has ended`)
  }

  /** Takes what comes, and answers nothing, until it is thawed. */
  freeze(): void {
    this.#signal('SIGSTOP')
  }

  thaw(): void {
    this.#signal('SIGCONT')
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#child?.pid) process.kill(this.#child.pid, name)
  }

  /** SIGKILL, as when its machine is gone. */
  async kill(): Promise<void> {
    this.#child?.kill()
    await this.stop()
  }
}
