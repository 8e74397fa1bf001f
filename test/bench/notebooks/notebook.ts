import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Started } from './messages.js'

/** A notebook server that costs as little as possible: it answers each request, and returns what WebSockets send. */
const body = JSON.stringify({ started: '', last_activity: '', connections: 1, kernels: 1 })
const server = createServer((_req, res) => {
  res.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  res.end(body)
})
server.on('upgrade', (req, socket) => {
  const accept = createHash('sha1')
    .update(`${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64')
  socket.on('error', () => {})
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  socket.pipe(socket)
})

process.on('message', () => {
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    const result: Started = { port, cookie: '', path: '/api/status', host: `127.0.0.1:${port}` }
    process.send?.({ result })
  })
})
