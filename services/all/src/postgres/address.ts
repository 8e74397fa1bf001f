import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@figbase/kit/net'
import { type Cluster, superuser } from './cluster.js'

/** The URL of the server for clients, and its settings to listen there. */
export type Address = { url(database: string): string; settings: Record<string, string> }

// 104 bytes on macOS, 108 on Linux, with the terminating zero.
const socketPathBytesMax = 103

/**
 * A socket in the directory of the cluster, which only the user of the server and root can enter: no port, no password,
 * and 25 % faster. If the path is too long for a socket, a free loopback port with a random password.
 */
export async function chooseAddress({ dir, password }: Cluster): Promise<Address> {
  if (hasSocket(dir)) {
    return {
      url: (database) => socketUrl(dir, database),
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
    url: (database) => portUrl(port, password, database),
    settings: { listen_addresses: '127.0.0.1', port: `${port}`, unix_socket_directories: '' },
  }
}

/** The URL of the running server of a data directory. */
export async function runningUrl(dataDir: string, database: string): Promise<string> {
  const dir = join(dataDir, 'postgres')
  if (hasSocket(dir)) return socketUrl(dir, database)
  const password = await readFile(join(dataDir, 'postgres-password'), 'utf8')
  // The fourth line of postmaster.pid is the port.
  const lines = (await readFile(join(dir, 'postmaster.pid'), 'utf8')).split('\n')
  return portUrl(Number(lines[3]), password.trim(), database)
}

const hasSocket = (dir: string) =>
  Buffer.byteLength(join(dir, '.s.PGSQL.5432')) <= socketPathBytesMax

const socketUrl = (dir: string, database: string) =>
  `postgres://${superuser}@localhost/${database}?host=${encodeURIComponent(dir)}`

const portUrl = (port: number, password: string, database: string) =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`
