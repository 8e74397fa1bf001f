import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { client } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import { at, file, newAnalysis, newFigure, newPlace, newRevision } from '../src/publish.js'
import type { Analysis, Asset, Container, Figure, LogPage, Workspace } from '../src/resources.js'
import { assertShape, SHAPES } from '../src/shape.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser

before(async () => {
  alice = await signUp()
  bob = await signUp()
})

type Recent = { analyses: Analysis[]; figures: Figure[]; assets: Asset[] }
type Overview = Record<string, number>
type Dashboard = {
  workspace: Workspace
  overview: Overview
  activity_log: LogPage
  stories: unknown[]
}

const idsOf = (objects: { api_id: string }[]) => objects.map(({ api_id }) => api_id)
const ends = ['overview/', 'dashboard/', 'recent/']

for (const version of VERSIONS) {
  test(`${version}: recent/ returns the most recently active objects of each type, shallow`, async () => {
    const me = alice.at(version)
    const { workspace, analysis, figure } = await newPlace(me)
    const second = await newAnalysis(me, workspace.api_id, 'Second')
    const inSecond = await newFigure(me, second.api_id, 'In the second')
    const body = { name: 'a', workspace: workspace.api_id }
    const { body: asset } = await me.post<Asset>('asset/', body)
    const recent = async (query = '') =>
      (await me.get<Recent>(`workspace/${workspace.api_id}/recent/${query}`)).body
    const first = await recent()
    assert.deepEqual(idsOf(first.analyses), [second.api_id, analysis.api_id])
    assert.deepEqual(idsOf(first.figures), [inSecond.api_id, figure.api_id])
    assert.deepEqual(idsOf(first.assets), [asset.api_id], 'also without revisions')
    assertShape(at(first.analyses, 0), SHAPES.analysisNested, 'analyses[0]')
    assertShape(at(first.figures, 0), SHAPES.figureNested, 'figures[0]')
    assertShape(at(first.assets, 0), SHAPES.assetNested, 'assets[0]')
    await newRevision(me, figure.api_id, [file(Buffer.alloc(3))])
    const then = await recent()
    assert.deepEqual(idsOf(then.analyses), [analysis.api_id, second.api_id])
    assert.deepEqual(idsOf(then.figures), [figure.api_id, inSecond.api_id])
    for (const { last_activity_on, child_updated_on } of [
      at(then.analyses, 0),
      at(then.figures, 0),
    ]) {
      assert.equal(last_activity_on, child_updated_on)
    }
    const one = await recent('?limit=1')
    assert.deepEqual(one, {
      ...then,
      analyses: then.analyses.slice(0, 1),
      figures: then.figures.slice(0, 1),
    })
  })

  test(`${version}: overview/ and dashboard/ return counts and the latest activity`, async () => {
    const me = alice.at(version)
    const { workspace, analysis } = await newPlace(me)
    await newFigure(me, analysis.api_id, 'Figure 2')
    const path = `workspace/${workspace.api_id}/`
    const { body: overview } = await me.get<Overview>(`${path}overview/`)
    assert.deepEqual(overview, {
      analysis_count: 1,
      figure_count: 2,
      asset_count: 0,
      story_count: 0,
      active_this_week: 3,
    })
    const { body } = await me.get<Dashboard>(`${path}dashboard/`)
    const { body: shallow } = await me.get<Container>(`${path}?shallow=true`)
    assert.deepEqual(body.workspace, shallow)
    assert.deepEqual(body.overview, overview)
    assert.deepEqual(body.stories, [])
    const { items, ...counts } = body.activity_log
    assert.deepEqual(counts, { has_more: false, total_count: 4, fetched_count: 4 })
    for (const item of items) assertShape(item, SHAPES.logItem, 'activity_log.items[]')
    const { body: log } = await me.get<LogPage>(`${path}log/?deep=true`)
    assert.deepEqual(body.activity_log, log)
  })
}

test('the dashboard has the filters and the limit of the log', async () => {
  const { workspace, analysis, figure } = await newPlace(alice.api)
  const path = `workspace/${workspace.api_id}/dashboard/`
  for (let n = 0; n < 9; n++)
    await alice.api.patch(`analysis/${analysis.api_id}/`, { name: `${n}` })
  await alice.api.delete(`figure/${figure.api_id}/`)
  const log = async (query = '') => (await alice.api.get<Dashboard>(path + query)).body.activity_log
  const { items, ...counts } = await log()
  assert.equal(items.length, 10)
  assert.deepEqual(counts, { has_more: true, total_count: 13, fetched_count: 10 })
  const few = await log('?deduplicate=true&exclude_deleted=true')
  assert.deepEqual(
    few.items.map((item) => item.target_id),
    [analysis.api_id, workspace.api_id],
  )
  for (const [query, limit] of [
    ['', '10'],
    ['?activity_limit=3', '3'],
    ['?activity_limit=51', '50'],
  ]) {
    assert.equal((await alice.api.get(path + query)).headers.get('x-limit'), limit)
  }
})

test('the default limit of recent/ is 20, the maximum 1000', async () => {
  const { workspace } = await newPlace(alice.api)
  const path = `workspace/${workspace.api_id}/recent/`
  for (const [query, limit] of [
    ['', '20'],
    ['?limit=100', '100'],
    ['?limit=1001', '1000'],
  ]) {
    assert.equal((await alice.api.get(path + query)).headers.get('x-limit'), limit)
  }
  for (const query of ['limit=0', 'limit=-5', 'limit=x']) {
    await alice.api.get(`${path}?${query}`, 400)
    await alice.api.get(`workspace/${workspace.api_id}/dashboard/?activity_${query}`, 400)
  }
})

test('requires permission to view the workspace, and returns the same for unchanged data', async () => {
  const { workspace, analysis } = await newPlace(alice.api)
  for (const end of ends) {
    const path = `workspace/${workspace.api_id}/${end}`
    assert.equal((await alice.api.get(path)).text, (await alice.api.get(path)).text)
    await bob.api.get(path, 403)
    await client().get(path, 401)
    await alice.api.get(`workspace/${crypto.randomUUID()}/${end}`, 404)
    await alice.api.get(`workspace/${analysis.api_id}/${end}`, 404)
  }
})

test('contributions have one entry per day for a year, visible only to the user', async () => {
  const carol = await signUp()
  const path = `user/${carol.username}/contributions/`
  type Day = { date: string; count: number }
  const today = async () => at((await carol.api.get<Day[]>(path)).body, -1)
  const { body: days } = await carol.api.get<Day[]>(path)
  assert.equal(days.length, 365)
  assert.ok(days.every(({ count }) => count === 0))
  await newPlace(carol.api)
  assert.equal((await today()).count, 3)
  await carol.api.post('workspace/?silent=true', { name: 'quiet' })
  assert.equal((await today()).count, 3)
  await carol.api.get(`user/${alice.username}/contributions/`, 403)
  await carol.api.get('user/nobody-of-this-name/contributions/', 403)
  await client().get(path, 401)
})
