import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Reply = { status?: number; json: unknown }

/** A server with fixed answers by method and path, and 404 for the rest. */
export async function startFake(replies: Record<string, Reply>) {
  const seen: string[] = []
  const server = createServer((request, response) => {
    const path = request.url?.replace(/^\/api\/v[\d.]+/, '').replace(/\?.*/, '')
    const key = `${request.method} ${path}`
    seen.push(key)
    const missing = { status: 404, json: { error: 'not_found', detail: 'there is no such object' } }
    const { status = 200, json } = replies[key] ?? missing
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r1' }
    response.writeHead(status, headers).end(JSON.stringify(json))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
