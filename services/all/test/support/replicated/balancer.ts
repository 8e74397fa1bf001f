import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Backend = {
  port: number
  /** Port of `/readyz`. */
  operationsPort: number
}

export type Target = { host: string; port: number }

/** A load balancer in front of several gateways. */
export type Balancer = AsyncDisposable & { url: string }

const pollMs = 100

/**
 * Distributes connections among the ready backends, which are polled ten times a second; tries the next when one cannot
 * be reached. Works on TCP, so it repeats no request.
 */
export async function startBalancer(backends: Backend[]): Promise<Balancer> {
  const ready = new Set(backends)
  let turn = 0
  const timer = setInterval(() => {
    for (const backend of backends) void poll(backend)
  }, pollMs)

  async function poll(backend: Backend) {
    const url = `http://127.0.0.1:${backend.operationsPort}/readyz`
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) ready.add(backend)
    else ready.delete(backend)
  }

  /** The ready backends in rotation, then the others. */
  function rotated(): Backend[] {
    const sorted = [...ready, ...backends.filter((backend) => !ready.has(backend))]
    const first = turn++ % Math.max(1, ready.size)
    return [
      ...sorted.slice(first, ready.size),
      ...sorted.slice(0, first),
      ...sorted.slice(ready.size),
    ]
  }

  const forwarder = await startForwarder(() =>
    rotated().map(({ port }) => ({ port, host: '127.0.0.1' })),
  )
  return {
    url: forwarder.url,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await forwarder[Symbol.asyncDispose]()
    },
  }
}

/** Forwards each connection to the first of the targets of that moment that accepts it. */
export async function startForwarder(targets: () => Target[]): Promise<Balancer> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (client) => connectTo(client, targets()))

  function connectTo(client: Socket, [target, ...others]: Target[]) {
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

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
