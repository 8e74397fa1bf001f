import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Systems give higher ports to outgoing connections, which could take a port before its server listens.
const portMin = 10_000
const portMax = 32_767
const attemptsMax = 1000

/** Ports that were tried: a server may not listen yet on the one that it was given. */
const given = new Set<number>()

/** A loopback port that is free at the moment, another one at each call. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = randomInt(portMin, portMax + 1)
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${portMin} to ${portMax} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
