import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { GitError } from '../src/git/git-error.js'
import { openTunnel, proxyUser } from '../src/git/tunnel.js'

let port: number
let connections = 0
const server = createServer((socket) => {
  connections++
  socket.on('error', () => {})
  socket.end('x'.repeat(100))
})
const { signal } = new AbortController()

before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(() => server.close())

async function open(protocol: 'https' | 'ssh', receivedBytesMax = 1000) {
  const problems: GitError[] = []
  const target = { protocol, host: '127.0.0.1', port, address: '' }
  const tunnel = await openTunnel(target, {
    hostsAllowed: ['127.0.0.1'],
    receivedBytesMax,
    signal,
    onProblem: (problem) => problems.push(problem),
  })
  const ask = async (request: string) => {
    const socket = connect(tunnel.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(request)
    return text(socket).catch(() => 'closed')
  }
  const proxied = (method: string, url: string, password = tunnel.password) => {
    const credentials = Buffer.from(`${proxyUser}:${password}`).toString('base64')
    return ask(
      `${method} ${url} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic ${credentials}\r\nConnection: close\r\n\r\n`,
    )
  }
  return { tunnel, problems, ask, proxied }
}

test('refuses whoever does not know the password', async () => {
  const { tunnel, problems, proxied, ask } = await open('https')
  await using _ = tunnel
  const before = connections
  assert.match(await proxied('CONNECT', `127.0.0.1:${port}`, 'wrong'), /^HTTP\/1.1 407 /)
  assert.match(
    await ask(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: x\r\n\r\n`),
    /^HTTP\/1.1 407 /,
  )
  assert.match(await proxied('GET', `http://127.0.0.1:${port}/`, 'wrong'), /^HTTP\/1.1 403 /)
  assert.deepEqual([connections, problems], [before, []])
})

test('connects to the one host and port only', async () => {
  for (const [method, url] of [
    ['CONNECT', `localhost:${port}`],
    ['CONNECT', '127.0.0.1:1'],
    ['GET', `http://127.0.0.1:${port}/`],
  ] as const) {
    const { tunnel, problems, proxied } = await open('https')
    await using _ = tunnel
    const before = connections
    assert.doesNotMatch(await proxied(method, url), /^HTTP\/1.1 200 /)
    assert.equal(connections, before, url)
    assert.deepEqual(
      problems.map(({ reason }) => reason),
      ['redirected'],
      url,
    )
  }
  const { tunnel, problems, proxied } = await open('https')
  await using _ = tunnel
  assert.match(await proxied('CONNECT', `127.0.0.1:${port}`), /^HTTP\/1.1 200 .*\r\n\r\nx{100}$/)
  assert.deepEqual(problems, [])
})

test('ends at the limit of received bytes, over all connections', async () => {
  const { tunnel, problems, ask } = await open('ssh', 250)
  await using _ = tunnel
  assert.equal(await ask(''), 'x'.repeat(100))
  assert.equal(await ask(''), 'x'.repeat(100))
  await ask('')
  assert.deepEqual(
    problems.map(({ reason }) => reason),
    ['too_large'],
  )
})
