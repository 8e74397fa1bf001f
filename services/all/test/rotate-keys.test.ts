import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Keys, keysFrom, userTokenPurpose, verifyRefreshToken } from '@figbase/kit/keys'
import { startPostgres } from '../src/postgres/embedded.js'
import { Author, program } from './support/author.js'
import { runCommand } from './support/command.js'
import { Bench } from './support/launched.js'
import {
  inDatabase,
  insertRepository,
  insertStorage,
  insertWebhook,
  keysOf,
  openAll,
  secretsOf,
} from './support/secrets.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d' }

let dataDir: string
let author: Author
let refresh: string
let sealed: string[]

before(async () => {
  dataDir = await bench.dir()
  author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const { privateKey } = generateKeyPairSync('ed25519')
  const private_key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await author.json('POST', 'ssh_key/', { name: 'laptop', private_key })
  const response = await fetch(`${author.launched.url}/api/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ username: 'ada', password: 'correct horse' }),
  })
  refresh = ((await response.json()) as { refresh: string }).refresh
  const keys = await keysOf(dataDir)
  sealed = await inDatabase(dataDir, async (client) => {
    await insertStorage(client, keys, 'of the bucket')
    await insertWebhook(client, keys, 'of a webhook')
    await insertRepository(client, keys, 'of a repository')
    return await openAll(client, keys)
  })
  assert.equal(sealed.length, 6)
})

const rotateKeys = (...args: string[]) => runCommand(dataDir, ['rotate-keys', ...args], env)

/** All sealed values, decrypted with PostgreSQL only: the product would start slower. */
async function opened(keys: Keys): Promise<string[]> {
  await using _postgres = await startPostgres({ dataDir })
  return await inDatabase(dataDir, (client) => openAll(client, keys))
}

const isAccepted = async (token: string) => {
  const ring = (await keysOf(dataDir)).derive(userTokenPurpose)
  try {
    return verifyRefreshToken(token, ring).username === 'ada'
  } catch {
    return false
  }
}

test('rejects a change of the secret while Figbase runs', async () => {
  const secrets = await secretsOf(dataDir)
  for (const args of [[], ['--drop-previous']]) {
    const { code, output } = await rotateKeys(...args)
    assert.equal(code, 1)
    assert.match(output, /is running .* Stop it first/s)
  }
  assert.deepEqual(await secretsOf(dataDir), secrets)
})

test('with secrets in the environment, only re-encrypts', async () => {
  const [secret = ''] = await secretsOf(dataDir)
  const host = encodeURIComponent(join(dataDir, 'postgres'))
  const database = { DATABASE_URL: `postgres://figbase@localhost/figbase?host=${host}` }
  const elsewhere = await bench.dir()
  const reseal = async (current: string, previous: string, args: string[] = []) =>
    runCommand(elsewhere, ['rotate-keys', ...args], {
      ...env,
      ...database,
      FIGBASE_SECRET_KEY: current,
      FIGBASE_SECRET_KEYS_PREVIOUS: previous,
    })
  const isSealedBy = (current: string) =>
    inDatabase(dataDir, async (client) => {
      assert.deepEqual(await openAll(client, keysFrom(current)), sealed)
    })
  for (const count of [1, 0]) {
    const { code, output } = await reseal('another', secret)
    assert.equal(code, 0, output)
    assert.match(output, new RegExp(`ssh_key.private_key_sealed: re-encrypted ${count}`))
    await isSealedBy('another')
  }
  const lost = await reseal('unknown', '')
  assert.equal(lost.code, 1)
  assert.match(lost.output, /^ {2}[0-9a-f-]{36} cannot be decrypted with any of the secrets$/m)
  assert.match((await reseal('another', '', ['--drop-previous'])).output, /KEYS_PREVIOUS/)
  const alone = { ...env, FIGBASE_SECRET_KEY: 'another' }
  assert.match((await runCommand(elsewhere, ['rotate-keys'], alone)).output, /Set both or neither/)
  assert.equal((await reseal(secret, 'another')).code, 0)
  await isSealedBy(secret)
  assert.deepEqual(await secretsOf(dataDir), [secret])
  const given = { ...env, ...database, FIGBASE_SECRET_KEY: secret, STORAGE_CHECK_TIMEOUT: '1s' }
  const fsck = await runCommand(elsewhere, ['fsck'], given)
  assert.doesNotMatch(fsck.output, /decrypt/)
  await assert.rejects(stat(join(elsewhere, 'secret-key')), { code: 'ENOENT' })
})

test('changes the secret; values stay readable and users stay signed in', async () => {
  await author.launched.stop()
  const [old = ''] = await secretsOf(dataDir)
  const { code, output } = await rotateKeys()
  assert.equal(code, 0, output)
  assert.match(output, /identity\.ssh_key\.private_key_sealed: re-encrypted 1/)
  assert.match(output, /revisions\.storage\.secret_sealed: re-encrypted 1/)
  assert.match(output, /revisions\.git_repository\.token_sealed: re-encrypted 1/)
  assert.match(output, /revisions\.git_repository\.push_secret_sealed: re-encrypted 1/)
  assert.match(output, /tasks\.webhook\.secret_sealed: re-encrypted 1/)
  assert.match(output, /tasks\.webhook\.previous_secret_sealed: re-encrypted 1/)
  const [current = '', ...previous] = await secretsOf(dataDir)
  assert.deepEqual(previous, [old])
  assert.notEqual(current, old)
  for (const secret of [current, old]) assert.ok(!output.includes(secret))
  assert.equal((await stat(join(dataDir, 'secret-key'))).mode & 0o777, 0o600)
  assert.deepEqual(await opened(keysFrom(current)), sealed)
  assert.ok(await isAccepted(refresh))
  author.launched = await bench.start({ dataDir, env })
  assert.equal(
    (await author.request('GET', 'ssh_key/')).status,
    200,
    'with a token of the old secret',
  )
  await author.launched.stop()
})

test('a backup contains the previous secret, and the next rotate-keys drops it', async () => {
  const secrets = await secretsOf(dataDir)
  assert.equal(secrets.length, 2)
  const backup = await runCommand(dataDir, ['backup', await bench.dir()], env)
  assert.equal(backup.code, 0, backup.output)
  const { code, output } = await rotateKeys()
  assert.equal(code, 0, output)
  assert.deepEqual(await secretsOf(dataDir), secrets.slice(0, 1))
  assert.equal(await isAccepted(refresh), false)

  const restored = await bench.dir()
  const [made = ''] = /\S+Z$/m.exec(backup.output) ?? []
  // The exit code is not checked: fsck cannot reach the storage.
  assert.match((await runCommand(restored, ['restore', made], env)).output, /^restored /)
  assert.deepEqual(await secretsOf(restored), secrets)
})

test('--drop-previous creates a new secret and drops the old one in one run', async () => {
  const [old] = await secretsOf(dataDir)
  const { code, output } = await rotateKeys('--drop-previous')
  assert.equal(code, 0, output)
  const [current = '', ...previous] = await secretsOf(dataDir)
  assert.deepEqual(previous, [])
  assert.notEqual(current, old)
  assert.deepEqual(await opened(keysFrom(current)), sealed)
})

test('reports values that cannot be decrypted, and drops no secret', async () => {
  {
    await using _postgres = await startPostgres({ dataDir })
    await inDatabase(dataDir, (client) => insertStorage(client, keysFrom('of others'), 'lost'))
  }
  for (const args of [[], [], ['--drop-previous']]) {
    const { code, output } = await rotateKeys(...args)
    assert.equal(code, 1, output)
    assert.match(output, /^ {2}[0-9a-f-]{36} cannot be decrypted with any of the secrets$/m)
    assert.equal((await secretsOf(dataDir)).length, 2)
  }
})
