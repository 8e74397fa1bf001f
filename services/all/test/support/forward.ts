import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Address = { host: string; port: number }

export type Forwarder = AsyncDisposable & { url: string }

/** Forwards each connection to the first of the targets of that moment that accepts it. */
export async function forward(from: Address, targets: () => Address[]): Promise<Forwarder> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => connectTo(client, targets()))

  function connectTo(client: Socket, [target, ...others]: Address[]) {
    if (!target) {
      client.destroy()
      return
    }
    const upstream = connect({ ...target, allowHalfOpen: true })
    const refused = () => connectTo(client, others)
    upstream.once('error', refused)
    upstream.once('connect', () => {
      upstream.off('error', refused)
      join(client, upstream)
      join(upstream, client)
      client.pipe(upstream)
      upstream.pipe(client)
    })
  }

  /** Closes or resets the other side like this one. */
  function join(socket: Socket, other: Socket) {
    open.add(socket)
    socket.setNoDelay()
    socket.on('error', () => other.resetAndDestroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroySoon()
    })
  }

  server.listen(from)
  await once(server, 'listening')
  const { address, port } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** The address of the server of a URL. */
export function addressIn(url: string): Address {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}
