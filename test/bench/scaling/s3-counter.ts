import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

/** Requests, and bytes of bodies in both directions. */
export type S3Use = { requests: number; bytesIn: number; bytesOut: number }

/** A proxy before an S3 server that counts. Signatures stay valid, because headers are passed as they are. */
export async function startS3Counter(endpoint: string) {
  const { hostname, port } = new URL(endpoint)
  const use: S3Use = { requests: 0, bytesIn: 0, bytesOut: 0 }
  const server = createServer((incoming, response) => {
    use.requests++
    incoming.on('data', (chunk) => {
      use.bytesIn += chunk.length
    })
    const outgoing = request(
      { hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('data', (chunk) => {
          use.bytesOut += chunk.length
        })
        pipeline(answer, response, () => {})
      },
    )
    outgoing.on('error', () => response.destroy())
    pipeline(incoming, outgoing, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    used: (): S3Use => ({ ...use }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
