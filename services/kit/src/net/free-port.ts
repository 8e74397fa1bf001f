import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The system may offer a port again as soon as it is closed, before its server listens. */
const given = new Set<number>()

/** A loopback port that is free at the moment, another one at each call. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  if (given.has(port)) return freePort()
  given.add(port)
  return port
}
