import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get, type RequestOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { AddressRefused, createOutboundAgent } from '../src/net/index.js'
import { certificate } from './mail-certificate.js'

const server = createServer(certificate, (_, res) => res.end('hello'))
let handshakes = 0
let port: number
before(async () => {
  server.on('secureConnection', () => handshakes++).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.close()
  server.closeAllConnections()
})

const ask = (host: string, options: RequestOptions) =>
  new Promise<number | undefined>((resolve, reject) => {
    const request = get({ host, port, ...options }, (res) => resolve(res.resume().statusCode))
    request.on('error', reject)
  })

test('verifies the certificate of the host name', async () => {
  const agent = createOutboundAgent('https://x', ['localhost', 'other.example'], (_, done) =>
    done(null, [{ address: '127.0.0.1', family: 4 }]),
  )
  const { cert: ca } = certificate
  assert.equal(await ask('localhost', { agent, ca }), 200)
  await assert.rejects(ask('localhost', { agent }), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  await assert.rejects(ask('other.example', { agent, ca }), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
  const before = handshakes
  await assert.rejects(ask('private.example', { agent, ca }), AddressRefused)
  await assert.rejects(ask('127.0.0.1', { agent, ca }), AddressRefused)
  assert.equal(handshakes, before)
  agent.destroy()
})
