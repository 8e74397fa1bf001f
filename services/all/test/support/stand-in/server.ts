import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Route = (query: URLSearchParams) => Promise<string>
export type Serving = AsyncDisposable & { port: number }

/** A small HTTP server that drains when disposed. `?ms=` delays the response, after a line on stdout. */
export async function serveRoutes(port: number, routes: Record<string, Route>): Promise<Serving> {
  const answer = async (target: string, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(target, 'http://localhost')
    if (searchParams.has('ms')) {
      process.stdout.write(`answering ${target}\n`)
      await sleep(Number(searchParams.get('ms')))
    }
    response.end(await (routes[pathname] ?? (async () => 'ok'))(searchParams))
  }
  const server = createServer((request, response) => {
    answer(request.url ?? '/', response).catch((error) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
