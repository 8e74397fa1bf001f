import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { connect } from 'node:tls'
import { Code } from '@connectrpc/connect'
import { pino } from 'pino'
import { ConfigError, readSettings } from '../src/config/index.js'
import { actAsSystem, readCallSettings } from '../src/rpc/index.js'
import { type RpcTls, readRpcTls } from '../src/rpc/tls.js'
import { readPeerSettings } from '../src/settings/runtime.js'
import { type Authority, createAuthority, createTls } from './certificates.js'
import { failureOf } from './failure-of.js'
import { callReplicas, startReplica } from './replica-servers.js'

const expired = { validForMs: -86_400_000 }
let ours: Authority
let others: Authority
let tls: RpcTls
let dir: string
before(async () => {
  ours = await createAuthority('ours')
  others = await createAuthority('others')
  tls = await createTls(ours)
  dir = await mkdtemp(join(tmpdir(), 'figbase-tls-'))
})
after(() => rm(dir, { recursive: true, force: true }))

const handlers = { findExisting: () => ({ ids: ['a'] }) }

/** The logs of a process with `server` during `work`, which gets its URL. */
async function logOf(server: RpcTls, work: (url: string) => Promise<unknown>) {
  const lines = new PassThrough().setEncoding('utf8')
  const replica = await startReplica(handlers, { tls: server, log: pino(lines) })
  await work(replica.url)
  await replica[Symbol.asyncDispose]()
  return String(lines.read() ?? '')
}

/** The error message of a call that must fail, made with `client`. */
async function refusedCall(url: string, client: RpcTls | undefined) {
  await using calling = callReplicas([url], { tls: client })
  const error = await failureOf(calling.client.findExisting({}, actAsSystem()))
  assert.equal(error.code, Code.Unavailable)
  return error.rawMessage
}

test('processes with certificates of their authority can call each other', async () => {
  await using a = await startReplica(handlers, { tls })
  await using calling = callReplicas([a.url], { tls: await createTls(ours) })
  assert.deepEqual((await calling.client.findExisting({}, actAsSystem())).ids, ['a'])
})

test('refuses a caller without a certificate of the authority, and logs the reason', async () => {
  const none = await logOf(tls, async (url) => {
    const options = { port: Number(new URL(url).port), ca: tls.ca, ALPNProtocols: ['h2'] }
    const socket = connect({ host: '127.0.0.1', ...options }).on('error', () => {})
    socket.resume()
    await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  })
  assert.match(none, /"remoteAddress":"127\.0\.0\.1","reason":".*peer did not return a cert/)
  const foreign = await createTls(others, { trusted: ours })
  const refused = await logOf(tls, (url) => refusedCall(url, foreign))
  assert.match(refused, /"reason":"(UNABLE|SELF_SIGNED|DEPTH)/)
  const late = await createTls(ours, expired)
  assert.match(await logOf(tls, (url) => refusedCall(url, late)), /"reason":"CERT_HAS_EXPIRED"/)
})

test('does not call a process without a valid certificate of the authority', async () => {
  await using foreign = await startReplica(handlers, { tls: await createTls(others) })
  assert.match(await refusedCall(foreign.url, tls), /revisions is unavailable: .*certificate/)
  await using late = await startReplica(handlers, { tls: await createTls(ours, expired) })
  assert.match(await refusedCall(late.url, tls), /is unavailable: certificate has expired/)
})

test('refuses a caller without TLS', async () => {
  await using a = await startReplica(handlers, { tls })
  await refusedCall(a.url.replace('https', 'http'), undefined)
})

test('times out if the peer does not complete the TLS handshake', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  await using calling = callReplicas([`https://127.0.0.1:${port}`], { connectTimeoutMs: 100, tls })
  const error = await failureOf(calling.client.findExisting({}, actAsSystem()))
  assert.match(error.rawMessage, /connection timed out after 100 ms/)
  server.close()
})

async function files(parts: RpcTls, names = ['CERT', 'KEY', 'CA']) {
  const all = { CERT: parts.cert, KEY: parts.key, CA: parts.ca }
  const env: Record<string, string> = {}
  for (const [name, content] of Object.entries(all)) {
    if (!names.includes(name)) continue
    const file = join(dir, name)
    await writeFile(file, content)
    env[`RPC_TLS_${name}_FILE`] = file
  }
  return env
}

const problemsOf = (env: Record<string, string>) => {
  try {
    readSettings(env, (reader) => ({ tls: readRpcTls(reader) }))
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return ''
}

test('requires all three settings and names invalid ones', async () => {
  assert.equal(problemsOf({}), '')
  const { tls: read } = readSettings(await files(tls), readCallSettings)
  assert.deepEqual(read, tls)
  assert.match(problemsOf(await files(tls, ['CERT', 'CA'])), /^RPC_TLS_KEY_FILE is required/)
  assert.match(problemsOf(await files(tls, ['KEY'])), /RPC_TLS_CERT_FILE.*\nRPC_TLS_CA_FILE/)
  const missing = { ...(await files(tls)), RPC_TLS_CA_FILE: join(dir, 'none') }
  assert.match(problemsOf(missing), /^RPC_TLS_CA_FILE: ENOENT/)
  assert.match(problemsOf(await files({ ...tls, ca: Buffer.from('x') })), /^RPC_TLS_CA_FILE: /)
  const { key } = await createTls(ours)
  assert.match(problemsOf(await files({ ...tls, key })), /^RPC_TLS_KEY_FILE: .*mismatch/)
  const late = problemsOf(await files(await createTls(ours, expired)))
  assert.match(late, /^RPC_TLS_CERT_FILE: certificate expired on /)
})

test('requires https URLs with certificates, several per peer', async () => {
  const urls = { CATALOG_URL: 'https://a:1/, https://b:2', TASKS_URL: '' }
  const read = readSettings({ ...(await files(tls)), ...urls }, readPeerSettings)
  assert.deepEqual(read.urls.catalog, ['https://a:1', 'https://b:2'])
  assert.deepEqual(read.urls.tasks, [])
  const plain = { ...(await files(tls)), CATALOG_URL: 'https://a:1,http://b:2', TASKS_URL: 'b:2' }
  assert.throws(
    () => readSettings(plain, readPeerSettings),
    /^ConfigError: CATALOG_URL: .*RPC_TLS_CERT_FILE.*\nTASKS_URL: 'b:2' is not valid/,
  )
})
