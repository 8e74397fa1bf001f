import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { client, type Refusal } from '../src/client.js'
import { deployment, LATEST, VERSIONS } from '../src/deployment.js'
import { png } from '../src/images.js'
import {
  at,
  image,
  newPlace,
  newRevision,
  newWorkspace,
  type Place,
  publish,
} from '../src/publish.js'
import type { LogPage, Revision, Workspace } from '../src/resources.js'
import { findsOnly, idsOf, newWord, search } from '../src/search.js'
import { newStory, type Slide, type Story, toSend } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place
let revisions: Revision[]

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
  const { api_id: figure } = place.figure
  revisions = [
    await publish(alice.api, figure, [image(png(20, 20, 1))]),
    await publish(alice.api, figure, [image(png(20, 20, 2))]),
    await publish(alice.api, figure, [image(png(20, 20, 3))]),
  ]
})

const ids = (...indexes: number[]) => indexes.map((index) => at(revisions, index).api_id)
const told = ({ revisions }: Story) => revisions.map(({ api_id }) => api_id)
const statesOf = ({ revisions }: Story) => revisions.map(({ revision_state }) => revision_state)
const shown = ({ slides }: Story) => slides.map(({ revision_id }) => revision_id)
const pathOf = ({ api_id }: { api_id: string }) => `story/${api_id}/`
const read = async (me: TestUser['api'], story: { api_id: string }) =>
  (await me.get<Story>(pathOf(story))).body
const create = (more: object = {}) => newStory(alice.api, place.workspace.api_id, { ...more })

const fieldOf = ({ body }: { body: Refusal }) => body.errors?.[0]?.field

for (const version of VERSIONS) {
  test(`${version}: a story is created, read, changed and deleted`, async () => {
    const me = alice.at(version)
    const workspace = await newWorkspace(me)
    const made = await newStory(me, workspace.api_id, { revisions: ids(0, 1) })
    assert.equal(made.entity_type, 'story')
    assert.equal(made.workspace, workspace.api_id)
    assert.equal(made.created_by, alice.username)
    assert.equal(made.generation_status, null)
    assert.equal(made.updated_on, null)
    assert.deepEqual(told(made), ids(0, 1))
    assert.equal(at(made.revisions, 0).figure, place.figure.api_id)
    assert.deepEqual(
      made.slides.map(({ slide_type, position }) => [slide_type, position]),
      [
        ['title', 0],
        ['figure', 1],
        ['figure', 2],
      ],
    )
    assert.deepEqual(await read(me, made), made)

    const { revisions: _, slides, generation_status, ...rest } = made
    const { revisions_visible_to_readers: __, ...shallow } = rest
    assert.deepEqual((await me.get<Story[]>('story/')).body.at(-1), shallow)
    assert.deepEqual((await me.get<Story>(`${pathOf(made)}?shallow=true`)).body, shallow)
    const inside = (await me.get<Workspace>(`workspace/${workspace.api_id}/`)).body
    assert.deepEqual(inside.stories, [shallow])
    const { body: dashboard } = await me.get<{ stories: unknown[]; overview: object }>(
      `workspace/${workspace.api_id}/dashboard/`,
    )
    assert.deepEqual(dashboard.stories, [shallow])
    assert.equal((dashboard.overview as { story_count: number }).story_count, 1)

    const put = { ...made, name: 'Bloom of summer', slides: toSend(slides) }
    const { body: changed } = await me.put<Story>(pathOf(made), put)
    assert.equal(changed.name, 'Bloom of summer')
    assert.equal(changed.updated_by, alice.username)
    assert.deepEqual(changed.slides, slides)
    const after = (await me.get<Workspace>(`workspace/${workspace.api_id}/`)).body
    assert.equal(after.child_updated_on, changed.updated_on)
    assert.equal(after.size_bytes, changed.size_bytes)

    await me.delete(pathOf(made))
    await me.get(pathOf(made), 404)
    assert.deepEqual((await me.get<Workspace>(`workspace/${workspace.api_id}/`)).body.stories, [])
    const { body: restored } = await me.post<Story>(`${pathOf(made)}restore/`, {}, 200)
    assert.deepEqual(restored.slides, changed.slides)
  })
}

test('slides have the order of their positions, and new ones get an id', async () => {
  const story = await create({
    slides: [
      { slide_type: 'conclusion', content: 'end', position: 9 },
      { slide_type: 'title', content: 'begin', position: -1 },
      { slide_type: 'custom', content: 'middle', slide_id: 'mine', slide_data: { z: 1, a: [2] } },
    ],
  })
  assert.deepEqual(
    story.slides.map(({ content, position }) => [content, position]),
    [
      ['begin', 0],
      ['middle', 1],
      ['end', 2],
    ],
  )
  assert.equal(at(story.slides, 1).slide_id, 'mine')
  assert.equal(JSON.stringify(at(story.slides, 1).slide_data), '{"z":1,"a":[2]}')
  const slideIds = story.slides.map(({ slide_id }) => slide_id)
  assert.equal(new Set(slideIds).size, 3)

  const reversed = toSend(story.slides).reverse()
  for (const [position, slide] of reversed.entries()) slide.position = position
  const { body } = await alice.api.patch<Story>(pathOf(story), { slides: reversed })
  assert.deepEqual(
    body.slides.map(({ slide_id }) => slide_id),
    slideIds.reverse(),
  )
})

test('revisions and slides replace all, and agree', async () => {
  const story = await create({ revisions: ids(0, 1) })
  const patch = async (body: object) => (await alice.api.patch<Story>(pathOf(story), body)).body
  const without = await patch({ revisions: ids(1, 2) })
  assert.deepEqual(told(without), ids(1, 2))
  assert.deepEqual(shown(without), [null, ...ids(1, 2)])

  const figure = (index: number) => ({
    slide_type: 'figure',
    revision_id: at(revisions, index).api_id,
  })
  const slides = await patch({ slides: [figure(0), figure(0)] })
  assert.deepEqual(told(slides), ids(1, 2, 0), 'the revisions of slides are added')
  assert.deepEqual(shown(slides), ids(0, 0))
  const elements = await patch({ revisions: slides.revisions.slice(2) })
  assert.deepEqual(told(elements), ids(0), 'elements as they were read')

  const both = { revisions: ids(1), slides: [figure(0)] }
  const refused = await alice.api.patch<Refusal>(pathOf(story), both, 400)
  assert.equal(fieldOf(refused), 'slides[0].revision_id')
  assert.deepEqual(told(await read(alice.api, story)), ids(0))
  assert.deepEqual(told(await patch({ revisions: [] })), [])
})

test('what is not valid is refused with the name of the member, and changes nothing', async () => {
  const story = await create({ revisions: ids(0) })
  const before = await read(alice.api, story)
  const [revision_id] = ids(0)
  const cases: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: 3 }, 'name'],
    [{ description: 3 }, 'description'],
    [{ revisions: 'x' }, 'revisions'],
    [{ revisions: ['x'] }, 'revisions[0]'],
    [{ revisions: [...ids(0), ...ids(0)] }, 'revisions[1]'],
    [{ revisions: [...ids(0), crypto.randomUUID()] }, 'revisions[1]'],
    [{ revisions: [place.figure.api_id] }, 'revisions[0]'],
    [{ slides: {} }, 'slides'],
    [{ slides: [{}] }, 'slides[0].slide_type'],
    [{ slides: [{ slide_type: 'movie' }] }, 'slides[0].slide_type'],
    [{ slides: [{ slide_type: 'figure' }] }, 'slides[0].revision_id'],
    [{ slides: [{ slide_type: 'figure', revision_id: 'x' }] }, 'slides[0].revision_id'],
    [{ slides: [{ slide_type: 'title', revision_id }] }, 'slides[0].revision_id'],
    [
      { slides: [{ slide_type: 'figure', revision_id: crypto.randomUUID() }] },
      'slides[0].revision_id',
    ],
    [{ slides: [{ slide_type: 'custom', content: 'a\0' }] }, 'slides[0].content'],
    [{ slides: [{ slide_type: 'custom', content: 'x'.repeat(300_000) }] }, 'slides[0].content'],
    [{ slides: [{ slide_type: 'custom', slide_data: [] }] }, 'slides[0].slide_data'],
    [{ slides: [{ slide_type: 'custom', position: 0.5 }] }, 'slides[0].position'],
    [
      {
        slides: [
          { slide_type: 'custom', slide_id: 'a' },
          { slide_type: 'goals', slide_id: 'a' },
        ],
      },
      'slides[1].slide_id',
    ],
    [{ slides: Array(501).fill({ slide_type: 'custom' }) }, 'slides'],
    [
      { slides: [{ slide_type: 'figure', revision_id, slide_data: { methods: 'mine' } }] },
      'slides[0].slide_data.methods',
    ],
  ]
  for (const [body, field] of cases) {
    const refused = await alice.api.patch<Refusal>(pathOf(story), body, 400)
    assert.equal(fieldOf(refused), field, JSON.stringify(body).slice(0, 200))
    const workspace = place.workspace.api_id
    const asNew = await alice.api.post<Refusal>('story/', { name: 'a', workspace, ...body }, 400)
    assert.equal(fieldOf(asNew), field, `create: ${JSON.stringify(body).slice(0, 200)}`)
  }
  assert.deepEqual(await read(alice.api, story), before)
  for (const workspace of ['x', crypto.randomUUID(), place.analysis.api_id]) {
    const refused = await alice.api.post<Refusal>('story/', { name: 'a', workspace }, 400)
    assert.equal(fieldOf(refused), 'workspace')
  }
})

test('of a revision that a reader may not view, a story shows only what its author wrote', async () => {
  const story = await create({
    slides: [
      {
        slide_type: 'figure',
        revision_id: ids(0)[0],
        content: 'seen by all',
        slide_data: { note: 1 },
      },
    ],
  })
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`${pathOf(story)}share/user/`, share, 200)
  const shared = await read(bob.api, story)
  assert.deepEqual(shared.revisions, [
    { api_id: ids(0)[0], entity_type: 'figure_revision', revision_state: 'hidden' },
  ])
  const slide: Slide = at(shared.slides, 0)
  assert.equal(slide.revision_state, 'hidden')
  assert.equal(slide.content, 'seen by all')
  assert.deepEqual(slide.slide_data, { note: 1 })
  const { body: thumbnail } = await bob.api.get<{ thumbnail: string | null }>(
    `${pathOf(story)}thumbnail/`,
  )
  assert.equal(thumbnail.thumbnail, null)
  await bob.api.get(`${pathOf(story)}history/`, 403)
  await bob.api.patch(pathOf(story), { name: 'a' }, 403)

  await alice.api.post(`revision/${ids(0)[0]}/share/user/`, share, 200)
  assert.deepEqual(statesOf(await read(bob.api, story)), ['visible'])
  const seen = await bob.api.get<{ thumbnail: string | null }>(`${pathOf(story)}thumbnail/`)
  assert.ok(seen.body.thumbnail)
  await alice.api.post(
    `revision/${ids(0)[0]}/share/user/`,
    { ...share, sharing_enabled: false },
    200,
  )
})

test('an author tells only revisions that they may view, but keeps those of others', async () => {
  const shared = await newWorkspace(alice.api)
  const member = { username: bob.username, membership_type: 'creator' }
  await alice.api.post(`workspace/${shared.api_id}/members/add/`, member, 200)
  const refused = await bob.api.post<Refusal>(
    'story/',
    { name: 'a', workspace: shared.api_id, revisions: ids(0) },
    400,
  )
  assert.equal(fieldOf(refused), 'revisions[0]')

  const story = await newStory(alice.api, shared.api_id, { revisions: ids(0) })
  const seen = await read(bob.api, story)
  assert.deepEqual(statesOf(seen), ['hidden'])
  const slides = [
    ...toSend(seen.slides),
    { slide_type: 'custom', content: 'from Bob', position: 9 },
  ]
  const { body: kept } = await bob.api.patch<Story>(pathOf(story), {
    slides,
    revisions: told(seen),
  })
  assert.deepEqual(told(kept), ids(0))
  assert.equal(at(kept.slides, 2).content, 'from Bob')
  const added = await bob.api.patch<Refusal>(pathOf(story), { revisions: ids(0, 1) }, 400)
  assert.equal(fieldOf(added), 'revisions[1]')
  const removed = await bob.api.patch<Story>(pathOf(story), { revisions: [] })
  assert.deepEqual(told(removed.body), [])
  await bob.api.patch(pathOf(story), { revisions: ids(0) }, 400)

  const key = callerWith(await newApiKey(alice.api, { workspace: shared.api_id }))
  assert.deepEqual(
    statesOf(await read(key, await newStory(alice.api, shared.api_id, { revisions: ids(0) }))),
    ['hidden'],
  )
})

test('a deleted revision is shown as deleted, and comes back with its restoration', async () => {
  const { api_id } = await newRevision(alice.api, place.figure.api_id, [])
  const story = await create({ revisions: [api_id] })
  await alice.api.delete(`revision/${api_id}/`)
  const gone = await read(alice.api, story)
  assert.deepEqual(statesOf(gone), ['deleted'])
  assert.equal(at(gone.slides, 1).revision_state, 'deleted')
  await alice.api.patch(pathOf(story), { slides: toSend(gone.slides) })
  await alice.api.post(`revision/${api_id}/restore/`, {}, 200)
  assert.deepEqual(statesOf(await read(alice.api, story)), ['visible'])
})

test('every saved version is in the history, and can be restored', async () => {
  const story = await create({ revisions: ids(0) })
  await alice.api.patch(pathOf(story), { name: 'Second', revisions: ids(1) })
  await alice.api.patch(pathOf(story), { slides: [] })
  const history = `${pathOf(story)}history/`
  type Version = { version: number; saved_by: string; saved_on: string }
  const { body: versions } = await alice.api.get<Version[]>(history)
  assert.deepEqual(
    versions.map(({ version, saved_by }) => [version, saved_by]),
    [3, 2, 1].map((version) => [version, alice.username]),
  )
  assert.equal(at(versions, 2).saved_on, story.created_on)
  const older = await alice.api.get<Version[]>(`${history}?limit=1&before=3`)
  assert.deepEqual(
    [older.body.map(({ version }) => version), older.headers.get('x-limit')],
    [[2], '1'],
  )

  const { body: first } = await alice.api.get<Story>(`${history}1/`)
  assert.deepEqual([first.name, first.slides, told(first)], [story.name, story.slides, ids(0)])
  const { body: restored } = await alice.api.post<Story>(`${history}1/restore/`, {}, 200)
  assert.deepEqual(
    [restored.name, restored.slides, told(restored)],
    [story.name, story.slides, ids(0)],
  )
  assert.equal((await alice.api.get<Version[]>(history)).body.length, 4)
  for (const number of ['0', '5', 'x', '99999999999'])
    await alice.api.get(`${history}${number}/`, 404)
  await client(LATEST).get(history, 401)
})

test('two people who edit at once lose nothing with If-Match', async () => {
  const story = await create()
  const first = await alice.api.get(pathOf(story))
  const etag = first.headers.get('etag') ?? ''
  const ask = (method: string, path: string, status: number, match: string, json?: object) => {
    const headers = { 'if-match': match }
    return alice.api.request<Refusal>(method, path, { ...(json && { json }), headers, status })
  }
  const save = (name: string, status: number, match = etag) =>
    ask('PATCH', pathOf(story), status, match, { name })
  const { headers } = await save('First', 200)
  assert.notEqual(headers.get('etag'), etag)
  assert.equal((await save('Second', 412)).body.error, 'version_mismatch')
  await save('Second', 200, `${etag}, ${headers.get('etag')}`)
  await ask('POST', `${pathOf(story)}history/1/restore/`, 412, etag, {})
  await ask('DELETE', pathOf(story), 412, etag)
  assert.equal((await read(alice.api, story)).name, 'Second')
  await ask('DELETE', pathOf(story), 204, '*')
})

test('a story is moved by its workspace alone', async () => {
  const story = await create({ revisions: ids(0) })
  const other = await newWorkspace(alice.api)
  const both = { workspace: other.api_id, name: 'Moved' }
  assert.equal(fieldOf(await alice.api.patch<Refusal>(pathOf(story), both, 400)), 'workspace')
  const { body: moved } = await alice.api.patch<Story>(pathOf(story), { workspace: other.api_id })
  assert.equal(moved.workspace, other.api_id)
  assert.deepEqual(moved.slides, story.slides)
  const { body: named } = await alice.api.patch<Story>(pathOf(story), both)
  assert.equal(named.name, 'Moved')
  await alice.api.patch(pathOf(story), { workspace: (await newWorkspace(bob.api)).api_id }, 403)
})

test('a story has the routes of every core object', async () => {
  const story = await create({ revisions: ids(0) })
  await alice.api.patch(pathOf(story), { name: 'Renamed' })
  const { body: size } = await alice.api.get<{ size_bytes: number }>(`${pathOf(story)}size/`)
  assert.equal(size.size_bytes, (await read(alice.api, story)).size_bytes)
  assert.ok(size.size_bytes > 0)
  assert.deepEqual((await alice.api.get(`${pathOf(story)}children/`)).body, [])
  const { body: log } = await alice.api.get<LogPage>(`${pathOf(story)}log/?deep=true`)
  assert.deepEqual(
    log.items.map(({ action, target_type }) => [action, target_type]),
    [
      ['update', 'story'],
      ['create', 'story'],
    ],
  )
  const inWorkspace = await alice.api.get<LogPage>(
    `workspace/${place.workspace.api_id}/log/?deep=true&limit=1`,
  )
  assert.equal(at(inWorkspace.body.items, 0).target_name, 'Renamed')
  await alice.api.post(`${pathOf(story)}share/link/`, { enabled: true }, 200)
  const { body: open } = await client(LATEST).get<Story>(pathOf(story))
  assert.deepEqual(statesOf(open), ['hidden'])
})

test('the client chooses the id of a story once', async () => {
  const client_id = crypto.randomUUID()
  assert.equal((await create({ client_id })).api_id, client_id)
  const body = { name: 'a', workspace: place.workspace.api_id, client_id }
  assert.equal(
    (await alice.api.post<Refusal>('story/', body, 409)).body.error,
    'duplicate_client_id',
  )
})

test('updates of one story at once are saved one after the other', async () => {
  const story = await create({ slides: [] })
  const names = Array.from({ length: 8 }, (_, i) => `Name ${i}`)
  await Promise.all(names.map((name) => alice.api.patch(pathOf(story), { name })))
  const { body: versions } = await alice.api.get<{ version: number }[]>(`${pathOf(story)}history/`)
  assert.deepEqual(
    versions.map(({ version }) => version),
    [9, 8, 7, 6, 5, 4, 3, 2, 1],
  )
  const { body: last } = await alice.api.get<Story>(`${pathOf(story)}history/9/`)
  const { body: listed } = await alice.api.get<Story[]>('story/')
  const inList = listed.find(({ api_id }) => api_id === story.api_id)
  assert.equal(inList?.name, last.name, 'catalog has the name of the newest version')
})

test('search finds a story by its name and slides, for those who may view it', async () => {
  const [name, slide, later] = [newWord(), newWord(), newWord()]
  const story = await create({
    name,
    slides: [{ slide_type: 'custom', content: `About ${slide}` }],
  })
  for (const word of [name, slide]) await findsOnly(alice.figbase, word, [story.api_id])
  const [found] = await search(alice.figbase, { search_type: 'keyword', query: slide })
  assert.equal(found?.object.entity_type, 'story')
  assert.deepEqual(found?.highlight, { text: [`About <mark>${slide}</mark>`] })
  assert.deepEqual(await idsOf(bob.figbase, slide), [])
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`${pathOf(story)}share/user/`, share, 200)
  assert.deepEqual(await idsOf(bob.figbase, slide), [story.api_id])
  await alice.api.patch(pathOf(story), { slides: [{ slide_type: 'custom', content: later }] })
  await findsOnly(alice.figbase, later, [story.api_id])
  assert.deepEqual(await idsOf(alice.figbase, slide), [])
  await alice.api.delete(pathOf(story))
  assert.deepEqual(await idsOf(alice.figbase, later), [])
})

test('the export of an account has the last version that the user saved of each story', async () => {
  const carol = await signUp()
  const workspace = (await newWorkspace(alice.api)).api_id
  const member = { username: carol.username, membership_type: 'creator' }
  await alice.api.post(`workspace/${workspace}/members/add/`, member, 200)
  const story = await newStory(alice.api, workspace, { name: 'By Alice' })
  await carol.api.patch(pathOf(story), { name: 'By Carol' })
  await alice.api.patch(pathOf(story), { name: 'By Alice again' })
  const own = await newStory(carol.api, workspace, { name: 'Of Carol' })
  type Exported = { stories: { api_id: string; name: string; version: number; slides: object[] }[] }
  const { body } = await carol.api.get<Exported>(`user/${carol.username}/export/`)
  const exported = body.stories.map(({ api_id, name, version }) => `${api_id} ${name} ${version}`)
  const expected = [`${story.api_id} By Carol 2`, `${own.api_id} Of Carol 1`]
  assert.deepEqual(exported, expected.sort())
})

test('a story shows revisions to its readers that an author with UPDATE has opened', async () => {
  const story = await create({ revisions: ids(0) })
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`${pathOf(story)}share/user/`, share, 200)
  const seen = () => read(bob.api, story)
  assert.equal(story.revisions_visible_to_readers, false)
  const opening = { revisions_visible_to_readers: true }
  const { body: opened } = await alice.api.patch<Story>(pathOf(story), opening)
  assert.equal(opened.revisions_visible_to_readers, true)
  assert.deepEqual(statesOf(opened), ['visible'])

  const shown = await seen()
  assert.deepEqual(statesOf(shown), ['opened'])
  assert.equal(at(shown.revisions, 0).figure, place.figure.api_id)
  const pictureStatus = async () => {
    const url = new URL(`/story/${story.api_id}/picture/${ids(0)[0]}/`, deployment.origin)
    return (await fetch(url, { headers: { authorization: bob.api.authorization ?? '' } })).status
  }
  assert.equal(await pictureStatus(), 200)
  await bob.api.get(`revision/${ids(0)[0]}/`, 403)
  await bob.api.get(`data/${at(at(revisions, 0).data, 0).api_id}/`, 403)
  await client(LATEST).get(pathOf(story), 401)

  await alice.api.patch(pathOf(story), { revisions: ids(0, 1) })
  assert.deepEqual(statesOf(await seen()), ['opened', 'opened'], 'also what they tell later')
  const { body: log } = await alice.api.get<LogPage>(`${pathOf(story)}log/?deep=true`)
  assert.ok(JSON.stringify(log.items).includes('revisions opened to readers'))

  await alice.api.delete(`revision/${ids(1)[0]}/`)
  assert.deepEqual(statesOf(await seen()), ['opened', 'deleted'])
  await alice.api.post(`revision/${ids(1)[0]}/restore/`, {}, 200)
  await alice.api.patch(pathOf(story), { revisions_visible_to_readers: false })
  assert.deepEqual(statesOf(await seen()), ['hidden', 'hidden'])
  assert.equal(await pictureStatus(), 404)
  await alice.api.post(`${pathOf(story)}history/2/restore/`, {}, 200)
  assert.deepEqual(statesOf(await seen()), ['hidden'], 'a restored version opens nothing')
})

test('only those who may update a revision open it, and a key of one workspace sees no others', async () => {
  const shared = await newWorkspace(alice.api)
  const member = { username: bob.username, membership_type: 'creator' }
  await alice.api.post(`workspace/${shared.api_id}/members/add/`, member, 200)
  const story = await newStory(alice.api, shared.api_id, { revisions: ids(0) })
  const opening = { revisions_visible_to_readers: true }
  const refused = await bob.api.patch<Refusal>(pathOf(story), opening, 400)
  assert.equal(fieldOf(refused), 'revisions_visible_to_readers')
  assert.deepEqual(statesOf(await read(bob.api, story)), ['hidden'])
  await alice.api.patch(pathOf(story), opening)
  assert.deepEqual(statesOf(await read(bob.api, story)), ['opened'])
  const key = callerWith(await newApiKey(alice.api, { workspace: shared.api_id }))
  assert.deepEqual(statesOf(await read(key, story)), ['hidden'])
  await bob.api.patch(pathOf(story), { name: 'Renamed' })
  assert.deepEqual(statesOf(await read(bob.api, story)), ['opened'], 'stays open')
})

test('a revision is closed to readers when the user who opened it may no longer view it', async () => {
  const carol = await signUp()
  const theirs = await newPlace(alice.api)
  const members = `workspace/${theirs.workspace.api_id}/members`
  const member = { username: bob.username, membership_type: 'creator' }
  await alice.api.post(`${members}/add/`, member, 200)
  const { api_id } = await newRevision(alice.api, theirs.figure.api_id, [])
  const own = await newWorkspace(bob.api)
  const story = await newStory(bob.api, own.api_id, { revisions: [api_id] })
  await bob.api.patch(pathOf(story), { revisions_visible_to_readers: true })
  const share = { username: carol.username, sharing_enabled: true }
  await bob.api.post(`${pathOf(story)}share/user/`, share, 200)
  assert.deepEqual(statesOf(await read(carol.api, story)), ['opened'])
  await alice.api.post(`${members}/remove/`, { username: bob.username }, 200)
  assert.deepEqual(statesOf(await read(carol.api, story)), ['hidden'])
})
