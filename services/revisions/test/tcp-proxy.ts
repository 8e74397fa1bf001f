import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A server on the way to another one, which can be made to fail. */
export type TcpProxy = AsyncDisposable & {
  endpoint: string
  /** `silent`: takes connections and answers nothing; `gone`: cuts them. */
  state: 'open' | 'silent' | 'gone'
  /** How many came since the state was set. */
  readonly connections: number
}

export async function startTcpProxy(endpoint: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(endpoint)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer((socket) => {
    keep(socket)
    connections++
    if (state === 'gone') socket.destroy()
    if (state !== 'open') return
    const other = connect(Number(port), hostname)
    keep(other)
    socket.pipe(other).pipe(socket)
    socket.on('close', () => other.destroy())
    other.on('close', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let state: TcpProxy['state'] = 'open'
  let connections = 0
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections
    },
    get state() {
      return state
    },
    set state(next) {
      state = next
      connections = 0
      for (const socket of sockets) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
