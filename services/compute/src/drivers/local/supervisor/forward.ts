import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { FigbaseAddress } from '../gf-url.js'

/** Opens a path without reading or following it; Node does not name this flag of Linux. */
const pathOnly = 0o10000000

/** Serves a socket in which notebooks can write on a port of the loopback interface; returns its URL. */
export async function serveNotebook(socketPath: string): Promise<string> {
  const server = forwarder(() => connectWithin(socketPath))
  await listen(server, { host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Serves Figbase at a new socket in a directory; every process that sees it may use it. */
export async function serveFigbase(
  directory: string,
  name: string,
  { host, port }: FigbaseAddress,
): Promise<void> {
  const server = forwarder(() => connect({ host, port, allowHalfOpen: true }))
  // The path of a socket is limited to 107 bytes, and that of the directory may be longer.
  const fd = openSync(directory, constants.O_DIRECTORY)
  await listen(server, { path: `/proc/self/fd/${fd}/${name}` })
  await chmod(join(directory, name), 0o666)
}

/**
 * Connects to a socket in a directory of the notebook, never to another one of this machine: the notebook could
 * replace it by a link.
 */
function connectWithin(path: string): Socket {
  const fd = openSync(path, pathOnly | constants.O_NOFOLLOW)
  try {
    if (!fstatSync(fd).isSocket()) throw new Error(`${path} is no socket`)
    // The connection is begun before this returns.
    return connect({ path: `/proc/self/fd/${fd}`, allowHalfOpen: true })
  } finally {
    closeSync(fd)
  }
}

/** A server that connects each of its connections with one of `open`. */
const forwarder = (open: () => Socket): Server =>
  createServer({ allowHalfOpen: true, noDelay: true }, (from) => {
    from.on('error', () => from.destroy())
    let to: Socket
    try {
      to = open()
    } catch {
      from.destroy()
      return
    }
    to.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    to.on('close', () => from.destroy())
    from.pipe(to).pipe(from)
  })

async function listen(server: Server, options: { host: string; port: number } | { path: string }) {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options, resolve)
  })
}
