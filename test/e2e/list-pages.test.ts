import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Client, Refusal } from '../src/client.js'
import { deployment } from '../src/deployment.js'
import {
  at,
  newAnalysis,
  newAsset,
  newAssetRevision,
  newFigure,
  newOrganization,
  newRevision,
  newWorkspace,
} from '../src/publish.js'
import type { Core } from '../src/resources.js'
import { newStory } from '../src/stories.js'
import { newUser, signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let workspace: string
let analysis: string
let figures: string[]

interface Page<T = Record<string, unknown>> {
  items: T[]
  next: string | null
}

/** The lists of which `alice` has several items. */
const lists: { path(): string; isShallow?: true; itemsMin?: number }[] = [
  { path: () => 'organization/', isShallow: true },
  ...['workspace', 'analysis', 'figure', 'asset', 'story', 'revision', 'asset_revision'].map(
    (segment) => ({ path: () => `${segment}/`, isShallow: true as const }),
  ),
  { path: () => `workspace/${workspace}/members/` },
  { path: () => `workspace/${workspace}/invitations/` },
  { path: () => `analysis/${analysis}/share/user/` },
  { path: () => `workspace/${workspace}/log/` },
  { path: () => `workspace/${workspace}/deleted/` },
  { path: () => `comment/?target_type=figure&target_id=${at(figures, 0)}` },
  { path: () => 'api_key/' },
  { path: () => 'compute/tiers/' },
  { path: () => `user/${alice.username}/contributions/` },
  { path: () => 'plan/', itemsMin: 1 },
  { path: () => `account/${alice.username}/sessions/`, itemsMin: 1 },
]

before(async () => {
  alice = await signUp()
  const { api } = alice
  workspace = (await newWorkspace(api)).api_id
  analysis = (await newAnalysis(api, workspace)).api_id
  figures = []
  for (let n = 0; n < 3; n++) {
    await newOrganization(api, `Institute ${n}`)
    await newWorkspace(api, `Ship ${n}`)
    await newAnalysis(api, workspace, `Analysis ${n}`)
    const figure = (await newFigure(api, analysis, `Figure ${n}`)).api_id
    figures.push(figure)
    await newRevision(api, figure)
    await newAssetRevision(api, (await newAsset(api, workspace, { name: `Asset ${n}` })).api_id)
    await newStory(api, workspace)
    const { username } = await signUp()
    const member = { username, membership_type: 'viewer' }
    await api.post(`workspace/${workspace}/members/add/`, member, 200)
    const share = { username, sharing_enabled: true }
    await api.post(`analysis/${analysis}/share/user/`, share, 200)
    const invitation = { email: newUser().email, membership_type: 'viewer', workspace }
    await api.post('invitations/workspace/', invitation)
    const comment = { target_type: 'figure', target_id: at(figures, 0), content: `No. ${n}` }
    await api.post('comment/', comment)
    await api.post('api_key/', { name: `Key ${n}` })
    const gone = await newFigure(api, analysis, `Gone ${n}`)
    await api.delete(`figure/${gone.api_id}/`)
  }
})

const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`

/** Follows `Link`, and checks that `next` says the same. */
async function readPages(api: Client, path: string, size: number): Promise<Page['items']> {
  const items: Page['items'] = []
  let next: string | undefined = withQuery(path, `page_size=${size}`)
  for (let pages = 0; next !== undefined; pages++) {
    assert.ok(pages < 1000, `${path} has no end`)
    const { body, headers }: { body: Page; headers: Headers } = await api.get<Page>(next)
    assert.ok(body.items.length <= size, `${path}: a page has ${body.items.length} items`)
    assert.equal(headers.get('x-limit'), String(size))
    items.push(...body.items)
    const link: string | undefined = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    const cursor = link && new URL(link, deployment.origin).searchParams.get('cursor')
    assert.equal(cursor ?? null, body.next, path)
    next = link
  }
  return items
}

test('the pages of each list have the items of the array, in its order', async () => {
  for (const { path, isShallow, itemsMin = 3 } of lists) {
    const array = withQuery(path(), isShallow ? 'shallow=true' : '')
    const { body: whole } = await alice.api.get<Page['items']>(array)
    assert.ok(whole.length >= itemsMin, `${path()} has only ${whole.length} items`)
    for (const size of [1, 2, 1000]) {
      assert.deepEqual(await readPages(alice.api, path(), size), whole, `${path()}, by ${size}`)
    }
  }
})

test('HEAD counts the items of a list', async () => {
  const counted = lists
    .map(({ path }) => path())
    .filter((path) => !/revision|log|deleted|comment/.test(path))
  for (const path of counted) {
    const { body } = await alice.api.get<unknown[]>(path)
    const { headers } = await alice.api.request('HEAD', path)
    assert.equal(headers.get('x-total-count'), String(body.length), path)
  }
  const { headers } = await alice.api.request('HEAD', 'revision/')
  assert.equal(headers.get('x-total-count'), null, 'revisions are not counted')
})

test('a list counts what is shared, once, and nothing that is deleted', async () => {
  const bob = await signUp()
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`figure/${at(figures, 0)}/share/user/`, share, 200)
  const count = async () => (await bob.api.request('HEAD', 'figure/')).headers.get('x-total-count')
  assert.equal(await count(), '1')
  await alice.api.post(`analysis/${analysis}/share/user/`, share, 200)
  assert.equal(await count(), '3')
  const { api_id } = await newFigure(alice.api, analysis)
  assert.equal(await count(), '4')
  await alice.api.delete(`figure/${api_id}/`)
  assert.equal(await count(), '3')
  await alice.api.post(
    `analysis/${analysis}/share/user/`,
    { ...share, sharing_enabled: false },
    200,
  )
  assert.equal(await count(), '1')
})

test('fields chooses members, in an array and in pages', async () => {
  const { body: all } = await alice.api.get<Core[]>('figure/?shallow=true')
  const expected = all.map(({ api_id, created_on }) => ({ api_id, created_on }))
  const { body: array } = await alice.api.get('figure/?fields=api_id,created_on')
  assert.deepEqual(array, expected)
  const { body: page } = await alice.api.get<Page>('figure/?fields=api_id,created_on&page_size=9')
  assert.deepEqual(page.items, expected)
  const { body: one } = await alice.api.get(`figure/${at(figures, 0)}/?fields=api_id,created_on`)
  assert.deepEqual(
    one,
    expected.find(({ api_id }) => api_id === at(figures, 0)),
  )
})

test('updated_after lists what was created or updated itself since, the earliest change first', async () => {
  const names = async (since: string) => {
    const path = `figure/?updated_after=${encodeURIComponent(since)}`
    const { body } = await alice.api.get<{ name: string }[]>(path)
    assert.deepEqual(await readPages(alice.api, path, 1), body)
    return body.map(({ name }) => name)
  }
  const { body: before } = await alice.api.get<Core>(`figure/${at(figures, 2)}/`)
  assert.deepEqual(await names(before.created_on), [])
  await alice.api.patch(`figure/${at(figures, 1)}/`, { name: 'changed' })
  await newFigure(alice.api, analysis, 'new')
  await alice.api.patch(`figure/${at(figures, 0)}/`, { name: 'changed last' })
  await newRevision(alice.api, at(figures, 2))
  assert.deepEqual(await names(before.created_on), ['changed', 'new', 'changed last'])
  assert.equal((await names('1970-01-01')).length, 4)
  assert.deepEqual(await names('2999-01-01'), [])

  const bob = await signUp()
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`analysis/${analysis}/share/user/`, share, 200)
  const shared = `figure/?fields=name&updated_after=${encodeURIComponent(before.created_on)}`
  assert.deepEqual(
    (await bob.api.get<{ name: string }[]>(shared)).body.map(({ name }) => name),
    ['changed', 'new', 'changed last'],
  )
  for (const list of ['organization', 'workspace', 'revision', 'story']) {
    const { body } = await alice.api.get<unknown[]>(`${list}/?updated_after=1970-01-01`)
    const { body: all } = await alice.api.get<unknown[]>(`${list}/`)
    assert.equal(body.length, all.length, list)
  }
})

test('a wrong parameter of a page is a 400 that names it', async () => {
  const wrong = {
    page_size: ['0', '-1', 'many', '1e3'],
    cursor: ['x', '%00', 'W10', 'x'.repeat(2000)],
    fields: ['', 'secret', 'api_id,secret', '__proto__'],
    updated_after: ['yesterday', '2026-02-31'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { body } = await alice.api.get<Refusal>(`figure/?${name}=${value}`, 400)
      assert.equal(body.errors?.[0]?.field, name, `${name}=${value}`)
    }
  }
  for (const { path } of lists) {
    const { body } = await alice.api.get<Refusal>(withQuery(path(), 'cursor=nonsense'), 400)
    assert.equal(body.errors?.[0]?.field, 'cursor', path())
  }
})

test('more than the largest page size counts as that', async () => {
  const { headers } = await alice.api.get('figure/?page_size=100000')
  assert.equal(headers.get('x-limit'), '1000')
})

test('items that are created meanwhile move no other item to another page', async () => {
  const { body: whole } = await alice.api.get<Core[]>('analysis/?shallow=true')
  const { body: first } = await alice.api.get<Page<Core>>('analysis/?page_size=2')
  await newAnalysis(alice.api, workspace, 'meanwhile')
  const rest = await readPages(alice.api, `analysis/?cursor=${first.next}`, 2)
  const seen = [...first.items, ...rest].map(({ api_id }) => api_id)
  assert.deepEqual(
    seen.slice(0, -1),
    whole.map(({ api_id }) => api_id),
  )
})

test('a page of full log entries has at most 100, whatever its size', async () => {
  const { api_id } = await newWorkspace(alice.api)
  for (let n = 0; n < 101; n++) await newAnalysis(alice.api, api_id, `Analysis ${n}`)
  const path = `workspace/${api_id}/log/?deep=true&page_size=1000`
  const { body } = await alice.api.get<Page>(path)
  assert.equal(body.items.length, 100)
  const { body: rest } = await alice.api.get<Page>(`${path}&cursor=${body.next}`)
  assert.deepEqual([rest.items.length, rest.next], [2, null])
})
