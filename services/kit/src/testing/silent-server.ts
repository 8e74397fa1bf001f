import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** A server that accepts connections and never responds. */
export type SilentServer = AsyncDisposable & { port: number; host: string }

export async function startSilentServer(): Promise<SilentServer> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.resume()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    host: `127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
