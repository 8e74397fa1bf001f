import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Started } from './messages.js'

const frameBytes = 200

/** One request on a connection that is kept. */
export async function get(agent: Agent, { port, path, host, cookie }: Started): Promise<void> {
  const headers = { host, cookie, origin: `http://${host}` }
  const sent = request({ agent, host: '127.0.0.1', port, path, headers }).end()
  const [response] = await once(sent, 'response')
  if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
  await once(response.resume(), 'end')
}

export async function openSocket({ port, path, host, cookie }: Started): Promise<Duplex> {
  const headers = {
    host,
    cookie,
    origin: `http://${host}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }).end()
  const [, socket] = await once(sent, 'upgrade')
  return socket
}

/** A masked frame, the answer to which is the frame itself. */
const frame = Buffer.concat([
  Buffer.from([0x82, 0x80 | 126, 0, frameBytes, 0, 0, 0, 0]),
  Buffer.alloc(frameBytes),
])

/** Sends a frame, and waits for its echo. */
export async function echo(socket: Duplex): Promise<void> {
  let left = frame.length
  const done = new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      left -= chunk.length
      if (left > 0) return
      socket.off('data', read).off('close', reject)
      resolve()
    }
    socket.on('data', read).once('close', reject)
  })
  socket.write(frame)
  await done
}

export const keptAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 })
