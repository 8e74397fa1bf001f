import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { newRun } from '../src/drivers/contract.js'
import { instanceDirectory } from '../src/drivers/local/instance-directory.js'
import { escapes, programOf } from './escapes.js'
import { inKernel, started } from './in-notebook.js'
import { openLocal, withoutLocal } from './local.js'

const skip = withoutLocal
const abstractSocket = `figbase-test-${process.pid}`
const servers: Server[] = []
let directory = ''
let figbaseUrl = ''
let loopbackPort = 0

const portOf = (server: Server) => (server.address() as AddressInfo).port
async function listening<T extends Server>(server: T, where: object): Promise<T> {
  await new Promise<void>((done) => server.listen(where, done))
  servers.push(server)
  return server
}

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'figbase-secret-'))
  // Readable for everybody, so that only the confinement refuses it.
  await chmod(directory, 0o755)
  await writeFile(join(directory, 'password'), 'SECRET', { mode: 0o644 })
  const local = { host: '127.0.0.1', port: 0 }
  loopbackPort = portOf(await listening(createServer(), local))
  const figbase = createHttpServer((request, response) => response.end(`figbase ${request.url}`))
  figbaseUrl = `http://127.0.0.1:${portOf(await listening(figbase, local))}`
  await listening(createServer(), { path: `\0${abstractSocket}` })
})
after(async () => {
  for (const server of servers) server.close()
  await rm(directory, { recursive: true })
})

test('code in a notebook reaches Figbase, and nothing else', { skip }, async (t) => {
  await using at = await openLocal()
  const other = newRun()
  const spec = { ...newRun(), environment: { GF_URL: figbaseUrl, GF_API_KEY: 'the key' } }
  const elsewhere = await started(at, other)
  await started(at, spec)

  const reached = await inKernel(
    at,
    spec,
    `import urllib.request
report([urllib.request.urlopen(os.environ['GF_URL'] + '/x').read().decode(), os.environ['GF_API_KEY']])`,
  )
  assert.deepEqual(reached, ['figbase /x', 'the key'])

  const target = {
    secretFile: join(directory, 'password'),
    dataDirectory: at.root,
    otherVolume: instanceDirectory(at.root, other.instanceId).volume,
    loopbackPort,
    otherNotebookPort: Number(new URL(elsewhere.address ?? '').port),
    abstractSocket,
    hostPid: process.pid,
    memoryBytesMax: spec.memoryBytes,
    volumeBytesMax: spec.volumeBytesMax,
  }
  const results = (await inKernel(at, spec, programOf(target))) as Record<string, string>
  for (const { name, refusal } of escapes) {
    await t.test(name, () => assert.match(results[name] ?? 'no result', refusal))
  }
})

test('a notebook that replaces its socket leads nobody to another one', { skip }, async () => {
  await using at = await openLocal()
  const spec = newRun()
  const { address } = await started(at, spec)
  let connections = 0
  const path = join(directory, 'host.sock')
  const host = await listening(createServer(), { path })
  host.on('connection', (socket) => {
    connections++
    socket.destroy()
  })
  await inKernel(
    at,
    spec,
    `os.unlink('/run/notebook/jupyter.sock')
os.symlink('${path}', '/run/notebook/jupyter.sock')
report('replaced')`,
  )
  const client = connect(Number(new URL(address ?? '').port), '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  // The connection is reset, or just closed if the request was read before.
  assert.match(await text(client).catch(() => 'reset'), /^(reset)?$/)
  assert.equal(connections, 0)
})
