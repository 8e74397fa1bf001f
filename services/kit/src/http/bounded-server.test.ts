import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { createLogger } from '../log.js'
import { createBoundedServer } from './bounded-server.js'

const settings = {
  headersTimeoutMs: 10_000,
  headerBytesMax: 16_384,
  idleTimeoutMs: 10_000,
  keepAliveTimeoutMs: 10_000,
  connectionsMax: 10,
  refusedBodyTimeoutMs: 1000,
  refusedBodyBytesMax: 1000,
  errorHeaders: {},
}

/**
 * Everything that a client receives after one request, until the server closes the connection. `reject` does what
 * Node.js does with malformed data.
 */
async function received(answer: (res: ServerResponse, reject: () => void) => void) {
  const log = createLogger('test', 'silent')
  const server = createBoundedServer(settings, log, ({ socket }, res) =>
    answer(res, () => server.emit('clientError', new Error('Parse Error'), socket)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    let text = ''
    for await (const bytes of socket) text += bytes
    return text
  } finally {
    server.close()
  }
}

// A client may send its next request before Node.js has noticed that the response is written.
test('answers malformed data that follows a response which has ended', async () => {
  const text = await received((res, reject) => {
    res.end('the answer')
    reject()
  })
  assert.match(text, /^HTTP\/1.1 200 OK.*the answerHTTP\/1.1 400 Bad Request/s)
  assert.match(text, /malformed_request/)
})

test('sends no other response in the middle of one', async () => {
  const text = await received((res, reject) => {
    res.write('the beginning')
    reject()
  })
  assert.doesNotMatch(text, /malformed_request/)
})
