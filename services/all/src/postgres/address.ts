import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Cluster, superuser } from './cluster.js'

/** How clients reach the server, and the settings that make it listen there. */
export type Address = { url(database: string): string; settings: Record<string, string> }

// 104 bytes on macOS, 108 on Linux, with the closing zero.
const socketPathBytesMax = 103

/**
 * A socket in the cluster's directory, which only the server's user and root can enter: no port, no
 * password, and a quarter faster. Where the path is too long for one, a port on the loopback that
 * the system chooses, with a random password.
 */
export async function chooseAddress({ dir, password }: Cluster): Promise<Address> {
  if (Buffer.byteLength(join(dir, '.s.PGSQL.5432')) <= socketPathBytesMax) {
    const query = `host=${encodeURIComponent(dir)}`
    return {
      url: (database) => `postgres://${superuser}@localhost/${database}?${query}`,
      settings: {
        listen_addresses: '',
        port: '5432',
        unix_socket_directories: `"${dir.replaceAll('"', '""')}"`,
        unix_socket_permissions: '0700',
      },
    }
  }
  const port = await freePort()
  return {
    url: (database) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`,
    settings: { listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: '' },
  }
}

/** A port of the loopback that nobody uses at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
