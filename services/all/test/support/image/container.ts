import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { uid } from './image.js'

export type ContainerOptions = {
  /** The root file system, which the container can only read. */
  root: string
  /** What runs in it. */
  command: string[]
  env?: NodeJS.ProcessEnv
  /** Folders outside by their path inside; the container can write to them. */
  mounts?: Record<string, string>
  /** Files and folders outside by their path inside, to read. */
  files?: Record<string, string>
  /** Empty folders in memory that the container can write to; default: `/tmp`. */
  tmpfs?: string[]
  input?: string
  /** Whether it shares the network of this machine; otherwise it only has a loopback. */
  hasNetwork?: boolean
}

/**
 * A process as Docker would run it, with bubblewrap instead of Docker: process 1 of its own process ids, uid 10001,
 * read-only root file system, nothing of this machine but the network, and no capabilities.
 */
export class Container {
  output = ''
  readonly ended: Promise<number>
  readonly #child: ChildProcess
  readonly #pid: Promise<number>

  constructor(options: ContainerOptions) {
    const { root, command, env = {}, mounts = {}, files = {}, tmpfs = ['/tmp'] } = options
    const args = [
      ...['--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev'],
      ...tmpfs.flatMap((inside) => ['--tmpfs', inside]),
      ...Object.entries(mounts).flatMap(([inside, outside]) => ['--bind', outside, inside]),
      ...Object.entries(files).flatMap(([inside, outside]) => ['--ro-bind', outside, inside]),
      ...['--unshare-user', '--uid', `${uid}`, '--gid', `${uid}`, '--cap-drop', 'ALL'],
      ...['--unshare-pid', '--as-pid-1', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
      ...(options.hasNetwork === false ? ['--unshare-net'] : []),
      ...['--clearenv', '--json-status-fd', '3'],
      ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value ?? '']),
      ...command,
    ]
    this.#child = spawn('bwrap', args, { stdio: ['pipe', 'pipe', 'pipe', 'pipe'], detached: true })
    const keep = (chunk: string) => {
      this.output += chunk
    }
    this.#child.stdout?.setEncoding('utf8').on('data', keep)
    this.#child.stderr?.setEncoding('utf8').on('data', keep)
    this.#child.stdin?.on('error', () => {}).end(options.input)
    const status = this.#child.stdio[3] as Readable
    this.#pid = once(status.setEncoding('utf8'), 'data').then(
      ([text]) => Number(/"child-pid": (\d+)/.exec(text)?.[1]) || 0,
    )
    this.ended = once(this.#child, 'close').then(([code]) => code ?? -1)
  }

  hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Sends a signal to process 1, if it has not ended. */
  async signal(name: NodeJS.Signals): Promise<void> {
    const pid = await this.#pid
    if (pid <= 0 || this.hasEnded()) return
    try {
      process.kill(pid, name)
    } catch (error) {
      // It ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  /** As a container runtime does; returns the exit code. */
  async stop(): Promise<number> {
    await this.signal('SIGTERM')
    return this.ended
  }
}
