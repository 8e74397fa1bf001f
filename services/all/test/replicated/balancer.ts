import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Backend = {
  port: number
  /** Where it says whether it is ready (`/readyz`). */
  operationsPort: number
}

/** What stands before several gateways, as an operator's load balancer does. */
export type Balancer = AsyncDisposable & { url: string }

const lookMs = 100

/**
 * Shares connections out among the backends that say they are ready, asked ten times a second; where one cannot be
 * reached it takes the next. It knows nothing of HTTP, so it repeats no request.
 */
export async function startBalancer(backends: Backend[]): Promise<Balancer> {
  const ready = new Set(backends)
  const open = new Set<Socket>()
  let turn = 0
  const timer = setInterval(() => {
    for (const backend of backends) void look(backend)
  }, lookMs)

  async function look(backend: Backend) {
    const url = `http://127.0.0.1:${backend.operationsPort}/readyz`
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) ready.add(backend)
    else ready.delete(backend)
  }

  /** Those that are ready in turn, then the others. */
  function inTurn(): Backend[] {
    const sorted = [...ready, ...backends.filter((backend) => !ready.has(backend))]
    const first = turn++ % Math.max(1, ready.size)
    return [
      ...sorted.slice(first, ready.size),
      ...sorted.slice(0, first),
      ...sorted.slice(ready.size),
    ]
  }

  const server = createServer({ allowHalfOpen: true }, (client) => hand(client, inTurn()))

  function hand(client: Socket, [backend, ...others]: Backend[]) {
    if (!backend) {
      client.destroy()
      return
    }
    const upstream = connect({ port: backend.port, host: '127.0.0.1', allowHalfOpen: true })
    const refused = () => hand(client, others)
    upstream.once('error', refused)
    upstream.once('connect', () => {
      upstream.off('error', refused)
      join(client, upstream)
      join(upstream, client)
      client.pipe(upstream)
      upstream.pipe(client)
    })
  }

  /** What becomes of one side becomes of the other. */
  function join(socket: Socket, other: Socket) {
    open.add(socket)
    socket.setNoDelay()
    socket.on('error', () => other.resetAndDestroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroySoon()
    })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
