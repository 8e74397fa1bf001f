import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Seen = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
export type Reply = {
  status?: number
  json?: unknown
  text?: string
  headers?: Record<string, string>
}

/** A server that answers as the test says, request by request; the last reply counts for the rest. */
export async function startFake(
  ...replies: (Reply | ((seen: Seen, response: ServerResponse) => Reply | undefined))[]
) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body }
    const reply = replies[Math.min(seen.push(one) - 1, replies.length - 1)] ?? {}
    const answer = typeof reply === 'function' ? reply(one, response) : reply
    if (!answer) return
    const { status = 200, json, text = json === undefined ? '' : JSON.stringify(json) } = answer
    response.writeHead(status, { 'content-type': 'application/json', ...answer.headers })
    response.end(text)
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

/** A 503 as the gateway answers it. */
export const unavailable: Reply = {
  status: 503,
  json: { error: 'unavailable' },
  headers: { 'retry-after': '0', 'x-request-id': 'r1' },
}
