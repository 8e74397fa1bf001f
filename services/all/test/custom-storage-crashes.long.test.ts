import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createS3Store, type ObjectStore } from '@figbase/kit/objects'
import { type S3Server, s3SkipReason, startS3Server } from '@figbase/kit/testing'
import { Author, type Created, program } from './support/author.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process while custom storage is configured, and while data is written there.
 * Acknowledged writes are present; the settings are the old or the new ones; no garbage is left in the bucket.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const around = (name: string, times = 1) =>
  ['before', 'after'].flatMap((when) =>
    Array.from({ length: times }, (_, time) => `${name}.${when}:${time + 1}`),
  )

const pointsOfChange = [
  ...around('catalog.RegisterStorage'),
  ...around('revisions.write'),
  ...['begun', 'committing', 'committed'].map((when) => `catalog.tx.${when}:1`),
]

const pointsOfPublish = [
  // Writes to the default storage before the figure is known.
  ...around('revisions.put', 2),
  ...around('revisions.CheckAccess'),
  ...around('revisions.Reserve'),
  ...around('revisions.write'),
  ...around('revisions.Activate'),
]

type Settings = { vendor: string; params: object | null }

describe('custom storage survives a kill', { skip: s3SkipReason() }, () => {
  let s3: S3Server
  let dataDir: string
  let author: Author
  let env: Record<string, string>
  before(async () => {
    s3 = await startS3Server()
    dataDir = await bench.dir()
    env = {
      LOG_LEVEL: 'fatal',
      ACCESS_TOKEN_LIFETIME: '1d',
      PENDING_SETTLE_AFTER: '1s',
      FIGBASE_AWS_ENDPOINT: s3.endpoint,
      FIGBASE_AWS_ACCESS_KEY: s3.accessKey,
      FIGBASE_AWS_SECRET_KEY: s3.secretKey,
    }
    author = new Author(await bench.start({ dataDir, env }))
    await author.signUp()
    await author.launched.stop()
  })
  after(() => s3[Symbol.asyncDispose]())

  const storeOf = (bucket: string): ObjectStore => createS3Store(s3.storeOptions(bucket))
  async function objectsIn(bucket: string) {
    const keys: string[] = []
    for await (const { key } of storeOf(bucket).list('')) keys.push(key)
    return keys
  }

  async function newPlace() {
    const { api_id: workspace } = await author.json<Created>('POST', 'workspace/', { name: 'W' })
    const analysis = await author.json<Created>('POST', 'analysis/', { name: 'A', workspace })
    const place = { name: 'F', analysis: analysis.api_id }
    const { api_id: figure } = await author.json<Created>('POST', 'figure/', place)
    const bucket = await s3.newBucket()
    const path = `workspace/${workspace}/storage/`
    return { figure, path, bucket, settings: { vendor: 'aws', params: { bucket, key: 'lab' } } }
  }

  /** Acts on a process that is killed at the point; returns whether the act was acknowledged. */
  async function killAt(point: string, act: () => Promise<Response>): Promise<boolean> {
    author.launched = await bench.start({ dataDir, env: { ...env, FAIL_AT: point } })
    const acknowledged = await act().then(
      ({ ok }) => ok,
      () => false,
    )
    assert.equal(await author.launched.ended, 'SIGKILL', `${point} was not reached`)
    author.launched = await bench.start({ dataDir, env })
    return acknowledged
  }

  for (const point of pointsOfChange) {
    test(`while storage is configured, at ${point}`, async () => {
      author.launched = await bench.start({ dataDir, env })
      const { path, figure, bucket, settings } = await newPlace()
      assert.equal(await author.launched.stop(), 0)
      const acknowledged = await killAt(point, () => author.request('POST', path, settings))
      const { vendor } = await author.json<Settings>('GET', path)
      assert.ok(vendor === 'aws' || (vendor === 'GoFigr.io' && !acknowledged), vendor)
      await author.isIntact(await author.publish(figure))
      assert.equal((await objectsIn(bucket)).length, vendor === 'aws' ? 2 : 0)
      assert.deepEqual(await author.json('POST', path, settings), settings)
      await author.publish(figure)
      assert.equal((await objectsIn(bucket)).length, vendor === 'aws' ? 3 : 2)
      assert.equal(await author.launched.stop(), 0)
    })
  }

  for (const point of pointsOfPublish) {
    test(`while data is written to it, at ${point}`, async () => {
      author.launched = await bench.start({ dataDir, env })
      const { path, figure, bucket, settings } = await newPlace()
      await author.json('POST', path, settings)
      assert.equal(await author.launched.stop(), 0)
      const client_id = randomUUID()
      const bytes = [randomBytes(900_000), randomBytes(100)]
      const data = bytes.map((one) => ({ type: 'file', data: one.toString('base64') }))
      const send = () => author.request('POST', 'revision/', { data, figure, client_id })
      await killAt(point, send)
      await until(async () => {
        const { status } = await send()
        if (status === 201) return true
        assert.equal(status, 409)
        return (await author.request('GET', `revision/${client_id}/`)).status === 200
      }, 'the reservation to be settled')
      const revision = await author.json<Created>('GET', `revision/${client_id}/`)
      for (const [n, { api_id }] of revision.data.entries()) {
        const { data: text } = await author.json<{ data: string }>('GET', `data/${api_id}/`)
        assert.ok(Buffer.from(text, 'base64').equals(bytes[n] ?? Buffer.alloc(0)))
        const { vendor } = await author.json<Settings>('GET', `data/${api_id}/storage/`)
        assert.equal(vendor, 'AWS')
      }
      await until(async () => (await objectsIn(bucket)).length === 2, 'no garbage to be left')
      assert.equal(await author.launched.stop(), 0)
    })
  }
})
