import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Keys, keysFrom } from '@figbase/kit/keys'
import { startPostgres } from '../src/postgres/embedded.js'
import { Author, program } from './support/author.js'
import { Bench } from './support/launched.js'
import { inDatabase, insertStorage, keysOf, openAll, secretsOf } from './support/secrets.js'

/**
 * Kills rotate-keys at each step. Sealed values can still be decrypted with the secrets of the data directory, and the
 * next run completes the change.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d' }
const storages = 250

/** Each batch is one write. */
const points = [
  ...['rotate-keys.adding', 'rotate-keys.added'],
  ...['identity.write.before', 'identity.write.after'],
  ...['revisions.write.before', 'revisions.write.after'].flatMap((point) => [point, `${point}:2`]),
  ...['rotate-keys.dropping', 'rotate-keys.dropped'],
]

/** All sealed values, decrypted with PostgreSQL only: the product would start slower. */
async function opened(dataDir: string, keys?: Keys): Promise<string[]> {
  await using _postgres = await startPostgres({ dataDir })
  const ring = keys ?? (await keysOf(dataDir))
  return await inDatabase(dataDir, (client) => openAll(client, ring))
}

let dataDir: string
let author: Author
let sealed: string[]

before(async () => {
  dataDir = await bench.dir()
  author = new Author(await bench.start({ dataDir, env }))
  sealed = await fill(dataDir, author)
  assert.equal(await author.launched.stop(), 0)
})

for (const point of points) {
  test(`all sealed values stay readable after a kill at ${point}`, async () => {
    const before = await secretsOf(dataDir)
    assert.equal(before.length, 1)
    const args = ['rotate-keys', '--drop-previous']
    const died = bench.launch({ dataDir, args, env: { ...env, FAIL_AT: point } })
    assert.equal(await died.ended, 'SIGKILL', died.output)
    assert.deepEqual(await opened(dataDir), sealed)

    const again = bench.launch({ dataDir, args, env })
    assert.equal(await again.ended, 0, again.output)
    const [current = '', ...previous] = await secretsOf(dataDir)
    assert.deepEqual(previous, [])
    assert.notEqual(current, before[0])
    assert.deepEqual(await opened(dataDir, keysFrom(current)), sealed)
  })
}

test('users can still sign in and list their keys', async () => {
  author.launched = await bench.start({ dataDir, env })
  assert.ok(await author.signIn({ username: 'ada', password: 'correct horse' }))
  assert.equal((await author.json<unknown[]>('GET', 'ssh_key/')).length, 2)
  assert.equal(await author.launched.stop(), 0)
})

async function fill(dataDir: string, user: Author): Promise<string[]> {
  await user.signUp()
  for (const name of ['laptop', 'desktop']) {
    const { privateKey } = generateKeyPairSync('ed25519')
    const private_key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const response = await user.request('POST', 'ssh_key/', { name, private_key })
    assert.equal(response.status, 201)
  }
  const keys = await keysOf(dataDir)
  return inDatabase(dataDir, async (client) => {
    for (let n = 0; n < storages; n++) await insertStorage(client, keys, `secret ${n}`)
    const opened = await openAll(client, keys)
    assert.equal(opened.length, storages + 2)
    return opened
  })
}
