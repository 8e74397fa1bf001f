import { once } from 'node:events'
import type { Server } from 'node:http'

/** Resolves when the server listens; rejects if it cannot, and may then be tried again. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
}
