import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { keysFrom } from '@figbase/kit'
import { Author, program } from './author.js'
import { runCommand } from './command.js'
import { Bench, type Launched } from './launched.js'
import { inDatabase, insertStorage, keysOf, openAll, secretsOf } from './secrets.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = { LOG_LEVEL: 'fatal' }

const newPem = () =>
  String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))

async function keepSshKey(author: Author, name: string) {
  const body = { name, private_key: newPem() }
  assert.equal((await author.request('POST', 'ssh_key/', body)).status, 201)
}

/** Runs the command in a process of its own, and answers what it said. */
async function rekey(dataDir: string, ...args: string[]) {
  const launched = bench.launch({ dataDir, args: ['rekey', ...args], env })
  return { code: await launched.ended, output: launched.output }
}

async function refreshed({ url }: Launched, refresh: string) {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const body = JSON.stringify({ refresh })
  const response = await fetch(`${url}/api/token/refresh/`, { method: 'POST', headers, body })
  await response.body?.cancel()
  return response.status
}

const tokensOf = async ({ url }: Launched) => {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  const body = JSON.stringify({ username: 'ada', password: 'correct horse' })
  const response = await fetch(`${url}/api/token/`, { method: 'POST', headers, body })
  assert.equal(response.status, 200)
  return (await response.json()) as { access: string; refresh: string }
}

test('the secret is changed: all opens as before, people stay signed in until it is dropped', async () => {
  const dataDir = await bench.dir()
  const start = () => bench.start({ dataDir, env })
  const openedBy = async (keys = keysOf(dataDir)) => {
    const opened = await keys
    return inDatabase(dataDir, (client) => openAll(client, opened))
  }

  let launched = await start()
  const author = new Author(launched)
  await author.signUp()
  await keepSshKey(author, 'first')
  const [old = '', ...none] = await secretsOf(dataDir)
  assert.deepEqual(none, [])
  const keys = await keysOf(dataDir)
  await inDatabase(dataDir, (client) => insertStorage(client, keys, 'of the bucket'))
  const before = await openedBy()
  assert.equal(before.length, 2)
  const { refresh } = await tokensOf(launched)

  const refused = await rekey(dataDir)
  assert.equal(refused.code, 1)
  assert.match(refused.output, /is running .* Stop it first/s)
  assert.deepEqual(await secretsOf(dataDir), [old])
  await launched.stop()

  const changed = await rekey(dataDir)
  assert.equal(changed.code, 0, changed.output)
  assert.match(changed.output, /identity\.ssh_key\.private_key_sealed: sealed 1 anew/)
  assert.match(changed.output, /revisions\.storage\.secret_sealed: sealed 1 anew/)
  const [current = '', ...previous] = await secretsOf(dataDir)
  assert.deepEqual(previous, [old])
  assert.notEqual(current, old)
  assert.equal((await stat(join(dataDir, 'secret-key'))).mode & 0o777, 0o600)
  for (const secret of [current, old]) assert.ok(!changed.output.includes(secret))

  launched = await start()
  author.launched = launched
  assert.equal((await author.request('GET', 'ssh_key/')).status, 200, 'the access token holds')
  assert.equal(await refreshed(launched, refresh), 200)
  await keepSshKey(author, 'second')
  const after = await openedBy()
  assert.ok(before.every((text) => after.includes(text)))
  assert.deepEqual(await openedBy(Promise.resolve(keysFrom(current))), after)
  const tokens = await tokensOf(launched)
  await launched.stop()

  // The backup of this state has both.
  const root = await bench.dir()
  const backup = await runCommand(dataDir, ['backup', root], env)
  assert.equal(backup.code, 0, backup.output)

  const dropped = await rekey(dataDir)
  assert.equal(dropped.code, 0, dropped.output)
  assert.deepEqual(await secretsOf(dataDir), [current])
  launched = await start()
  assert.equal(await refreshed(launched, refresh), 401)
  assert.equal(await refreshed(launched, tokens.refresh), 200)
  assert.deepEqual(await openedBy(), after)
  await launched.stop()

  const restored = await bench.dir()
  const [made = ''] = /\S+Z$/m.exec(backup.output.split('\n')[0] ?? '') ?? []
  // Not well: the storage cannot be reached from here.
  const { output } = await runCommand(restored, ['restore', made], env)
  assert.match(output, /^restored what /)
  assert.deepEqual(await secretsOf(restored), [current, old])
})

test('--drop-previous makes a new secret and forgets the old one in one go', async () => {
  const dataDir = await bench.dir()
  let launched = await bench.start({ dataDir, env })
  const author = new Author(launched)
  await author.signUp()
  await keepSshKey(author, 'first')
  const { refresh } = await tokensOf(launched)
  await launched.stop()
  const [old] = await secretsOf(dataDir)
  const { code, output } = await rekey(dataDir, '--drop-previous')
  assert.equal(code, 0, output)
  const now = await secretsOf(dataDir)
  assert.equal(now.length, 1)
  assert.notEqual(now[0], old)
  launched = await bench.start({ dataDir, env })
  assert.equal(await refreshed(launched, refresh), 401)
  const keys = await keysOf(dataDir)
  assert.equal((await inDatabase(dataDir, (client) => openAll(client, keys))).length, 1)
  await launched.stop()
})

test('what opens with no secret is named, and no secret is dropped for it', async () => {
  const dataDir = await bench.dir()
  const launched = await bench.start({ dataDir, env })
  await inDatabase(dataDir, async (client) => {
    await insertStorage(client, await keysOf(dataDir), 'fine')
    await insertStorage(client, keysFrom('of another installation'), 'lost')
  })
  await launched.stop()
  for (const args of [[], [], ['--drop-previous']]) {
    const { code, output } = await rekey(dataDir, ...args)
    assert.equal(code, 1, output)
    assert.match(output, /^ {2}[0-9a-f-]{36} opens with none of the secrets$/m)
    assert.equal((await secretsOf(dataDir)).length, 2)
  }
})

test('with the secrets in the environment, only what is sealed changes', async () => {
  const dataDir = await bench.dir()
  const launched = await bench.start({ dataDir, env })
  const author = new Author(launched)
  await author.signUp()
  await keepSshKey(author, 'first')
  const [old = ''] = await secretsOf(dataDir)
  const elsewhere = await bench.dir()
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  const settings = {
    ...env,
    DATABASE_URL: `postgres://figbase@localhost/figbase?host=${host}`,
    FIGBASE_SECRET_KEY: 'a new secret',
    FIGBASE_SECRET_KEYS_PREVIOUS: old,
  }
  const run = (args: string[], more = {}) => runCommand(elsewhere, args, { ...settings, ...more })
  for (const sealed of [1, 0]) {
    const { code, output } = await run(['rekey'])
    assert.equal(code, 0, output)
    assert.match(output, new RegExp(`ssh_key.private_key_sealed: sealed ${sealed} anew`))
  }
  await inDatabase(dataDir, async (client) => {
    assert.equal((await openAll(client, keysFrom('a new secret'))).length, 1)
  })
  assert.deepEqual(await secretsOf(dataDir), [old])
  assert.match((await run(['rekey', '--drop-previous'])).output, /FIGBASE_SECRET_KEYS_PREVIOUS/)
  assert.match((await run(['rekey'], { DATABASE_URL: '' })).output, /Set both, or none/)
  const lost = await run(['rekey'], { FIGBASE_SECRET_KEY: 'yet another one' })
  assert.equal(lost.code, 1)
  assert.match(lost.output, /opens with none of the secrets/)
  await launched.stop()
})
