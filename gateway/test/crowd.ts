// Opens many connections at once, in a process of its own: `crowd.js <port> <count>`.
import { connect } from 'node:net'
import { chunk, chunked, head } from './wire.js'

export type CrowdReport = { opened: number; closed: number }

const [port, count] = process.argv.slice(2).map(Number)
const atATime = 200

// One says nothing, one stops in its headers, one in its body, one in the body of an upload.
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
    // The server's end is all that counts.
    socket.on('error', () => {}).resume()
    socket.on('close', () => {
      closed++
      resolve()
    })
  })
}

for (let i = 0; i < (count ?? 0); i += atATime) {
  await Promise.all(Array.from({ length: atATime }, (_, n) => open(i + n)))
}
const report = () => process.send?.({ opened, closed } satisfies CrowdReport)
report()
setInterval(report, 250)
