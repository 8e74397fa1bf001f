import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { run } from '../src/postgres/run.js'
import { runCommand } from './support/command.js'
import { Bench, isRoot, postgresPid } from './support/launched.js'

const nobody = 65_534
const bench = new Bench()
after(() => bench[Symbol.asyncDispose]())

test('the first start creates the data directory, the second reuses it', async () => {
  const dataDir = join(await bench.dir(), 'some', 'where')
  const first = await bench.start({ dataDir, isFirst: true })
  assert.equal(await first.get('/write'), '1')
  assert.equal((await readFile(join(dataDir, 'url'), 'utf8')).trim(), first.url)
  assert.equal((await stat(dataDir)).mode & 0o777, isRoot ? 0o711 : 0o700)
  const key = await readFile(join(dataDir, 'secret-key'), 'utf8')
  assert.equal((await stat(join(dataDir, 'secret-key'))).mode & 0o777, 0o600)
  assert.equal(Buffer.from(key, 'base64').length, 32)
  assert.equal(await first.stop(), 0)
  const left = ['postgres', 'postgres-password', 'postgres.log', 'secret-key']
  assert.deepEqual((await readdir(dataDir)).sort(), left)

  const second = await bench.start({ dataDir, args: ['start'] })
  assert.equal(await second.get('/count'), '1')
  assert.equal(await readFile(join(dataDir, 'secret-key'), 'utf8'), key)
  assert.equal(await second.stop(), 0)
})

test('prints how to sign in, without the password', async () => {
  const dataDir = await bench.dir()
  await writeFile(join(dataDir, 'admin-password'), 'sesame\n')
  const launched = await bench.start({ dataDir })
  await launched.stop()
  assert.ok(launched.output.includes(`username admin, password in ${dataDir}/admin-password`))
  assert.ok(!launched.output.includes('sesame'))
})

test('rejects a second instance on the same directory, naming the first', async () => {
  const dataDir = await bench.dir()
  const first = await bench.start({ dataDir })
  const second = bench.launch({ dataDir })
  assert.equal(await second.ended, 1)
  assert.match(second.output, new RegExp(`is in use by process ${first.pid}\n.*FIGBASE_DATA_DIR`))
  assert.equal(await first.get('/count'), '0')
  await first.stop()
})

test('lists all malformed settings before creating anything', async () => {
  const dataDir = join(await bench.dir(), 'new')
  const begun: string[] = []
  const env = { JOB_LEASE: 'soon', PUBLIC_URL: 'x', TRUSTED_PROXIES: 'x', ADMIN_PASSWORD: 'short' }
  const { code, output } = await runCommand(dataDir, [], env, begun)
  assert.equal(code, 1)
  for (const name of Object.keys(env)) assert.match(output, new RegExp(`${name}: `))
  assert.deepEqual(begun, [])
  await assert.rejects(stat(dataDir), /ENOENT/)
})

test('reports why the data directory cannot be created', async () => {
  const file = join(await bench.dir(), 'file')
  await writeFile(file, '')
  const places = process.platform === 'linux' ? [file, join(file, 'x'), '/proc/figbase/x'] : [file]
  for (const dataDir of places) {
    const launched = bench.launch({ dataDir })
    assert.equal(await launched.ended, 1)
    assert.match(
      launched.output,
      /cannot create the data directory .*: E[A-Z]+: .*FIGBASE_DATA_DIR/s,
    )
  }
})

test('reports a port in use before creating anything', async () => {
  const dataDir = await bench.dir()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const launched = bench.launch({ dataDir, env: { PORT: String(port) } })
  assert.equal(await launched.ended, 1)
  server.close()
  assert.match(launched.output, new RegExp(`port ${port} is in use`))
  assert.doesNotMatch(launched.output, /at .*\.js/)
  assert.deepEqual(await readdir(dataDir), [])
})

test('rejects unknown options and malformed settings', async () => {
  const dataDir = await bench.dir()
  const option = bench.launch({ dataDir, args: ['--distribute'] })
  assert.equal(await option.ended, 1)
  assert.match(option.output, /Unknown option '--distribute'/)
  const env = { PORT: '80a', SHUTDOWN_TIMEOUT: 'soon' }
  const settings = bench.launch({ dataDir, env })
  assert.equal(await settings.ended, 1)
  assert.match(settings.output, /PORT: '80a'.*SHUTDOWN_TIMEOUT: 'soon'/s)
})

test('supports a data directory with a long path', async () => {
  const dataDir = join(await bench.dir(), 'a-long-name-'.repeat(6), 'another-long-name-'.repeat(6))
  const first = await bench.start({ dataDir, isFirst: true })
  const second = bench.launch({ dataDir })
  assert.equal(await second.ended, 1)
  assert.match(second.output, new RegExp(`is in use by process ${first.pid}`))
  assert.equal(await first.get('/write'), '1')
  assert.equal(await first.stop(), 0)
})

test('starts no server with DATABASE_URL', async () => {
  const server = await bench.start({ dataDir: await bench.dir() })
  const dir = join(server.options.dataDir, 'postgres')
  const DATABASE_URL = `postgres://figbase@localhost/figbase?host=${encodeURIComponent(dir)}`
  const dataDir = await bench.dir()
  const launched = await bench.start({ dataDir, env: { DATABASE_URL } })
  assert.equal(await launched.get('/write'), '1')
  const other = bench.launch({ dataDir: await bench.dir(), env: { DATABASE_URL } })
  assert.equal(await other.ended, 1)
  assert.match(other.output, /the database of DATABASE_URL is in use by another Figbase/)
  assert.equal(await launched.stop(), 0)
  assert.deepEqual(await readdir(dataDir), ['secret-key'])
  await server.stop()

  const unreachable = bench.launch({ dataDir, env: { DATABASE_URL } })
  assert.equal(await unreachable.ended, 1)
  assert.match(unreachable.output, /DATABASE_URL: database unavailable: .*ENOENT/)
})

test('root can use a directory that only root may enter', { skip: !isRoot }, async () => {
  const parent = await bench.dir()
  const dataDir = join(parent, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const launched = await bench.start({ dataDir, isFirst: true })
  assert.equal(await launched.get('/write'), '1')
  assert.equal((await stat(parent)).mode & 0o777, 0o700)
  const pid = await postgresPid(dataDir)
  assert.notEqual((await stat(`/proc/${pid}`)).uid, 0)
  assert.equal(await launched.stop(), 0)
})

test('an ordinary user runs all processes as that user', { skip: !isRoot }, async (t) => {
  const dataDir = await bench.dir()
  await chmod(dataDir, 0o777)
  const program = new URL('support/stand-in/launch.js', import.meta.url).pathname
  const probe = await run('head', ['-c1', program], { uid: nobody, gid: nobody })
  if (probe.code !== 0) return t.skip('an ordinary user cannot read this clone')
  const launched = await bench.start({ dataDir, uid: nobody })
  assert.equal(await launched.get('/write'), '1')
  const pid = await postgresPid(dataDir)
  assert.equal((await stat(join(dataDir, 'postgres'))).uid, nobody)
  assert.equal((await stat(`/proc/${pid}`)).uid, nobody)
  assert.equal(await launched.stop(), 0)

  const byRoot = await bench.start({ dataDir })
  assert.equal(await byRoot.get('/count'), '1')
  assert.equal(await byRoot.stop(), 0)
})

test('a start warns of a setting with a former name', async () => {
  const dataDir = await bench.dir()
  const launched = await bench.start({ dataDir, env: { SESSION_LIFE: '2h' } })
  assert.match(launched.output, /the setting SESSION_LIFE is now named SESSION_LIFETIME/)
  assert.equal(await launched.stop(), 0)
})
