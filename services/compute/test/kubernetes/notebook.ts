import { once } from 'node:events'
import { createServer } from 'node:http'

export type Notebook = { close(): Promise<void> }

/** What answers the API of a notebook server. Without its address, nothing does. */
export function serveNotebook(
  host: string,
  port: number,
  basePath: string,
  token: string,
): Notebook {
  const lastActivity = new Date().toISOString()
  const replies: Record<string, unknown> = {
    [`${basePath}api/status`]: { last_activity: lastActivity },
    [`${basePath}api/kernels`]: [{ execution_state: 'busy', last_activity: lastActivity }],
  }
  const server = createServer((request, response) => {
    const isAllowed = request.headers.authorization === `token ${token}`
    const reply = replies[request.url?.split('?')[0] ?? '']
    response.statusCode = isAllowed ? (reply ? 200 : 404) : 403
    response.end(JSON.stringify(reply ?? {}))
  })
  server.on('error', () => {})
  server.listen(port, host)
  return {
    async close() {
      if (!server.listening) return
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
