import type { Readable, Writable } from 'node:stream'

export type Params = Record<string, unknown>
type Message = { id?: number; method?: string; params?: Params; result?: Params; error?: object }
type Waiting = { resolve(result: Params): void; reject(error: Error): void }

/** The DevTools protocol of Chromium, over pipes: nothing listens on a port. */
export type DevTools = {
  send(method: string, params?: Params, sessionId?: string): Promise<Params>
  /** The next events go to this listener. */
  listen(listener: (method: string, params: Params) => void): void
}

export class CallRefused extends Error {
  override name = 'CallRefused'
}

/** Calls that are open when Chromium exits are rejected. */
export function openDevTools(input: Writable, output: Readable): DevTools {
  const waiting = new Map<number, Waiting>()
  let listener: (method: string, params: Params) => void = () => {}
  let lastId = 0
  let isClosed = false

  const handle = ({ id, method = '', params = {}, result = {}, error }: Message) => {
    if (id === undefined) return listener(method, params)
    const call = waiting.get(id)
    waiting.delete(id)
    if (error) call?.reject(new CallRefused(JSON.stringify(error)))
    else call?.resolve(result)
  }
  let parts: Buffer[] = []
  output.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const text = Buffer.concat([...parts, chunk.subarray(start, end)]).toString()
      parts = []
      start = end + 1
      handle(JSON.parse(text))
    }
    parts.push(chunk.subarray(start))
  })
  output.on('close', () => {
    isClosed = true
    for (const { reject } of waiting.values()) reject(exited())
    waiting.clear()
  })
  output.on('error', () => {})
  input.on('error', () => {})

  return {
    listen(next) {
      listener = next
    },
    send: (method, params = {}, sessionId = undefined) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(exited())
        const id = ++lastId
        waiting.set(id, { resolve, reject })
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      }),
  }
}

const exited = () => new Error('Chromium exited')
