import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { acceptOf } from './websocket.js'

/** What a notebook server received. */
export type Received = { method: string; url: string; headers: IncomingMessage['headers'] }

export type NotebookDouble = AsyncDisposable & {
  address: string
  received: Received[]
  /** WebSockets that are open. */
  sockets: Set<Duplex>
}

/**
 * Behaves to a proxy as Debian's Jupyter Notebook does: it refuses requests without its token, sets cookies, and writes
 * the token into its pages. WebSockets get back what they send.
 */
export async function startNotebookDouble(tokenOf: () => string): Promise<NotebookDouble> {
  const received: Received[] = []
  const sockets = new Set<Duplex>()
  const isAllowed = ({ headers }: IncomingMessage) => headers.authorization === `token ${tokenOf()}`
  const note = ({ method = '', url = '', headers }: IncomingMessage) =>
    void received.push({ method, url, headers })
  const server = createServer((req, res) => {
    note(req)
    if (!isAllowed(req)) return void res.writeHead(403).end()
    answer(req, res, tokenOf())
  })
  server.on('upgrade', (req, socket, head) => {
    note(req)
    if (!isAllowed(req)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
    const accept = acceptOf(req.headers['sec-websocket-key'] ?? '')
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    lines.push(`Sec-WebSocket-Accept: ${accept}`, 'Set-Cookie: username=secret')
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    if (head.length > 0) socket.write(head)
    socket.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(req: IncomingMessage, res: ServerResponse, token: string) {
  const path = req.url?.replace(/^\/instance\/[^/]+/, '') ?? ''
  res.setHeader('set-cookie', 'username-127-0-0-1="secret"; Path=/')
  if (path === '/') return void res.writeHead(302, { location: `/tree?token=${token}` }).end()
  if (path === '/tree') {
    res.writeHead(200, { 'content-type': 'text/html; charset=UTF-8' })
    res.write(`<body data-jupyter-api-token="${token.slice(0, 20)}`)
    return void setTimeout(() => res.end(`${token.slice(20)}">files</body>`), 20)
  }
  if (path === '/slow') {
    res.writeHead(200, { 'content-type': 'application/octet-stream' })
    return void res.write('begun')
  }
  if (path === '/big') {
    res.writeHead(200, { 'content-type': 'application/octet-stream' })
    return void res.end(Buffer.alloc(5_000_000, 7))
  }
  let bytes = 0
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  req.on('end', () => {
    const text = JSON.stringify({ method: req.method, bytes })
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    res.end(text)
  })
}
