import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { keysFrom } from '@figbase/kit'
import { Author, program } from './author.js'
import { Bench } from './launched.js'
import { inDatabase, insertStorage, keysOf, openAll, secretsOf } from './secrets.js'

/**
 * The change of the secret dies at each step, as by a loss of power. Whatever is sealed opens then as before,
 * with what the data directory has, and the next run ends what that one began.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFE: '1d' }
const storages = 250

/** Each batch is one write. */
const points = [
  ...['rekey.adding', 'rekey.added'],
  ...['identity.write.before', 'identity.write.after'],
  ...['revisions.write.before', 'revisions.write.after'].flatMap((point) => [point, `${point}:2`]),
  ...['rekey.dropping', 'rekey.dropped'],
]

const place = bench.dir()
let author: Author | undefined
let sealed: string[] = []

for (const point of points) {
  test(`a change of the secret that dies at ${point} leaves all that was sealed readable`, async () => {
    const dataDir = await place
    const launched = await bench.start({ dataDir, env })
    author ??= new Author(launched)
    author.launched = launched
    if (sealed.length === 0) sealed = await fill(dataDir, author)
    assert.equal(await launched.stop(), 0)
    const before = await secretsOf(dataDir)
    assert.equal(before.length, 1)

    const args = ['rekey', '--drop-previous']
    const died = bench.launch({ dataDir, args, env: { ...env, FAIL_AT: point } })
    assert.equal(await died.ended, 'SIGKILL', died.output)
    author.launched = await bench.start({ dataDir, env })
    await inDatabase(dataDir, async (client) => {
      assert.deepEqual(await openAll(client, await keysOf(dataDir)), sealed)
    })
    const isKnown = (await author.request('GET', 'ssh_key/')).status
    assert.equal(isKnown, point === 'rekey.dropped' ? 401 : 200)
    assert.equal(await author.launched.stop(), 0)

    const again = bench.launch({ dataDir, args, env })
    assert.equal(await again.ended, 0, again.output)
    const [current = '', ...previous] = await secretsOf(dataDir)
    assert.deepEqual(previous, [])
    assert.notEqual(current, before[0])
    author.launched = await bench.start({ dataDir, env })
    await inDatabase(dataDir, async (client) => {
      assert.deepEqual(await openAll(client, keysFrom(current)), sealed)
    })
    assert.ok(await author.signIn({ username: 'ada', password: 'correct horse' }))
    assert.equal(await author.launched.stop(), 0)
  })
}

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
