import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A network fault on all connections. */
export type Fault =
  | 'none'
  /** Accepts connections and bytes, and sends nothing. */
  | 'silent'
  /** Resets each connection after this number of bytes from the client or the server. */
  | { cutAfterBytes: number; of: 'client' | 'server' }
  /** Limits the bandwidth in each direction. */
  | { bytesPerSecond: number }
  /** Responds to every request in place of the server and closes the connection. */
  | { answer: string }

/** A TCP proxy on loopback that simulates failures of network and server. */
export type FaultyProxy = AsyncDisposable & {
  url: string
  /** Takes effect at once, also for open connections. */
  set(fault: Fault): void
  /** Number of client connections so far. */
  connections(): number
  /** Bytes forwarded from clients. */
  bytesForwarded(): number
  /** Refuses connections, and resets open ones, until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let fault: Fault = 'none'
  let connections = 0
  let bytesForwarded = 0
  let server: Server | undefined
  let ownPort = 0

  function accept(client: Socket) {
    connections++
    const upstream = connect(Number(port), hostname)
    const both = [client, upstream]
    for (const socket of both) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        for (const one of both) one.destroy()
      })
    }
    relay(client, upstream, 'client')
    relay(upstream, client, 'server')
  }

  function relay(from: Socket, to: Socket, side: 'client' | 'server') {
    let passed = 0
    let isAnswered = false
    from.on('end', () => to.end())
    from.on('data', (chunk) => {
      // The rest of a request is not another one, also if the fault is over.
      if (isAnswered || fault === 'silent') return
      if (typeof fault === 'object' && 'answer' in fault) {
        isAnswered = true
        if (side === 'client' && !from.writableEnded) from.end(fault.answer)
        return
      }
      const left =
        typeof fault === 'object' && 'cutAfterBytes' in fault && fault.of === side
          ? Math.max(0, fault.cutAfterBytes - passed)
          : Number.POSITIVE_INFINITY
      const whole = chunk.length <= left
      const piece = whole ? chunk : chunk.subarray(0, left)
      passed += piece.length
      if (side === 'client') bytesForwarded += piece.length
      const flows = to.write(piece)
      if (!whole) {
        from.resetAndDestroy()
        return
      }
      const waitMs =
        typeof fault === 'object' && 'bytesPerSecond' in fault
          ? (chunk.length / fault.bytesPerSecond) * 1000
          : 0
      if (flows && waitMs === 0) return
      from.pause()
      const resume = () => setTimeout(() => from.resume(), waitMs)
      if (flows) resume()
      else to.once('drain', resume)
    })
  }

  async function start() {
    server = createServer(accept).listen(ownPort, '127.0.0.1')
    await once(server, 'listening')
    ownPort = (server.address() as AddressInfo).port
  }

  async function stop() {
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    server = undefined
    for (const socket of open) socket.resetAndDestroy()
    await closed
  }

  await start()
  return {
    url: `http://127.0.0.1:${ownPort}`,
    set(next) {
      fault = next
    },
    connections: () => connections,
    bytesForwarded: () => bytesForwarded,
    stop,
    start,
    [Symbol.asyncDispose]: stop,
  }
}
