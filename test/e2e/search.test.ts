import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { waitForRevision } from '@figbase/client'
import { newApiKey } from '../src/api-keys.js'
import { client, messageOf, type Refusal } from '../src/client.js'
import { newComment } from '../src/comments.js'
import { figbaseOf } from '../src/figbase.js'
import { png, type Sample, samples } from '../src/images.js'
import {
  base64,
  code,
  file,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newWorkspace,
  publish,
  publishAsset,
} from '../src/publish.js'
import { findsOnly, idsOf, newWord, search } from '../src/search.js'
import { signUp, type TestUser } from '../src/users.js'

let owner: TestUser
let other: TestUser

before(async () => {
  ;[owner, other] = await Promise.all([signUp(), signUp()])
})

/** A workspace with an analysis and a figure whose name contains the word. */
async function newTree(word: string) {
  const workspace = await newWorkspace(owner.api)
  const analysis = await newAnalysis(owner.api, workspace.api_id)
  const figure = await newFigure(owner.api, analysis.api_id, `Kinase ${word} blot`)
  return { workspace: workspace.api_id, analysis: analysis.api_id, figure: figure.api_id }
}

test('finds objects of every type by their words', async () => {
  const word = newWord()
  const workspace = await newWorkspace(owner.api, `Workspace ${word}`)
  const analysis = await newAnalysis(owner.api, workspace.api_id, `Analysis ${word}`)
  const figure = await newFigure(owner.api, analysis.api_id, `Figure ${word}`)
  const asset = await newAsset(owner.api, workspace.api_id, { name: `Asset ${word}` })
  const source = code(Buffer.from(`import numpy\nplot("${word}")\n`))
  const revision = await publish(owner.api, figure.api_id, [image(png(9, 9)), source])
  const data = [file(Buffer.from('1'), `${word}.csv`)]
  const assetRevision = await publishAsset(owner.api, asset.api_id, data)
  const all = [workspace, analysis, figure, asset, revision, assetRevision]
  await findsOnly(
    owner.figbase,
    word,
    all.map(({ api_id }) => api_id),
  )
  const found = await search(owner.figbase, { search_type: 'keyword', query: word })
  const types = found.map(({ object }) => object.entity_type).sort()
  const names = ['analysis', 'asset', 'asset_revision', 'figure', 'figure_revision', 'workspace']
  assert.deepEqual(types, names)
  const byType = Object.fromEntries(found.map(({ object }) => [object.entity_type, object]))
  const { body: read } = await owner.api.get<{ figures: object[] }>(`analysis/${analysis.api_id}/`)
  assert.deepEqual(byType.figure, read.figures[0], 'the object is shallow')
  const { figure_revision: ofFigure = {}, asset_revision: ofAsset = {} } = byType
  assert.ok('figure' in ofFigure && 'asset' in ofAsset)
  assert.deepEqual([ofFigure.figure, ofAsset.asset], [figure.api_id, asset.api_id])
  await findsOnly(other.figbase, word, [])
})

test('finds a revision by metadata and comments, and no longer after a change', async () => {
  const { figure } = await newTree(newWord())
  const [gene, remark] = [newWord(), newWord()]
  const { api_id } = await publish(owner.api, figure, [image(png(9, 9))], { metadata: { gene } })
  await findsOnly(owner.figbase, gene, [api_id])
  const comment = await newComment(owner.api, 'figure_revision', api_id, `Why ${remark}?`)
  await findsOnly(owner.figbase, remark, [api_id])
  await owner.api.delete(`comment/${comment.id}/`)
  await findsOnly(owner.figbase, remark, [])
  await owner.api.patch(`revision/${api_id}/`, { metadata: {} })
  await findsOnly(owner.figbase, gene, [])
})

test('finds revisions by values of their metadata, and in an analysis', async () => {
  const { figure, analysis } = await newTree(newWord())
  const instrument = newWord()
  const metadata = { instrument, camera: { gain: 2, cooled: true } }
  const { api_id } = await publish(owner.api, figure, [image(png(9, 9))], { metadata })
  await findsOnly(owner.figbase, instrument, [api_id])
  const by = (more: Parameters<typeof idsOf>[2]) => idsOf(owner.figbase, '', more)
  const all = { instrument, 'camera.gain': 2, 'camera.cooled': true }
  assert.deepEqual(await by({ metadata: all, analysis }), [api_id])
  assert.deepEqual(await by({ metadata: { instrument }, analysis: randomUUID() }), [])
  assert.deepEqual(await by({ metadata: { ...all, instrument: 'other' } }), [])
  assert.deepEqual(await idsOf(other.figbase, '', { metadata: { instrument } }), [])
  assert.deepEqual(await idsOf(owner.figbase, 'kinase blot', { analysis }), [figure])
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, n]))
  for (const [more, field] of [
    [{ metadata: many }, 'metadata'],
    [{ metadata: { a: [1] } }, 'metadata'],
    [{ metadata: { a: 'b' }, search_type: 'semantic' }, 'metadata'],
    [{ analysis: 'x' }, 'analysis'],
  ] as const) {
    const asked = { search_type: 'keyword', query: 'a', ...more }
    const refused = await owner.api.post<Refusal>('search/', asked, 400)
    assert.match(messageOf(refused), new RegExp(field), field)
  }
})

test('finds stale figures', async () => {
  const word = newWord()
  const { workspace, analysis, figure } = await newTree(word)
  const fresh = await newFigure(owner.api, analysis, `Kinase ${word} again`)
  const asset = await newAsset(owner.api, workspace)
  const first = await publishAsset(owner.api, asset.api_id, [file(Buffer.from('1'), 'a.csv')])
  const assets = [{ asset_revision: first.api_id, use_type: 'direct' }]
  const { api_id } = await publish(owner.api, figure, [image(png(9, 9))], { assets })
  await findsOnly(owner.figbase, word, [figure, fresh.api_id])
  const stale = () => idsOf(owner.figbase, word, { is_stale: true })
  assert.deepEqual(await stale(), [])
  await publishAsset(owner.api, asset.api_id, [file(Buffer.from('2'), 'a.csv')])
  assert.deepEqual(await stale(), [figure])
  await owner.api.delete(`revision/${api_id}/`)
  assert.deepEqual(await stale(), [])
  const asked = { search_type: 'image', image: base64(png(9, 9)), is_stale: true }
  assert.match(messageOf(await owner.api.post<Refusal>('search/', asked, 400)), /is_stale/)
})

test('highlights words for keyword searches only, as HTML', async () => {
  const word = newWord()
  const { analysis } = await newTree(newWord())
  const figure = await newFigure(owner.api, analysis, `<b>Fish & ${word}</b>`)
  await findsOnly(owner.figbase, word, [figure.api_id])
  const [byKeyword] = await search(owner.figbase, { search_type: 'keyword', keywords: [word] })
  assert.deepEqual(byKeyword?.highlight.name, [
    `&lt;b&gt;Fish &amp; <mark>${word}</mark>&lt;/b&gt;`,
  ])
  assert.ok((byKeyword?.score ?? 0) > 0 && (byKeyword?.score ?? 2) <= 1)
  const [byText] = await search(owner.figbase, { search_type: 'text', query: `${word} absent` })
  assert.equal(byText?.object.api_id, figure.api_id)
  assert.deepEqual(byText?.highlight, {})
})

test('results agree with GET right after each change of access', async () => {
  const word = newWord()
  const { workspace, analysis, figure } = await newTree(word)
  await findsOnly(owner.figbase, word, [figure])
  const isFound = async (expected: boolean, person: TestUser = other) => {
    assert.deepEqual(await idsOf(person.figbase, word), expected ? [figure] : [])
    await person.api.get(`figure/${figure}/`, expected ? 200 : 403)
  }
  await isFound(false)
  const share = (path: string, enabled: boolean) =>
    owner.api.post(
      `${path}/share/user/`,
      { username: other.username, sharing_enabled: enabled },
      200,
    )
  for (const path of [`figure/${figure}`, `analysis/${analysis}`]) {
    await share(path, true)
    await isFound(true)
    await share(path, false)
    await isFound(false)
  }
  const member = { username: other.username, membership_type: 'viewer' }
  await owner.api.post(`workspace/${workspace}/members/add/`, member, 200)
  await isFound(true)
  const own = { username: other.username }
  await owner.api.post(`workspace/${workspace}/members/remove/`, own, 200)
  await isFound(false)
  // What is shared by a link alone is found by nobody, although GET shows it.
  await owner.api.post(`figure/${figure}/share/link/`, { enabled: true }, 200)
  assert.deepEqual(await idsOf(other.figbase, word), [])
})

test('results agree with GET right after a move, a deletion and a restoration', async () => {
  const word = newWord()
  const from = await newTree(newWord())
  const to = await newTree(newWord())
  const figure = (await newFigure(owner.api, from.analysis, word)).api_id
  const member = { username: other.username, membership_type: 'viewer' }
  await owner.api.post(`workspace/${to.workspace}/members/add/`, member, 200)
  await findsOnly(owner.figbase, word, [figure])
  await owner.api.patch(`figure/${figure}/`, { analysis: to.analysis })
  assert.deepEqual(await idsOf(other.figbase, word), [figure])
  assert.deepEqual(await idsOf(other.figbase, word, { workspace: to.workspace }), [figure])
  assert.deepEqual(await idsOf(owner.figbase, word, { workspace: from.workspace }), [])
  await owner.api.patch(`figure/${figure}/`, { analysis: from.analysis })
  assert.deepEqual(await idsOf(other.figbase, word), [])
  for (const path of [`figure/${figure}/`, `analysis/${from.analysis}/`]) {
    await owner.api.delete(path)
    assert.deepEqual(await idsOf(owner.figbase, word), [])
    await findsOnly(owner.figbase, word, [])
    await owner.api.post(`${path}restore/`, {}, 200)
    assert.deepEqual(await idsOf(owner.figbase, word), [figure])
  }
})

test('an API key for a workspace searches that workspace alone, until it ends', async () => {
  const word = newWord()
  const [one, two] = [await newTree(word), await newTree(word)]
  await findsOnly(owner.figbase, word, [one.figure, two.figure])
  const key = await newApiKey(owner.api, { workspace: one.workspace })
  const scoped = figbaseOf({ apiKey: key.token })
  assert.deepEqual(await idsOf(scoped, word), [one.figure])
  assert.deepEqual(await idsOf(scoped, word, { workspace: two.workspace }), [])
  await owner.api.delete(`api_key/${key.api_id}/`)
  await assert.rejects(idsOf(scoped, word), { status: 401 })
})

test('clamps k, and tells the maximum that was used', async () => {
  const body = { search_type: 'keyword', query: 'anything', k: 1_000_000 }
  const { headers } = await owner.api.post('search/', body, 200)
  assert.equal(headers.get('x-limit'), '100')
  const standard = await owner.api.post('search/', { ...body, k: null }, 200)
  assert.equal(standard.headers.get('x-limit'), '10')
})

test('orders by score, newer objects first among equals', async () => {
  const word = newWord()
  const { analysis } = await newTree(newWord())
  const older = await newFigure(owner.api, analysis, `same ${word}`)
  const newer = await newFigure(owner.api, analysis, `same ${word}`)
  const inDescription = await newFigure(owner.api, analysis, 'plain')
  const described = { description: `mentions ${word}` }
  await owner.api.patch(`figure/${inDescription.api_id}/`, described)
  const ordered = [newer.api_id, older.api_id, inDescription.api_id]
  await findsOnly(owner.figbase, word, ordered)
  assert.deepEqual(await idsOf(owner.figbase, word), ordered)
  assert.deepEqual(await idsOf(owner.figbase, word, { k: 1 }), ordered.slice(0, 1))
})

const invalid: [string, object, string][] = [
  ['no search_type', { query: 'a' }, 'search_type'],
  ['an unknown search_type', { search_type: 'fuzzy', query: 'a' }, 'search_type'],
  ['no query', { search_type: 'keyword' }, 'query'],
  ['an empty query', { search_type: 'text', query: ' ' }, 'query'],
  ['no query for semantic', { search_type: 'semantic' }, 'query'],
  ['no picture', { search_type: 'image' }, 'image'],
  ['a picture that is no base64', { search_type: 'image', image: '?' }, 'image'],
  ['a picture that cannot be read', { search_type: 'image', image: 'eHg=' }, 'image'],
  ['a query that is no text', { search_type: 'keyword', query: 7 }, 'query'],
  ['keywords that are no list', { search_type: 'keyword', keywords: 'a' }, 'keywords'],
  ['k below 1', { search_type: 'keyword', query: 'a', k: 0 }, 'k'],
  [
    'a workspace that is no UUID',
    { search_type: 'keyword', query: 'a', workspace: 'w' },
    'workspace',
  ],
  ['a too long query', { search_type: 'keyword', query: 'a'.repeat(1001) }, 'query'],
]

for (const [name, body, field] of invalid) {
  test(`rejects ${name}, and names the member`, async () => {
    const answer = await owner.api.post<Refusal>('search/', body, 400)
    assert.match(messageOf(answer), new RegExp(`\\b${field}\\b`))
  })
}

test('finds figure revisions by a picture and by words of their figure', async () => {
  const word = newWord()
  const { figure } = await newTree(word)
  const [{ png: picture }] = samples(1) as [Sample]
  const { api_id } = await publish(owner.api, figure, [image(picture)])
  await findsOnly(owner.figbase, word, [figure])
  await waitForRevision(owner.figbase, api_id, { indexed: true })
  const byPicture = { search_type: 'image' as const, image: base64(picture), k: 100 }
  const found = await search(owner.figbase, byPicture)
  assert.ok(found.some(({ object }) => object.api_id === api_id))
  assert.equal(found[0]?.score, 1)
  assert.deepEqual(await search(other.figbase, byPicture), [])
  const [byWord] = await search(owner.figbase, { search_type: 'semantic', query: word })
  assert.equal(byWord?.object.api_id, api_id)
  assert.deepEqual(byWord?.highlight, {})
})

async function indexed(path: string) {
  const seen = new Set<string>()
  for (let waits = 0; ; waits++) {
    assert.ok(waits < 1200, 'it was not indexed')
    const { body } = await owner.api.get<{ is_processing: boolean; search: string }>(
      `${path}status/`,
    )
    seen.add(body.search)
    assert.ok(!body.is_processing || body.search === 'pending')
    if (body.search === 'indexed') return seen
    await delay(20)
  }
}

test('`status/` tells when a revision is indexed: then it is found by all that is known of it', async () => {
  const { figure } = await newTree(newWord())
  const [{ png: picture }] = samples(1) as [Sample]
  const [inCode, inMetadata, later] = [newWord(), newWord(), newWord()]
  const source = code(Buffer.from(`plot("${inCode}")\n`))
  const metadata = { gene: inMetadata }
  const { api_id } = await publish(owner.api, figure, [image(picture), source], { metadata })
  const path = `revision/${api_id}/`
  const seen = [...(await indexed(path))]
  // A fast indexer leaves no time to see `pending`.
  assert.ok(['pending,indexed', 'indexed'].includes(seen.join()), seen.join())
  for (const word of [inCode, inMetadata])
    assert.deepEqual(await idsOf(owner.figbase, word), [api_id])
  const byPicture = { search_type: 'image' as const, image: base64(picture), k: 100 }
  const alike = await search(owner.figbase, byPicture)
  assert.ok(alike.some(({ object }) => object.api_id === api_id))
  await owner.api.patch(path, { metadata: { gene: later } })
  await indexed(path)
  assert.deepEqual(await idsOf(owner.figbase, later), [api_id])
  assert.deepEqual(await idsOf(owner.figbase, inMetadata), [])
  const notes = newWord()
  await owner.api.post(`${path}append_data/`, { data: [code(Buffer.from(`# ${notes}\n`))] }, 200)
  await indexed(path)
  assert.deepEqual(await idsOf(owner.figbase, notes), [api_id])
})

test('`status/` of an asset revision tells when it is indexed', async () => {
  const word = newWord()
  const workspace = await newWorkspace(owner.api)
  const asset = await newAsset(owner.api, workspace.api_id)
  const data = [file(Buffer.from('1'), `${word}.csv`)]
  const { api_id } = await publishAsset(owner.api, asset.api_id, data)
  await indexed(`asset_revision/${api_id}/`)
  assert.deepEqual(await idsOf(owner.figbase, word), [api_id])
})

test('rejects anonymous callers', async () => {
  await client().post('search/', { search_type: 'keyword', query: 'a' }, 401)
})

test('finds nothing in a workspace that does not exist', async () => {
  assert.deepEqual(await idsOf(owner.figbase, 'a', { workspace: crypto.randomUUID() }), [])
})
