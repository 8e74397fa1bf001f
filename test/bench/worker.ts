import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A child process that handles one message at a time. It exits with its parent, when the channel closes. */
export class Worker implements AsyncDisposable {
  readonly #child: ChildProcess

  constructor(file: string) {
    const path = fileURLToPath(new URL(file, import.meta.url))
    this.#child = fork(path, { serialization: 'advanced', execArgv: [] })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Sends a message and resolves to the response; rejects on an error, exit or timeout. */
  ask<T>(question: object, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = (act: () => void) => {
        clearTimeout(timer)
        this.#child.off('message', onMessage).off('exit', onExit)
        act()
      }
      const onMessage = (answer: { result: T } | { error: string }) =>
        done(() => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer.result)))
      const onExit = () => done(() => reject(new Error('a process of the benchmark exited')))
      const timer = setTimeout(
        () => done(() => reject(new Error(`timed out after ${timeoutMs / 1000} s`))),
        timeoutMs,
      )
      this.#child.on('message', onMessage).on('exit', onExit)
      this.#child.send(question)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await exit
  }
}
