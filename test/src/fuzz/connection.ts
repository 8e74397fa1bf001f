import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { deployment } from '../deployment.js'
import { parseAnswer, type WireAnswer } from '../wire.js'

export type Outcome =
  | { kind: 'answer'; answer: WireAnswer }
  /** A stream of events, which the client ended. */
  | { kind: 'stream'; answer: WireAnswer }
  | { kind: 'failure'; problem: string }
  /** There was no answer in time. */
  | { kind: 'silence' }

export type Limits = {
  answerMs: number
  answerBytes: number
  streamMs: number
  /** Whether the server may end a stream without its end, because what it reads is not valid. */
  mayCutStream: boolean
}

/** How long to watch a connection after its last answer. */
const watchMs = 20

/** A connection that is kept alive, and reports when it ends without announcement. */
export class Connection {
  #received = Buffer.alloc(0)
  #parts: Buffer[] = []
  #isClosed = false
  #error = ''
  #saidClose = false
  #wake = () => {}

  private constructor(
    readonly socket: Socket,
    readonly limits: Limits,
  ) {
    socket.on('data', (bytes) => {
      this.#parts.push(bytes)
      this.#wake()
    })
    const onEnd = (error?: Error & { code?: string }) => {
      this.#isClosed = true
      this.#error ||= error?.code ?? ''
      this.#wake()
    }
    socket
      .on('error', onEnd)
      .on('end', () => onEnd())
      .on('close', () => onEnd())
  }

  static async open(limits: Limits): Promise<Connection> {
    const { hostname, port } = deployment.origin
    const socket = connect({ host: hostname, port: Number(port || 80), allowHalfOpen: true })
    await once(socket, 'connect')
    return new Connection(socket, limits)
  }

  /** Whether another request may follow. */
  get isOpen(): boolean {
    return !this.#isClosed && !this.#saidClose
  }

  /** How it ended, if the last response did not announce it. */
  get unexpectedEnd(): string | undefined {
    if (!this.#isClosed || this.#saidClose) return undefined
    return this.#error || 'the server closed the connection'
  }

  async exchange(bytes: Buffer, method: string): Promise<Outcome> {
    if (!this.socket.destroyed) this.socket.write(bytes)
    const start = performance.now()
    for (;;) {
      const outcome = this.#read(method, performance.now() - start)
      if (outcome) return outcome
      await this.#more(start)
    }
  }

  #read(method: string, ms: number): Outcome | undefined {
    this.#received = Buffer.concat([this.#received, ...this.#parts.splice(0)])
    const parsed = parseAnswer(this.#received, this.#isClosed, method)
    if (parsed) {
      this.#received = this.#received.subarray(parsed.length)
      const { headers } = parsed.answer
      this.#saidClose = headers.get('connection')?.toLowerCase() === 'close'
      return { kind: 'answer', answer: parsed.answer }
    }
    const text = this.#received.subarray(0, 5000).toString('latin1')
    const isStreamOver = ms > this.limits.streamMs || (this.#isClosed && this.limits.mayCutStream)
    if (isStreamOver && /^content-type: text\/event-stream/im.test(text)) {
      return { kind: 'stream', answer: this.#partOfStream() }
    }
    if (this.#isClosed) {
      const what = this.#error || 'closed'
      return { kind: 'failure', problem: `${what} without an answer: ${text.slice(0, 300)}` }
    }
    if (ms > this.limits.answerMs) {
      return { kind: 'silence' }
    }
    if (this.#received.length > this.limits.answerBytes) {
      return { kind: 'failure', problem: `an answer of more than ${this.limits.answerBytes} bytes` }
    }
    return undefined
  }

  /** Reads the answers to what follows the body that a request announced, and how the connection ended. */
  async rest(): Promise<string | undefined> {
    await sleep(watchMs)
    while (this.#read('GET', 0)?.kind === 'answer');
    return this.unexpectedEnd
  }

  /** What was received so far, as if it were all. */
  #partOfStream(): WireAnswer {
    const end = this.#received.lastIndexOf('\r\n')
    const whole = Buffer.concat([this.#received.subarray(0, end + 2), Buffer.from('0\r\n\r\n')])
    const answer = parseAnswer(whole, true)?.answer
    this.destroy()
    return answer ?? { status: 200, headers: new Headers(), bytes: Buffer.alloc(0) }
  }

  async #more(start: number): Promise<void> {
    if (this.#parts.length > 0) return
    const tickMs = Math.min(500, Math.max(10, this.limits.streamMs - (performance.now() - start)))
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, tickMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  destroy(): void {
    this.#saidClose = true
    this.socket.destroy()
  }
}
