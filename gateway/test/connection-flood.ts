// Opens many connections at once, in a separate process: `connection-flood.js <port> <count>`.
import { connect } from 'node:net'
import { chunk, chunked, head } from './wire.js'

export type FloodReport = { opened: number; closed: number }

const [port, count] = process.argv.slice(2).map(Number)
const concurrency = 200

// Connections that stop at once, in the headers, in a body, and in the body of an upload.
const openings = [
  '',
  'GET /api/v1/info/ HTTP/1.1\r\nhost: x\r\n',
  head('POST', '/api/token/', chunked) + chunk('{"username":"'),
  head('POST', '/api/v1/revision/', chunked) + chunk('{"metadata":"'),
]

let opened = 0
let closed = 0

function open(i: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: port ?? 0 })
    socket.on('connect', () => {
      opened++
      socket.write(openings[i % openings.length] ?? '')
      resolve()
    })
    // Only the closing by the server counts.
    socket.on('error', () => {}).resume()
    socket.on('close', () => {
      closed++
      resolve()
    })
  })
}

for (let i = 0; i < (count ?? 0); i += concurrency) {
  await Promise.all(Array.from({ length: concurrency }, (_, n) => open(i + n)))
}
const report = () => process.send?.({ opened, closed } satisfies FloodReport)
report()
setInterval(report, 250)
