import { once } from 'node:events'
import { connect } from 'node:net'
import { authorization } from './start-edge.js'

/** A raw connection: the test controls every byte. */
export async function dial(port: number) {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  let text = ''
  const ended = new Promise<void>((resolve) => {
    // A server may respond early and reset the connection: use what was received before.
    socket.on('error', () => resolve())
    socket.on('end', () => resolve()).on('close', () => resolve())
  })
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  await once(socket, 'connect')
  return {
    socket,
    write: (bytes: string) => {
      if (!socket.destroyed) socket.write(bytes)
    },
    isOpen: () => !socket.destroyed && !socket.readableEnded,
    /** Everything received until the server closed the connection. */
    async answer() {
      await ended
      socket.destroy()
      return { status: Number(text.split(' ')[1] ?? 0), text, json: () => jsonOf(text) }
    },
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

function jsonOf(text: string) {
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { error: string; detail: string }
}

export type Wire = Awaited<ReturnType<typeof dial>>

/** The headers of an authenticated request with a JSON body. */
export function head(method: string, path: string, headers: Record<string, string> = {}) {
  const all = { host: 'x', 'content-type': 'application/json', ...authorization(), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export const chunked = { 'transfer-encoding': 'chunked' }
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
