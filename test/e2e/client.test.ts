import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import {
  apiVersion,
  count,
  createFigbase,
  download,
  events,
  type Figbase,
  FigbaseError,
  find,
  findOrCreate,
  hashOf,
  list,
  publish,
  syncAsset,
  type Tokens,
  upload,
  waitForAssetRevision,
} from '@figbase/client'
import { startFaultyProxy } from '@figbase/kit/testing'
import { newApiKey } from '../src/api-keys.js'
import { deployment } from '../src/deployment.js'
import { figbaseOf } from '../src/figbase.js'
import { png } from '../src/images.js'
import { signUp, type TestUser } from '../src/users.js'

const url = deployment.origin.origin
let user: TestUser
let figbase: Figbase
let workspace: { api_id: string; name: string }

before(async () => {
  user = await signUp()
  const { username, password } = user
  figbase = figbaseOf({ username, password })
  workspace = await figbase.post('/workspace/', { body: { name: 'Climate' } })
})

const readAll = async (body: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(body).arrayBuffer())

const dataOf = async (revision: string) =>
  (await figbase.get('/revision/{id}/', { path: { id: revision } })).data ?? []

test('publishes below a path, once for the same content', async () => {
  const init = {
    figure: 'Climate/Temperatures/Monthly means',
    image: png(20, 10, 1),
    code: { name: 'means.py', source: 'print(1)' },
    data: [
      { name: 'means.csv', source: 'month,mean\n1,2\n' },
      { name: 'notes.bin', source: new Uint8Array([0, 1, 2]) },
    ],
    metadata: { seed: 42 },
    description: 'Means of *all* stations',
    skipUnchanged: true,
  }
  const first = await publish(figbase, init)
  assert.equal(first.isNew, true)
  const revision = await figbase.get('/revision/{id}/', { path: { id: first.api_id } })
  assert.deepEqual(revision.metadata, { seed: 42 })
  assert.deepEqual(
    revision.data?.map(({ name, type, metadata }) => [name, type, metadata]),
    [
      ['figure', 'image', { format: 'png', is_watermarked: false }],
      ['means.py', 'code', { language: 'Python', format: 'text', encoding: 'utf-8' }],
      ['means.csv', 'dataframe', { format: 'csv', encoding: 'utf-8' }],
      ['notes.bin', 'file', { path: 'notes.bin' }],
    ],
  )
  assert.deepEqual(await publish(figbase, init), { ...first, isNew: false })
  const changed = await publish(figbase, {
    ...init,
    code: { name: 'means.py', source: 'print(2)' },
  })
  assert.deepEqual([changed.isNew, changed.figure], [true, first.figure])
  assert.match(await (await fetch(changed.url)).text(), /sign in/i)
})

test('finds and creates what a path names', async () => {
  const path = ['Climate', 'a/b', 'Rain']
  assert.equal(await find(figbase, path), undefined)
  const made = await findOrCreate(figbase, path)
  assert.deepEqual([made.kind, made.name, made.isNew], ['figure', 'Rain', true])
  const { isNew, ...node } = made
  assert.deepEqual(await find(figbase, path), node)
  assert.deepEqual(await findOrCreate(figbase, path), { ...node, isNew: false })
  assert.deepEqual(await find(figbase, 'Climate'), {
    kind: 'workspace',
    api_id: workspace.api_id,
    name: 'Climate',
  })
  for (const wrong of ['', 'a//b', 'a/b/c/d']) await assert.rejects(find(figbase, wrong), TypeError)
})

test('has an asset once for each version of a file', async () => {
  const init = { name: 'stations.csv', workspace: workspace.api_id }
  const first = await syncAsset(figbase, 'id,name\n1,Oslo\n', init)
  assert.equal(first.isNew, true)
  await waitForAssetRevision(figbase, first.api_id)
  assert.deepEqual(await syncAsset(figbase, 'id,name\n1,Oslo\n', init), { ...first, isNew: false })
  const next = await syncAsset(figbase, 'id,name\n2,Rome\n', init)
  assert.deepEqual([next.asset, next.isNew], [first.asset, true])
  const { api_id } = await publish(figbase, {
    figure: 'Climate/Temperatures/Stations',
    image: png(9, 9, 2),
    assets: [next.api_id],
  })
  const { assets } = await figbase.get('/revision/{id}/', { path: { id: api_id } })
  assert.deepEqual(
    assets?.map(({ asset_revision }) => asset_revision),
    [next.api_id],
  )
})

test('publishes its own copy of a file that others have shared', async () => {
  const other = await signUp()
  const name = 'depths.csv'
  const { api_id: elsewhere } = await findOrCreate(other.figbase, 'Oceans')
  const theirs = await syncAsset(other.figbase, 'id,depth\n1,90\n', { name, workspace: elsewhere })
  await waitForAssetRevision(other.figbase, theirs.api_id)
  await other.figbase.post('/asset_revision/{id}/share/user/', {
    path: { id: theirs.api_id },
    body: { username: user.username, sharing_enabled: true },
  })
  const init = { name, workspace: workspace.api_id }
  const own = await syncAsset(figbase, 'id,depth\n1,90\n', init)
  assert.equal(own.isNew, true)
  await waitForAssetRevision(figbase, own.api_id)
  assert.deepEqual(await syncAsset(figbase, 'id,depth\n1,90\n', init), { ...own, isNew: false })
})

test('sends large content over a connection that breaks, and reads it back', async () => {
  await using proxy = await startFaultyProxy(url)
  const { username, password } = user
  const far = createFigbase({ url: proxy.url, credentials: { username, password } })
  const bytes = new Uint8Array(randomBytes(3 * 2 ** 20))
  const { api_id: figure } = await findOrCreate(far, 'Climate/Temperatures/Large')
  proxy.set({ cutAfterBytes: 700_000, of: 'client' })
  const seen: number[] = []
  const address = await upload(far, { figure }, bytes, {
    partBytes: 500_000,
    onProgress: ({ sentBytes }) => seen.push(sentBytes),
  })
  assert.equal(seen.at(-1), bytes.length)
  const body = { figure, data: [{ name: 'large.bin', type: 'file' as const, upload: address }] }
  const { api_id } = await far.post('/revision/', { body })
  const [object] = await dataOf(api_id)
  assert.equal(object?.hash, await hashOf(bytes))

  proxy.set({ cutAfterBytes: 1_000_000, of: 'server' })
  const { body: stream, hash, size } = await download(far, object?.api_id ?? '')
  assert.deepEqual([hash, size], [object?.hash, bytes.length])
  assert.ok(Buffer.from(bytes).equals(await readAll(stream)))
  proxy.set('none')
  const part = await download(far, object?.api_id ?? '', { start: 10, end: 20 })
  assert.deepEqual(await readAll(part.body), Buffer.from(bytes.subarray(10, 20)))
  assert.equal(part.size, bytes.length)
})

test('goes on with an upload of another process', async () => {
  const { api_id: figure } = await findOrCreate(figbase, 'Climate/Temperatures/Resumed')
  const bytes = new Uint8Array(randomBytes(300_000))
  const stop = new AbortController()
  let url: string | undefined
  const first = upload(figbase, { figure }, bytes, {
    partBytes: 100_000,
    signal: stop.signal,
    onUrl: (one) => {
      url = one
    },
    onProgress: ({ sentBytes }) => sentBytes > 0 && stop.abort(new Error('interrupted')),
  })
  await assert.rejects(first, /interrupted/)
  const offsets: number[] = []
  const onProgress = ({ sentBytes }: { sentBytes: number }) => offsets.push(sentBytes)
  assert.equal(await upload(figbase, { figure }, bytes, { url, onProgress }), url)
  assert.ok((offsets[0] ?? 0) >= 100_000, String(offsets))
})

test('lists page by page, and counts', async () => {
  const { api_id: analysis } = await findOrCreate(figbase, 'Climate/Many')
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await figbase.post('/figure/', { body: { name, analysis } })
  const seen: string[] = []
  for await (const one of list(figbase, '/figure/', { pageSize: 2 })) {
    if (one.analysis === analysis) seen.push(one.name)
  }
  assert.deepEqual(seen, names)
  const all = await figbase.get('/figure/', { query: { fields: 'api_id' } })
  assert.equal(await count(figbase, '/figure/'), all.length)
  assert.equal(await count(figbase, '/revision/'), undefined)
})

test('tells live events', async () => {
  const stop = new AbortController()
  const seen: string[] = []
  try {
    for await (const { event, data } of events(figbase, { signal: stop.signal })) {
      seen.push(event)
      if (event === 'begun') {
        await figbase.patch('/workspace/{id}/', {
          path: { id: workspace.api_id },
          body: { description: 'of 2026' },
        })
      }
      if (event === 'activity' && data.target_id === workspace.api_id) stop.abort('done')
    }
  } catch (error) {
    assert.equal(error, 'done')
  }
  assert.equal(seen[0], 'begun')
})

test('renews tokens that have expired, and tells the new ones', async () => {
  const { tokens } = await signUp()
  const told: Tokens[] = []
  const onTokens = (one: Tokens) => told.push(one)
  const credentials = { ...tokens, access: 'expired' }
  const kept = createFigbase({ url, credentials, onTokens })
  await Promise.all([kept.get('/workspace/'), kept.get('/figure/')])
  assert.equal(told.length, 1)
  const [next] = told
  await figbaseOf(next).get('/workspace/')
})

test('errors have the name, the text and the request id of the server', async () => {
  const key = await newApiKey(user.api, { name: 'client' })
  const byKey = figbaseOf({ apiKey: key.token ?? '' })
  const [me] = await byKey.get('/user/')
  assert.equal(me?.username, user.username)
  const failed = byKey.post('/figure/', { body: { name: 'Rain', analysis: 'none' } })
  await assert.rejects(failed, (error) => {
    assert.ok(error instanceof FigbaseError)
    assert.equal(error.status, 400)
    assert.deepEqual(
      error.errors.map(({ field }) => field),
      ['analysis'],
    )
    assert.match(error.requestId ?? '', /\S{8,}/)
    return true
  })
  const wrong = figbaseOf({ username: user.username, password: 'no' })
  await assert.rejects(wrong.get('/workspace/'), { status: 401 })
  const anonymous = figbaseOf()
  await assert.rejects(anonymous.get('/workspace/'), { status: 401, code: 'not_authenticated' })
})

test('routes that refuse an idempotency key get none', async () => {
  type Operation = { 'x-errors'?: Record<string, string[]> }
  const answer = await fetch(new URL(`/api/${apiVersion}/openapi.json`, url))
  const { paths } = (await answer.json()) as { paths: Record<string, { post?: Operation }> }
  const refusing = Object.entries(paths).flatMap(([path, { post }]) =>
    post?.['x-errors']?.[400]?.includes('idempotency_key_unsupported') ? [path] : [],
  )
  assert.ok(refusing.length > 5, 'the document says which')
  for (const path of refusing) {
    let sent: Headers | undefined
    const recorded = createFigbase({
      url,
      async fetch(_, init) {
        sent = new Headers(init?.headers)
        return new Response()
      },
    })
    await recorded.send({ method: 'POST', path: path.replace(/\{\w+\}/g, 'x') }, async () => {})
    assert.equal(sent?.has('idempotency-key'), false, path)
  }
})
