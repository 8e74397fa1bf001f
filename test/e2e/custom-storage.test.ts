import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { createS3Store, type ObjectStore } from '@figbase/kit/objects/client'
import { type Client, client, type Refusal } from '../src/client.js'
import { deployment, isFrom, VERSIONS } from '../src/deployment.js'
import { bytesOf } from '../src/figbase.js'
import { png } from '../src/images.js'
import { expectProtected, signInAt } from '../src/pages.js'
import {
  at,
  file,
  image,
  newAnalysis,
  newFigure,
  newOrganization,
  newPlace,
  newRevision,
  newWorkspace,
  type Place,
  processed,
  publish,
} from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

interface Settings {
  vendor: string
  params: Record<string, string> | null
}
interface Stored {
  vendor: string
  hash: string
  path: string | null
}

const { s3 } = deployment
const buckets = [...deployment.buckets]
const skip =
  s3 && buckets.length > 0 ? false : 'needs a deployment with a test server as vendor aws'
const defaultStorage: Settings = { vendor: 'GoFigr.io', params: null }

describe('custom storage', { skip }, () => {
  let alice: TestUser
  before(async () => {
    alice = await signUp()
  })

  function newBucket() {
    const bucket = buckets.pop()
    assert.ok(bucket, 'not enough test buckets')
    return bucket
  }
  const storeOf = (bucket: string): ObjectStore => {
    assert.ok(s3)
    return createS3Store({ ...s3, bucket, prefix: '' })
  }
  async function objectsIn(bucket: string) {
    const keys: string[] = []
    for await (const { key } of storeOf(bucket).list('')) keys.push(key)
    return keys.sort()
  }

  const workspacePath = ({ workspace }: Place) => `workspace/${workspace.api_id}/storage/`
  const settingsAt = async (path: string, api: Client = alice.api) =>
    (await api.get<Settings>(path)).body
  const change = async (path: string, settings: Settings, api: Client = alice.api) =>
    (await api.post<Settings>(path, settings, 200)).body
  const refused = async (path: string, settings: unknown, field: string) => {
    const { body } = await alice.api.post<Refusal>(path, settings, 400)
    assert.equal(`${body.detail}`.split(':')[0], field, body.detail)
  }
  const storedAt = async (dataId: string) =>
    (await alice.api.get<Stored>(`data/${dataId}/storage/`)).body
  const store = async ({ figure }: Place, bytes: Buffer) =>
    at((await newRevision(alice.api, figure.api_id, [file(bytes)])).data, 0).api_id

  const aws = (bucket: string, key = 'figures/2026') => ({ vendor: 'aws', params: { bucket, key } })
  const withKeys = (bucket: string, more: object = {}) => ({
    vendor: 's3',
    params: {
      endpoint: s3?.endpoint,
      region: s3?.region,
      bucket,
      prefix: 'lab',
      access_key: s3?.accessKey,
      secret_key: s3?.secretKey,
      ...more,
    },
  })

  test('a workspace has the default storage until it is changed; a test changes nothing', async () => {
    const place = await newPlace(alice.api)
    const path = workspacePath(place)
    const bucket = newBucket()
    assert.deepEqual(await settingsAt(path), defaultStorage)
    assert.deepEqual(await change(`${path}test/`, aws(bucket)), aws(bucket))
    assert.deepEqual(await settingsAt(path), defaultStorage)
    assert.deepEqual(await change(path, aws(bucket)), aws(bucket))
    assert.deepEqual(await settingsAt(path), aws(bucket))
    assert.deepEqual(await objectsIn(bucket), [], 'the test object should be deleted')
    assert.deepEqual(await change(`${path}test/`, defaultStorage), defaultStorage)
    assert.deepEqual(await settingsAt(path), aws(bucket))
    assert.deepEqual(await change(path, defaultStorage), defaultStorage)
    assert.deepEqual(await settingsAt(path), defaultStorage)
  })

  test('new data goes to the new bucket and old data stays, also after switching back', async () => {
    const place = await newPlace(alice.api)
    const path = workspacePath(place)
    const bucket = newBucket()
    const contents = [randomBytes(2000), randomBytes(800_000), randomBytes(3000)]
    const ids: string[] = []
    for (const [n, settings] of [defaultStorage, aws(bucket), defaultStorage].entries()) {
      await change(path, settings)
      ids.push(await store(place, at(contents, n)))
    }
    const stored = await Promise.all(ids.map(storedAt))
    assert.deepEqual(
      stored.map(({ vendor }) => vendor),
      ['GoFigr.io', 'AWS', 'GoFigr.io'],
    )
    const objects = await objectsIn(bucket)
    assert.equal(objects.length, 1)
    assert.deepEqual(
      stored.map((one) => one.path),
      [null, `s3://${bucket}/${objects[0]}`, null],
    )
    assert.match(`${objects[0]}`, /^figures\/2026\//)
    for (const [n, id] of ids.entries()) {
      assert.ok((await bytesOf(alice.figbase, id)).equals(at(contents, n)))
      const { body } = await alice.api.get<{ hash: string; data: string }>(`data/${id}/`)
      assert.equal(body.hash, at(stored, n).hash)
      assert.ok(Buffer.from(body.data, 'base64').equals(at(contents, n)))
    }
    const part = await alice.api.request('GET', `data/${ids[1]}/?dl=1`, {
      headers: { range: 'bytes=700000-700009' },
      status: 206,
    })
    assert.ok(part.bytes.equals(at(contents, 1).subarray(700_000, 700_010)))
  })

  test('on its page it is tested without a change, and changed with the password', async () => {
    const place = await newPlace(alice.api)
    const path = workspacePath(place)
    const action = `/workspace/${place.workspace.api_id}/storage/`
    const { browser, page } = await signInAt(action, alice)
    const { params } = withKeys(newBucket())
    const submit = (more: object, on = page) =>
      browser.submit(on, { vendor: 's3', ...params, ...more } as Record<string, string>, action)
    const missing = await submit({ action: 'test', bucket: 'missing-here' })
    assert.equal(missing.status, 400)
    assert.match(missing.text, /role="alert">There is no such bucket/)
    assert.match(missing.text, /value="missing-here"/)
    const tested = await submit({ action: 'test' })
    assert.match(tested.text, /role="status">The test succeeded/)
    assert.deepEqual(await settingsAt(path), defaultStorage)
    const wrong = await submit({ action: 'change', password: 'wrong horse' })
    assert.match(wrong.text, /role="alert">The password is wrong/)
    assert.deepEqual(await settingsAt(path), defaultStorage)
    const saved = await submit({ action: 'change', password: alice.password })
    assert.match(saved.text, /role="status">The storage is changed/)
    assert.equal((await settingsAt(path)).vendor, 's3')
    for (const { text } of [missing, tested, wrong, saved]) {
      assert.ok(!text.includes(`${params.secret_key}`))
      assert.ok(!text.includes(alice.password))
    }
    const again = await submit({ action: 'test', secret_key: '' }, saved)
    assert.match(again.text, /role="status">The test succeeded/, 'the stored key is used')
    await expectProtected({ browser, page }, action, { vendor: 's3' })
  })

  test('figures in a custom bucket support thumbnails, updates, moves and derivation', async () => {
    const place = await newPlace(alice.api)
    const other = await newPlace(alice.api)
    const bucket = newBucket()
    await change(workspacePath(place), withKeys(bucket) as Settings)
    const { api_id, data } = await publish(alice.api, place.figure.api_id, [image(png(40, 30))])
    const { bytes: thumbnail } = await alice.api.get(`revision/${api_id}/thumbnail/64/?dl=1`)
    assert.ok(thumbnail.length > 0)
    const derived = await alice.api.post<Revision>(
      `revision/${api_id}/derive/`,
      { figure: other.figure.api_id },
      201,
    )
    const copy = at(derived.body.data, 0).api_id
    assert.equal((await storedAt(copy)).path, (await storedAt(at(data, 0).api_id)).path)
    const appended = { data: [file(Buffer.from('more'))] }
    const { body } = await alice.api.post<Revision>(
      `revision/${api_id}/append_data/`,
      appended,
      200,
    )
    assert.equal((await storedAt(at(body.data, 1).api_id)).vendor, 'S3')
    await processed(alice.api, api_id)

    const figure = `figure/${place.figure.api_id}/`
    await alice.api.patch(figure, { analysis: other.analysis.api_id })
    assert.ok((await bytesOf(alice.figbase, at(data, 0).api_id)).equals(png(40, 30)))
    const fresh = await store({ ...other, figure: place.figure }, Buffer.from('elsewhere now'))
    assert.equal((await storedAt(fresh)).vendor, 'GoFigr.io')
    assert.equal((await objectsIn(bucket)).length, 2)
  })

  test('stores equal bytes once, also if data comes before the figure', async () => {
    const place = await newPlace(alice.api)
    const bucket = newBucket()
    await change(workspacePath(place), aws(bucket, ''))
    const bytes = randomBytes(900_000)
    const data = JSON.stringify([file(bytes), file(Buffer.from('small'))])
    const raw = `{"data": ${data}, "metadata": {}, "figure": "${place.figure.api_id}"}`
    const { body } = await alice.api.request<Revision>('POST', 'revision/', { raw, status: 201 })
    const again = await store(place, bytes)
    const [large, small] = [at(body.data, 0).api_id, at(body.data, 1).api_id]
    assert.equal((await storedAt(again)).path, (await storedAt(large)).path)
    assert.equal((await storedAt(small)).vendor, 'AWS')
    assert.equal((await objectsIn(bucket)).length, 2)
    assert.ok((await bytesOf(alice.figbase, large)).equals(bytes))
  })

  test('an organization controls the storage of its workspaces, unless it allows them to choose', async () => {
    const [shared, own] = [newBucket(), newBucket()]
    const organization = await newOrganization(alice.api)
    const circle = `organization/${organization.api_id}/`
    assert.deepEqual(await settingsAt(`${circle}storage/`), defaultStorage)
    assert.deepEqual(await change(`${circle}storage/test/`, aws(shared)), aws(shared))
    assert.deepEqual(await settingsAt(`${circle}storage/`), defaultStorage)
    await change(`${circle}storage/`, aws(shared))
    assert.deepEqual(await settingsAt(`${circle}storage/`), aws(shared))

    const workspace = await newWorkspace(alice.api, 'Lab', organization.api_id)
    const analysis = await newAnalysis(alice.api, workspace.api_id)
    const figure = await newFigure(alice.api, analysis.api_id)
    const place = { workspace, analysis, figure }
    const path = workspacePath(place)
    assert.deepEqual(await settingsAt(path), defaultStorage)
    for (const where of [path, `${path}test/`]) {
      const { body } = await alice.api.post<Refusal & { managed_by_organization: boolean }>(
        where,
        aws(own),
        409,
      )
      assert.equal(body.managed_by_organization, true)
    }
    const bucketOf = async () => {
      const { path } = await storedAt(await store(place, randomBytes(100)))
      return path?.split('/')[2] ?? null
    }
    assert.equal(await bucketOf(), shared)
    await alice.api.patch(circle, { allow_per_workspace_storage_settings: true })
    assert.equal(await bucketOf(), shared)
    await change(path, aws(own))
    assert.equal(await bucketOf(), own)
    await alice.api.patch(circle, { allow_per_workspace_storage_settings: false })
    assert.deepEqual(await settingsAt(path), defaultStorage)
    assert.equal(await bucketOf(), shared)
    await change(`${circle}storage/`, defaultStorage)
    assert.equal(await bucketOf(), null)
  })

  test('rejects invalid storage settings with the member, and changes nothing', async () => {
    const place = await newPlace(alice.api)
    const path = workspacePath(place)
    const bucket = newBucket()
    await change(path, withKeys(bucket) as Settings)
    const before = await settingsAt(path)
    for (const where of [path, `${path}test/`]) {
      const missing = `missing-${crypto.randomUUID()}`
      await refused(where, { vendor: 'tape', params: {} }, 'vendor')
      await refused(where, { params: {} }, 'vendor')
      await refused(where, { vendor: 's3' }, 'params')
      await refused(where, { vendor: 's3', params: 'x' }, 'params')
      await refused(where, aws(missing), 'params.bucket')
      await refused(where, { vendor: 'aws', params: { key: 'x' } }, 'params.bucket')
      await refused(where, withKeys(missing), 'params.bucket')
      await refused(
        where,
        withKeys(bucket, { prefix: 'other', secret_key: 'no' }),
        'params.secret_key',
      )
      await refused(
        where,
        withKeys(bucket, { secret_key: undefined, prefix: 'x' }),
        'params.secret_key',
      )
      await refused(where, withKeys(bucket, { endpoint: 'here' }), 'params.endpoint')
      const started = performance.now()
      for (const endpoint of ['http://127.0.0.1:9', 'https://localhost', 'http://[::ffff:a00:1]']) {
        await refused(where, withKeys(bucket, { endpoint }), 'params.endpoint')
      }
      assert.ok(performance.now() - started < 5000)
      assert.ok(s3)
      await refused(where, aws(s3.bucket), 'params.bucket')
    }
    assert.deepEqual(await settingsAt(path), before)
  })

  test('never returns the secret key, and keeps it if it is omitted', async () => {
    const place = await newPlace(alice.api)
    const path = workspacePath(place)
    const bucket = newBucket()
    const { secret_key, ...shown } = withKeys(bucket).params as Record<string, string>
    const settings = { vendor: 's3', params: shown }
    const answer = await alice.api.post<Settings>(
      path,
      { ...settings, params: { ...shown, secret_key } },
      200,
    )
    assert.deepEqual(answer.body, settings)
    assert.deepEqual(await settingsAt(path), settings)
    assert.deepEqual(await change(path, settings), settings)
    const id = await store(place, Buffer.from('a'))
    for (const read of [
      path,
      `workspace/${place.workspace.api_id}/`,
      `workspace/${place.workspace.api_id}/log/?deep=true`,
      `workspace/${place.workspace.api_id}/dashboard/`,
      `data/${id}/storage/`,
    ]) {
      const { text } = await alice.api.get(read)
      assert.ok(!text.includes('secret_key') && !text.includes(`"${secret_key}"`), read)
    }
    const bob = await signUp()
    for (const [api, status] of [
      [bob.api, 403],
      [client(), 401],
    ] as const) {
      await api.get(path, status)
      await api.post(path, settings, status)
      await api.post(`${path}test/`, settings, status)
      await api.get(`data/${id}/storage/`, status)
    }
  })

  test('reports data missing in the bucket as unavailable, without affecting others', async () => {
    const place = await newPlace(alice.api)
    const other = await newPlace(alice.api)
    const bucket = newBucket()
    await change(workspacePath(place), aws(bucket))
    const { api_id, data } = await publish(alice.api, place.figure.api_id, [
      file(Buffer.from('a')),
      image(png(30, 20)),
    ])
    const id = at(data, 0).api_id
    const elsewhere = await store(other, Buffer.from('b'))
    await storeOf(bucket).delete(await objectsIn(bucket))
    for (const read of [`data/${id}/`, `data/${id}/?dl=1`]) {
      const { body } = await alice.api.get<Refusal>(read, 503)
      assert.equal(body.error, 'storage_unavailable')
    }
    for (const version of VERSIONS) {
      const hasBytes = !isFrom(version, 'v1.2')
      await alice.at(version).get(`revision/${api_id}/`, hasBytes ? 503 : 200)
    }
    const { workspace, analysis, figure } = place
    await alice.api.get(`figure/${figure.api_id}/`)
    await alice.api.get(`analysis/${analysis.api_id}/`)
    await alice.api.get(`workspace/${workspace.api_id}/log/?deep=true`)
    assert.equal((await bytesOf(alice.figbase, elsewhere)).toString(), 'b')
    await store(place, Buffer.from('c'))
  })
})
