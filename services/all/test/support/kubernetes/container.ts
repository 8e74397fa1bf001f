import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Container } from '../chart/manifests.js'
import { type ProbeName, probeOf, probeRepeatedly } from './probe.js'

const outputMax = 20_000

export type Launch = {
  program: string
  args: string[]
  env: Record<string, string>
  cwd: string
  /** The address of the pod. */
  ip: string
}

export type ContainerEvents = {
  readinessChanged(): void
  /** After it was ready or not; a problem names the container. */
  failed(problem: string): void
}

/** A container as a local process, with the probes of the kubelet. */
export class LocalContainer {
  isReady = false
  readonly #spec: Container
  readonly #launch: Launch
  readonly #events: ContainerEvents
  readonly #probing = new AbortController()
  #process: ChildProcess | undefined
  #output = ''
  #isStopping = false

  constructor(spec: Container, launch: Launch, events: ContainerEvents) {
    this.#spec = spec
    this.#launch = launch
    this.#events = events
  }

  start(): void {
    const { program, args, env, cwd, ip } = this.#launch
    // Read before the start, because they may be wrong.
    const startup = probeOf(this.#spec, 'startupProbe', ip)
    for (const name of ['livenessProbe', 'readinessProbe'] as const) probeOf(this.#spec, name, ip)
    this.#process = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk).slice(-outputMax)
    }
    this.#process.stdout?.on('data', keep)
    this.#process.stderr?.on('data', keep)
    this.#process.once('error', (error) => this.#fail(error.message))
    this.#process.once('close', (code, signal) => {
      if (!this.#isStopping) this.#fail(`ended with ${signal ?? code}`)
    })
    if (!startup) {
      this.#probeWhileRunning()
      return
    }
    const starting = new AbortController()
    this.#probing.signal.addEventListener('abort', () => starting.abort())
    void probeRepeatedly(startup, starting.signal, (isSuccess, why) => {
      starting.abort()
      if (isSuccess) this.#probeWhileRunning()
      else this.#fail(`startupProbe: ${why}`)
    })
  }

  #probeWhileRunning(): void {
    if (this.#probing.signal.aborted) return
    this.#probe('livenessProbe', (isSuccess, why) => {
      if (!isSuccess) this.#fail(`livenessProbe: ${why}`)
    })
    const isProbed = this.#probe('readinessProbe', (isSuccess) => this.#setReady(isSuccess))
    if (!isProbed) this.#setReady(true)
  }

  #probe(name: ProbeName, report: (isSuccess: boolean, why?: string) => void): boolean {
    const probe = probeOf(this.#spec, name, this.#launch.ip)
    if (probe) void probeRepeatedly(probe, this.#probing.signal, report)
    return probe !== undefined
  }

  #setReady(isReady: boolean): void {
    if (this.isReady === isReady) return
    this.isReady = isReady
    this.#events.readinessChanged()
  }

  #fail(why: string): void {
    if (this.#isStopping) return
    this.#events.failed(`container ${this.#spec.name}: ${why}\n${this.#output}`)
  }

  /** As the deletion of its pod: `preStop`, SIGTERM, and SIGKILL at the end of the grace period, which is a failure. */
  async stop(graceMs: number): Promise<void> {
    const child = this.#process
    const isRunning = child?.exitCode === null && child.signalCode === null
    this.#probing.abort()
    this.isReady = false
    if (!child || !isRunning) return
    const killAt = performance.now() + graceMs
    await sleep((this.#spec.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1000)
    this.#isStopping = true
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    const killing = new AbortController()
    const killed = sleep(Math.max(0, killAt - performance.now()), true, { signal: killing.signal })
    const isOver = await Promise.race([closed.then(() => false), killed])
    killing.abort()
    killed.catch(() => {})
    if (isOver) child.kill('SIGKILL')
    await closed
    if (!isOver && child.exitCode === 0) return
    const how = isOver
      ? `still ran ${graceMs / 1000} s after SIGTERM`
      : `ended with ${child.signalCode ?? child.exitCode} after SIGTERM`
    this.#events.failed(`container ${this.#spec.name}: ${how}\n${this.#output}`)
  }

  kill(): void {
    this.#isStopping = true
    this.#probing.abort()
    this.#process?.kill('SIGKILL')
  }

  /** Waits for the end of a container that runs once, and returns its output. */
  async complete(): Promise<string> {
    this.#isStopping = true
    const child = this.#process
    if (!child) throw new Error(`container ${this.#spec.name} was not started`)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
    if (child.exitCode === 0) return this.#output
    const how = child.signalCode ?? child.exitCode
    throw new Error(`container ${this.#spec.name}: ended with ${how}\n${this.#output}`)
  }
}
