import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Confinement, confinedCommand } from '../src/git/confine.js'
import { findGitPrograms } from '../src/git/programs.js'
import { startBench } from './service.js'

let folder: string
let port: number
let connections = 0
const bwrap = (await findGitPrograms(''))?.bwrap ?? ''
const without = bwrap === '' && 'bubblewrap is missing or does not work here'
if (without && process.env.FIGBASE_CI) throw new Error(`${without}: .ci/run installs it`)
const server = createServer((socket) => {
  connections++
  socket.destroy()
})

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'figbase-test-'))
  await writeFile(join(folder, 'own'), 'own')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
after(async () => {
  server.close()
  await rm(folder, { recursive: true })
})

const run = async (script: string, confinement: Confinement = {}) => {
  const command = ['/usr/bin/bash', '-c', script]
  const [program = '', ...args] = confinedCommand(bwrap, { folder, ...confinement }, command)
  return promisify(execFile)(program, args).then(
    ({ stdout }) => stdout.trim(),
    () => 'failed',
  )
}

test('a confined program sees its folder, no others, and no processes', {
  skip: without,
}, async () => {
  assert.equal(await run('cat own'), 'own')
  assert.equal(
    await run('ls /'),
    'bin dev etc lib lib32 lib64 proc sbin tmp usr'.replaceAll(' ', '\n'),
  )
  assert.equal(await run(`ls ${tmpdir()}`), folder.slice(tmpdir().length + 1))
  assert.equal(await run(`cat /proc/${process.pid}/cmdline`), 'failed')
  assert.equal(await run('cat /etc/shadow'), 'failed')
})

test('a confined program writes only where it may', { skip: without }, async () => {
  assert.equal(await run('touch own'), 'failed')
  assert.equal(await run('touch /usr/x'), 'failed')
  assert.equal(await run('touch own && echo done', { canWrite: true }), 'done')
})

test('a confined program has the network only while it fetches', { skip: without }, async () => {
  const connect = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`
  assert.equal(await run(connect), 'failed')
  assert.equal(connections, 0)
  assert.equal(await run(connect, { hasNetwork: true }), 'connected')
})

test('a start of the service deletes what a killed process has left', async () => {
  const left = join(
    tmpdir(),
    `figbase-git-${hostname().replaceAll(/[^\w.-]/g, '_')}~4194305~1-abcdef`,
  )
  await mkdir(left)
  await using _ = await startBench()
  await assert.rejects(access(left))
})
