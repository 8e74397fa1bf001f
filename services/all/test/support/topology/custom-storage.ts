import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createS3Store } from '@figbase/kit/objects'
import { type S3Server, s3SkipReason } from '@figbase/kit/testing'
import { Author, type Created, program } from '../author.js'
import { Bench, until } from '../launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

/** Collects the live events of a user. */
async function follow({ launched, token }: Author, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${launched.url}/api/v1.4.1/events/`, { headers, signal })
  assert.equal(response.status, 200)
  const heard = { text: '' }
  const reading = (async () => {
    for await (const chunk of response.body ?? []) heard.text += Buffer.from(chunk).toString()
  })()
  reading.catch(() => {})
  return heard
}

export function testCustomStorage(args: string[], startS3: () => Promise<S3Server>): void {
  const topology = args[0] ?? 'all-in-one'

  describe('custom storage of a workspace', { skip: s3SkipReason() }, () => {
    let s3: S3Server
    before(async () => {
      s3 = await startS3()
    })
    after(() => s3[Symbol.asyncDispose]())

    test(`${topology}: custom storage works after a restart, and its keys are not in logs or events`, async () => {
      const bucket = await s3.newBucket()
      const { host } = new URL(s3.endpoint)
      const env = { LOG_LEVEL: 'trace', OUTBOUND_HOSTS_ALLOWED: host, ACCESS_TOKEN_LIFETIME: '1d' }
      const options = { dataDir: await bench.dir(), args, env }
      const author = new Author(await bench.start(options))
      await author.signUp()
      const figure = await author.newFigure()
      const [workspace] = (await author.json<Created[]>('GET', 'workspace/')).slice(-1)
      const path = `workspace/${workspace?.api_id}/storage/`
      const leaving = new AbortController()
      const heard = await follow(author, leaving.signal)

      const { endpoint, accessKey: access_key, secretKey } = s3
      const wrong = `wrong-${randomUUID()}`
      const settings = (secret_key: string) => ({
        vendor: 's3',
        params: { endpoint, bucket, prefix: 'lab', access_key, secret_key },
      })
      for (const where of [path, `${path}test/`]) {
        assert.equal((await author.request('POST', where, settings(wrong))).status, 400)
        assert.equal((await author.request('POST', where, settings(secretKey))).status, 200)
      }
      const first = await author.publish(figure)
      await author.isIntact(first)
      await until(() => heard.text.includes(first.api_id), 'the events of the publication')
      leaving.abort()
      assert.equal(await author.launched.stop(), 0)
      const before = author.launched.output

      author.launched = await bench.start(options)
      await author.isIntact(first)
      await author.isIntact(await author.publish(figure))
      assert.equal(await author.launched.stop(), 0)

      const keys: string[] = []
      for await (const { key } of createS3Store(s3.storeOptions(bucket)).list('')) keys.push(key)
      assert.equal(keys.length, 3, 'one deduplicated image and two files')
      const output = before + author.launched.output
      assert.ok(output.includes('storage check failed'))
      for (const secret of [wrong, secretKey]) {
        assert.ok(!output.includes(secret), 'in the log')
        assert.ok(!heard.text.includes(secret), 'in an event')
      }
    })
  })
}
