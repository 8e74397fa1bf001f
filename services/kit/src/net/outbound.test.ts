import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  createServer,
  get,
  type IncomingMessage,
  type RequestOptions,
  type Server,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { EnvReader } from '../config/config.js'
import {
  AddressRefused,
  connectOutbound,
  createOutboundAgent,
  type Resolve,
  readOutboundHosts,
} from './outbound.js'

let server: Server
let port: number
/** Connections accepted by the server. */
let connections = 0
before(async () => {
  server = createServer((req, res) => {
    const to = req.headers['x-redirect']
    if (to) res.writeHead(302, { location: String(to) })
    res.end('hello')
  })
  server.on('connection', () => connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => {
  server.close()
  server.closeAllConnections()
})

const v4 = (address: string) => ({ address, family: 4 })
/** Resolves to these results, one after the other. */
const answering =
  (...answers: string[][]): Resolve =>
  (_, done) =>
    done(null, (answers.shift() ?? []).map(v4))

const { signal: never } = new AbortController()

type Options = RequestOptions & { agent: NonNullable<RequestOptions['agent']> }

const ask = (options: Options) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, ...options }, (res) => resolve(res.resume())).on('error', reject)
  })

async function refused(host: string, resolve?: Resolve, allowed: string[] = []) {
  const before = connections
  const agent = createOutboundAgent('http://x', allowed, resolve)
  await assert.rejects(ask({ host, agent }), AddressRefused, host)
  assert.equal(connections, before, host)
  agent.destroy()
}

test('refuses non-public IP addresses in any notation', async () => {
  for (const host of [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::127.0.0.1',
    'fe80::1%lo',
  ]) {
    await refused(host)
  }
})

test('refuses host names with a non-public address, alone or among others', async () => {
  await refused('localhost')
  await refused('store.example', answering(['127.0.0.1']))
  await refused('store.example', answering(['1.1.1.1', '127.0.0.1']))
  await refused('store.example', answering(['127.0.0.1', '1.1.1.1']))
  await refused('store.example', answering([]))
})

test('fails with the error of the lookup', async () => {
  const agent = createOutboundAgent('http://x', [], (_, done) =>
    done(new Error('no such name'), []),
  )
  await assert.rejects(ask({ host: 'store.example', agent }), /no such name/)
})

test('connects to hosts and ports that the operator allows', async () => {
  for (const allowed of ['store.example', `store.example:${port}`]) {
    const agent = createOutboundAgent('http://x', [allowed], answering(['127.0.0.1']))
    assert.equal((await ask({ host: 'STORE.example', agent })).statusCode, 200)
    agent.destroy()
  }
  const literal = createOutboundAgent('http://x', [`127.0.0.1:${port}`])
  assert.equal((await ask({ host: '127.0.0.1', agent: literal })).statusCode, 200)
  literal.destroy()
  await refused('store.example', answering(['127.0.0.1']), ['store.example:1', 'example'])
  await refused('a.store.example', answering(['127.0.0.1']), ['store.example'])
})

test('prevents DNS rebinding: looks up once per connection and uses only the checked addresses', async () => {
  let looks = 0
  const answers = ['1.1.1.1', '127.0.0.1', '127.0.0.1']
  const rebinding: Resolve = (_, done) =>
    void setImmediate(() => done(null, [v4(answers[looks++] ?? '')]))
  const agent = createOutboundAgent('http://x', [], rebinding)
  const tried: string[] = []
  const before = connections
  const request = get({ host: 'rebinding.example', port, agent })
  const [socket] = (await once(request, 'socket')) as [Socket]
  socket.on('lookup', (_error, address) => {
    tried.push(address)
    request.destroy(new Error('far enough'))
  })
  await assert.rejects(once(request, 'response'), /far enough/)
  assert.deepEqual([tried, looks], [['1.1.1.1'], 1])
  await assert.rejects(ask({ host: 'rebinding.example', agent }), AddressRefused)
  assert.equal(connections, before)
  agent.destroy()
})

test('applies the same rules to redirects', async () => {
  const agent = createOutboundAgent('http://x', ['store.example'], answering(['127.0.0.1']))
  const location = `http://127.0.0.1:${port}/`
  const res = await ask({ host: 'store.example', agent, headers: { 'x-redirect': location } })
  assert.equal(res.statusCode, 302)
  const before = connections
  const { hostname, pathname } = new URL(res.headers.location ?? '')
  await assert.rejects(ask({ host: hostname, path: pathname, agent }), AddressRefused)
  assert.equal(connections, before)
  agent.destroy()
})

test('applies the same rules with TLS', async () => {
  const agent = createOutboundAgent('https://x', [], answering(['127.0.0.1']))
  for (const host of ['127.0.0.1', 'store.example']) {
    await assert.rejects(async () => ask({ host, agent, protocol: 'https:' }), AddressRefused)
  }
})

test('opens connections under the same rules', async () => {
  const connect = (host: string, allowed: string[], resolve?: Resolve, signal = never) =>
    connectOutbound({ host, port, signal }, allowed, resolve)
  const before = connections
  for (const host of ['127.0.0.1', '2130706433', '::1', 'localhost']) {
    await assert.rejects(connect(host, []), AddressRefused, host)
  }
  await assert.rejects(connect('a.example', [], answering(['1.1.1.1', '10.0.0.1'])), AddressRefused)
  await assert.rejects(connect('127.0.0.1', ['127.0.0.1:1']), AddressRefused)
  assert.equal(connections, before)
  const socket = await connect('A.example', [`a.example:${port}`], answering(['127.0.0.1']))
  assert.equal(socket.remotePort, port)
  socket.destroy()
  const waiting: Resolve = () => {}
  const signal = AbortSignal.timeout(50)
  await assert.rejects(connect('a.example', [], waiting, signal), { name: 'AbortError' })
})

test('reports an invalid setting of allowed hosts', () => {
  const read = (value: string) => {
    const env = new EnvReader({ OUTBOUND_HOSTS_ALLOWED: value })
    return { hosts: readOutboundHosts(env), problems: env.problems }
  }
  assert.deepEqual(read('Minio.lan, 10.0.0.7:9000,[fd00::1]:9000'), {
    hosts: ['minio.lan', '10.0.0.7:9000', '[fd00::1]:9000'],
    problems: [],
  })
  for (const wrong of ['http://minio.lan', 'minio.lan/', 'a:b', 'a@b', 'fd00::1', 'a:99999']) {
    assert.match(read(wrong).problems[0] ?? '', /^OUTBOUND_HOSTS_ALLOWED: /, wrong)
  }
})
