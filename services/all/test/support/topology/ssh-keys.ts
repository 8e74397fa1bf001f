import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { Author, program } from '../author.js'
import { Bench } from '../launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

/** Secrets that must not be disclosed: each line of the key, its seed in other forms, and the passphrase. */
function secretsIn(privateKey: string, seed: Buffer, passphrase: string): string[] {
  const lines = privateKey.split('\n').filter((line) => line && !line.startsWith('-'))
  return [...lines, seed.toString('base64').slice(4, 36), seed.toString('hex'), passphrase]
}

export function testSshKeys(args: string[]): void {
  const topology = args[0] ?? 'all-in-one'

  test(`${topology}: a private key and its passphrase are not in responses, logs or events`, async () => {
    const env = { LOG_LEVEL: 'trace' }
    const author = new Author(await bench.start({ dataDir: await bench.dir(), args, env }))
    await author.signUp()
    const leaving = new AbortController()
    const { signal } = leaving
    const headers = { authorization: `Bearer ${author.token}` }
    const url = `${author.launched.url}/api/v1.4.1/events/`
    const events = await fetch(url, { headers, signal })
    let seen = ''
    const heard = (async () => {
      for await (const chunk of events.body ?? []) seen += Buffer.from(chunk).toString()
    })().catch(() => {})

    const { privateKey } = generateKeyPairSync('ed25519')
    const seed = Buffer.from(String(privateKey.export({ format: 'jwk' }).d), 'base64url')
    const passphrase = `passphrase-${randomUUID()}`
    const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase } as const
    const secrets = []
    for (const key of [
      String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      String(privateKey.export(encrypted)),
    ]) {
      secrets.push(...secretsIn(key, seed, passphrase))
      for (const [request, status] of [
        [{ private_key: key, passphrase: `${passphrase}, wrong` }, undefined],
        [{ private_key: key.replace('MC4CAQAw', 'MC4CAQBw'), passphrase }, undefined],
        [{ private_key: `${key}${'x'.repeat(70_000)}`, passphrase }, 400],
        [{ private_key: key, passphrase, is_default: 'yes' }, 400],
        [{ private_key: key, passphrase, name: 5 }, 400],
      ] as const) {
        const response = await author.request('POST', 'ssh_key/', {
          name: randomUUID(),
          ...request,
        })
        if (status !== undefined) assert.equal(response.status, status)
        seen += await response.text()
      }
    }
    const listed = await author.json<{ api_id: string }[]>('GET', 'ssh_key/')
    assert.equal(listed.length, 1, 'the same key is stored once')
    seen += JSON.stringify(listed)
    seen += await (await author.request('GET', `ssh_key/${listed[0]?.api_id}/`)).text()
    seen += await (await author.request('DELETE', `ssh_key/${listed[0]?.api_id}/`)).text()
    leaving.abort()
    await heard
    assert.equal(await author.launched.stop(), 0)
    const { output } = author.launched
    assert.match(output, /CreateSshKey/, 'calls are logged')
    assert.match(seen, /SHA256:/)
    for (const secret of secrets) {
      assert.ok(secret.length > 20 || /=$/.test(secret))
      assert.ok(!output.includes(secret) && !seen.includes(secret))
    }
  })
}
