import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Forwards connections from an address to the server of a URL. */
export async function forward(host: string, port: number, url: string): Promise<AsyncDisposable> {
  const target = new URL(url)
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({
      host: target.hostname,
      port: Number(target.port),
      allowHalfOpen: true,
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one)
      one.setNoDelay()
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroySoon()
      })
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
