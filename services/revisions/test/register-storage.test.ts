import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { type S3Server, s3SkipReason, startS3Server } from '@figbase/kit/testing'
import {
  objectsIn,
  type Params,
  s3Params as paramsOf,
  register,
  requestOf,
  startWith,
} from './custom-storage.js'
import { failsWith } from './failure.js'
import { ada, type Bench, startBench } from './service.js'

const skip = s3SkipReason()

describe('storage of users', { skip }, () => {
  let s3: S3Server
  let bucket: string
  before(async () => {
    s3 = await startS3Server()
    bucket = await s3.newBucket()
  })
  after(() => s3[Symbol.asyncDispose]())

  const start = (env?: Record<string, string>) => startWith(s3, env)
  const s3Params = (more?: Params) => paramsOf(s3, bucket, more)

  describe('accepts', () => {
    let bench: Bench
    before(async () => {
      bench = await start()
    })
    after(() => bench[Symbol.asyncDispose]())

    test('the vendor aws with the settings of the installation', async () => {
      const params = { bucket, key: 'figures/of the lab/' }
      const { vendor, paramsJson } = await register(bench, 'aws', params)
      assert.deepEqual([vendor, JSON.parse(paramsJson)], ['aws', params])
      assert.deepEqual(await objectsIn(s3, bucket), [])
    })

    test('an S3 server, and never returns its secret', async () => {
      const { vendor, paramsJson } = await register(bench, 's3', s3Params({ prefix: 'lab' }))
      assert.deepEqual(
        [vendor, JSON.parse(paramsJson)],
        [
          's3',
          {
            endpoint: s3.endpoint,
            region: 'us-east-1',
            bucket,
            prefix: 'lab',
            access_key: s3.accessKey,
          },
        ],
      )
      const rows = await bench.query<{ text: string }>('select storage::text as text from storage')
      assert.ok(rows.length > 0)
      const secrets = [s3.secretKey, Buffer.from(s3.secretKey).toString('hex')]
      for (const row of rows) for (const secret of secrets) assert.ok(!row.text.includes(secret))
    })

    test('each location once per holder; keys that are left out are kept', async () => {
      const params = s3Params({ prefix: 'again' })
      const { storageId } = await register(bench, 's3', params)
      assert.equal((await register(bench, 's3', params)).storageId, storageId)
      const { secret_key: _, ...withoutSecret } = params
      assert.equal((await register(bench, 's3', withoutSecret)).storageId, storageId)
      const { access_key: __, ...withoutKeys } = withoutSecret
      const again = await register(bench, 's3', withoutKeys)
      assert.deepEqual(
        [again.storageId, JSON.parse(again.paramsJson).access_key],
        [storageId, s3.accessKey],
      )
      const elsewhere = { ...requestOf('s3', params), holderId: newId() }
      const other = await bench.client.registerStorage(elsewhere, ada)
      assert.notEqual(other.storageId, storageId)
    })

    test('a check without saving anything', async () => {
      const [before] = await bench.query('select count(*) as n from storage')
      const params = s3Params({ prefix: 'only/checked' })
      const { vendor, paramsJson } = await bench.client.checkStorage(requestOf('s3', params), ada)
      assert.deepEqual([vendor, JSON.parse(paramsJson).prefix], ['s3', 'only/checked'])
      assert.deepEqual(await bench.query('select count(*) as n from storage'), [before])
    })
  })

  describe('rejects', () => {
    let bench: Bench
    before(async () => {
      bench = await start()
    })
    after(() => bench[Symbol.asyncDispose]())

    async function refused(vendor: string, params: unknown, field: string) {
      const started = performance.now()
      const expected = { code: 'InvalidArgument', error: 'invalid_request', field } as const
      await failsWith(bench.client.checkStorage(requestOf(vendor, params), ada), expected)
      await failsWith(bench.client.registerStorage(requestOf(vendor, params), ada), expected)
      assert.ok(performance.now() - started < 10_000, 'in time')
      assert.deepEqual(await bench.query('select id from storage'), [])
    }

    test('a malformed member by name', async () => {
      for (const vendor of ['', 'S3', 'gcs', 'GoFigr.io']) await refused(vendor, {}, 'vendor')
      for (const params of [null, [], 'x', 7]) await refused('s3', params, 'params')
      const malformed = { ...requestOf('s3', {}), paramsJson: '{' }
      await failsWith(bench.client.checkStorage(malformed, ada), { field: 'params' })
      for (const [member, values] of Object.entries({
        bucket: [undefined, '', 7, 'UPPER', 'a', 'a/b', '../x', 'x'.repeat(64), '.ab', 'a..b'],
        endpoint: [
          undefined,
          's3.example.org',
          'ftp://a.example',
          'http://a.example/path',
          'http://u:p@a.example',
          'http://a.example?x',
        ],
        region: ['a b', 'a/b', 7],
        prefix: ['..', 'a/../b', 'a//b', './a', 'a\0', 'x'.repeat(501), 'a%2e'],
        access_key: ['a b', 'ä', undefined],
        secret_key: ['a\n', undefined],
      })) {
        for (const value of values) {
          await refused('s3', s3Params({ [member]: value }), `params.${member}`)
        }
      }
      await refused('aws', { bucket, key: '../x' }, 'params.key')
      await refused('aws', { key: 'x' }, 'params.bucket')
    })

    test('a missing bucket and wrong keys', async () => {
      const missing = `missing-${newId()}`
      await refused('s3', s3Params({ bucket: missing }), 'params.bucket')
      await refused('aws', { bucket: missing, key: '' }, 'params.bucket')
      await refused('s3', s3Params({ secret_key: 'wrong' }), 'params.secret_key')
      // Swift has the same error for both keys.
      await refused('s3', s3Params({ access_key: 'test:nobody' }), 'params.secret_key')
    })

    test('an address that is not public, in any form', async () => {
      for (const host of [
        'localhost',
        '127.0.0.1',
        '127.1',
        '2130706433',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '10.0.0.1',
        '169.254.169.254',
      ]) {
        await refusedAsPrivate(s3Params({ endpoint: `http://${host}:9` }))
      }
    })

    async function refusedAsPrivate(params: Params) {
      const call = bench.client.checkStorage(requestOf('s3', params), ada)
      await assert.rejects(call, /params\.endpoint: .*not on the public Internet/)
      await refused('s3', params, 'params.endpoint')
    }
  })

  test('accepts private addresses that the operator allows', async () => {
    const { port } = new URL(s3.endpoint)
    await using bench = await start({ OUTBOUND_HOSTS_ALLOWED: `localhost:${port}` })
    const params = s3Params({ endpoint: `http://localhost:${port}` })
    const { paramsJson } = await register(bench, 's3', params)
    assert.equal(JSON.parse(paramsJson).endpoint, `http://localhost:${port}`)
  })

  test('rejects the vendor aws without keys of the installation', async () => {
    await using bench = await startBench('local')
    const call = register(bench, 'aws', { bucket, key: '' })
    await failsWith(call, { code: 'InvalidArgument', field: 'vendor' })
  })

  test('rejects the bucket of the installation itself', async () => {
    await using bench = await start({
      S3_ENDPOINT: s3.endpoint,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY: 'x',
      S3_SECRET_KEY: 'x',
    })
    await failsWith(register(bench, 'aws', { bucket, key: 'x' }), { field: 'params.bucket' })
    await failsWith(register(bench, 's3', s3Params()), { field: 'params.bucket' })
    await register(bench, 's3', s3Params({ bucket: await s3.newBucket() }))
  })

  test('rejects other servers, silent and endless ones in time', async () => {
    const behaviours: [string, RequestListener][] = [
      ['a site', (req, res) => void req.resume().on('end', () => res.end('<html>hello</html>'))],
      ['silence', (req) => void req.resume()],
      ['a redirect', (_, res) => res.writeHead(307, { location: s3.endpoint }).end()],
      [
        'an answer without an end',
        (req, res) => {
          req.resume()
          res.writeHead(200, { etag: '"x"' })
          if (req.method === 'GET') {
            const timer = setInterval(() => res.write(Buffer.alloc(100)), 10)
            res.on('close', () => clearInterval(timer))
          } else res.end()
        },
      ],
      [
        'a header a second',
        (req) => {
          const timer = setInterval(() => req.socket.write('HTTP/1.1'.slice(0, 1)), 200)
          req.socket.on('close', () => clearInterval(timer))
        },
      ],
    ]
    let handle: RequestListener = () => {}
    const server = createServer((req, res) => handle(req, res)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      await using bench = await start({
        OUTBOUND_HOSTS_ALLOWED: host,
        STORAGE_CHECK_TIMEOUT: '500ms',
      })
      for (const [what, behaviour] of behaviours) {
        handle = behaviour
        const started = performance.now()
        const params = s3Params({ endpoint: `http://${host}` })
        await failsWith(register(bench, 's3', params), { code: 'InvalidArgument' })
        assert.ok(performance.now() - started < 5000, what)
        assert.deepEqual(await bench.query('select id from storage'), [], what)
      }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
