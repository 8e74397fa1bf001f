import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { at, newPlace, newRevision, type Place } from '../src/publish.js'
import { type Random, randomNumbers } from '../src/random-numbers.js'
import { newStory, type Slide, type Story } from '../src/stories.js'
import { signUp, type TestUser } from '../src/users.js'

/** More with FIGBASE_STEPS; the same edits with FIGBASE_SEED. */
const steps = Number(process.env.FIGBASE_STEPS ?? 8)
const seed = Number(process.env.FIGBASE_SEED ?? Date.now() % 1_000_000)
const writers = 8

type ModelSlide = Pick<Slide, 'slide_id' | 'slide_type' | 'content' | 'revision_id'>
/** What a story says, without what the server adds. */
type State = { name: string; told: string[]; slides: ModelSlide[] }
type Edit = { body: Record<string, unknown>; apply(before: State): State }

let owner: TestUser
let editor: TestUser
let place: Place
let revisions: string[]

before(async () => {
  owner = await signUp()
  editor = await signUp()
  place = await newPlace(owner.api)
  const member = { username: editor.username, membership_type: 'creator' }
  await owner.api.post(`workspace/${place.workspace.api_id}/members/add/`, member, 200)
  revisions = []
  for (let n = 0; n < 5; n++) {
    revisions.push((await newRevision(owner.api, place.figure.api_id, [])).api_id)
  }
})

const stateOf = ({ name, revisions, slides }: Story): State => ({
  name,
  told: revisions.map(({ api_id }) => api_id),
  slides: slides.map(({ slide_id, slide_type, content, revision_id }) => ({
    slide_id,
    slide_type,
    content,
    revision_id,
  })),
})

const shownBy = (slides: ModelSlide[]) => slides.flatMap(({ revision_id }) => revision_id ?? [])

function randomEdit(random: Random, label: string): Edit {
  const some = () => revisions.filter(() => random(2) === 0)
  const kind = random(3)
  if (kind === 0) return { body: { name: label }, apply: (before) => ({ ...before, name: label }) }
  if (kind === 1) {
    const slides: ModelSlide[] = some().map((revision_id, n) => ({
      slide_id: `${label} ${n}`,
      slide_type: 'figure',
      content: `${label} of ${n}`,
      revision_id,
    }))
    const told = (before: State) => [...new Set([...before.told, ...shownBy(slides)])]
    return { body: { slides }, apply: (before) => ({ ...before, slides, told: told(before) }) }
  }
  const told = some()
  return {
    body: { revisions: told },
    apply(before) {
      const kept = before.slides.filter(
        ({ revision_id }) => revision_id === null || told.includes(revision_id),
      )
      const added = told.filter((id) => !before.told.includes(id))
      const figures = added.map((revision_id) => ({
        slide_id: '',
        slide_type: 'figure',
        content: '',
        revision_id,
      }))
      return { ...before, told, slides: [...kept, ...figures] }
    },
  }
}

/** The server chooses the ids of slides that it adds. */
const withIdsOf = (expected: State, actual: State): State => ({
  ...expected,
  slides: expected.slides.map((slide, n) => ({
    ...slide,
    slide_id: slide.slide_id || (actual.slides[n]?.slide_id ?? ''),
  })),
})

test(`${writers} writers edit one story as if one after the other (seed ${seed})`, async (t) => {
  const story = await newStory(owner.api, place.workspace.api_id, {
    revisions: revisions.slice(0, 2),
  })
  const path = `story/${story.api_id}/`
  const saved = new Map<number, Edit>()
  let refused = 0
  const versionIn = (etag: string | null) => Number(/^"(\d+)/.exec(etag ?? '')?.[1])

  async function write(writer: number) {
    const random = randomNumbers(seed * writers + writer)
    const me = (writer % 2 === 0 ? owner : editor).api
    for (let step = 0; step < steps; step++) {
      const edit = randomEdit(random, `writer ${writer}, step ${step}`)
      const isConditional = random(3) === 0
      const etag = isConditional ? (await me.get(path)).headers.get('etag') : null
      const answer = await me.request<Story>('PATCH', path, {
        json: edit.body,
        ...(etag && { headers: { 'if-match': etag } }),
        status: { why: 'others may have saved', statuses: etag ? [200, 412] : [200] },
      })
      if (answer.status === 412) {
        refused++
        continue
      }
      const version = versionIn(answer.headers.get('etag'))
      if (etag) assert.equal(version, versionIn(etag) + 1)
      assert.ok(!saved.has(version), `version ${version} was answered twice`)
      saved.set(version, edit)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))

  let expected = stateOf(story)
  for (let version = 2; version <= saved.size + 1; version++) {
    const { body } = await owner.api.get<Story>(`${path}history/${version}/`)
    const actual = stateOf(body)
    const edit = saved.get(version)
    assert.ok(edit, `version ${version} is of no writer`)
    expected = withIdsOf(edit.apply(expected), actual)
    assert.deepEqual(actual, expected, `version ${version} after ${JSON.stringify(edit.body)}`)
  }
  const { body: current } = await owner.api.get<Story>(path)
  assert.deepEqual(stateOf(current), expected)
  const { body: list } = await owner.api.get<Story[]>('story/')
  assert.equal(at(list, 0).name, expected.name, 'catalog has the name of the newest version')
  assert.equal(at(list, 0).size_bytes, current.size_bytes)
  t.diagnostic(`${saved.size} versions, ${refused} refused`)
})
