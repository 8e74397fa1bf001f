import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Comment, newComment, type TargetType } from '../src/comments.js'
import { deployment } from '../src/deployment.js'
import { newAsset, newPlace, newRevision, type Place } from '../src/publish.js'
import type { Revision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

async function open(path: string, person?: TestUser) {
  const headers = new Headers()
  if (person) headers.set('authorization', person.api.authorization ?? '')
  const answer = await fetch(new URL(path, deployment.origin), { headers })
  return { status: answer.status, text: await answer.text() }
}

/** The contents of the comments, in order. */
const contentsIn = (text: string) =>
  [...text.matchAll(/<div class="written" dir="auto">([\s\S]*?)<\/div>/g)].map(([, one = '']) =>
    one.trim(),
  )

test('shows comments only on the page of their object', async () => {
  const { figure, workspace } = place
  const revision = await newRevision(alice.api, figure.api_id)
  const asset = await newAsset(alice.api, workspace.api_id)
  const body = { asset: asset.api_id, data: [] }
  const ofAsset = (await alice.api.post<Revision>('asset_revision/', body)).body
  const targets: [TargetType, string, string][] = [
    ['figure', figure.api_id, 'figure'],
    ['figure_revision', revision.api_id, 'r'],
    ['asset', asset.api_id, 'asset'],
    ['asset_revision', ofAsset.api_id, 'asset_revision'],
  ]
  for (const [type, id] of targets) await newComment(alice.api, type, id, `On *the* ${type}`)
  for (const [type, id, segment] of targets) {
    const { status, text } = await open(`/${segment}/${id}`, alice)
    assert.equal(status, 200)
    assert.deepEqual(contentsIn(text), [`<p>On <em>the</em> ${type}</p>`])
  }
})

test('shows comments to all who may view the page, except by link alone', async () => {
  const [bob, mallory] = await Promise.all([signUp(), signUp()])
  const { api_id } = await newRevision(alice.api, place.figure.api_id)
  const path = `/r/${api_id}`
  const share = (by: 'user' | 'link', body: object) =>
    alice.api.post(`revision/${api_id}/share/${by}/`, body, 200)
  await share('user', { username: bob.username, sharing_enabled: true })
  const asked = await newComment(alice.api, 'figure_revision', api_id, 'Which unit?')
  await newComment(bob.api, 'figure_revision', api_id, 'Kelvin', asked.id)

  for (const reader of [alice, bob]) {
    const { text } = await open(path, reader)
    assert.deepEqual(contentsIn(text), ['<p>Which unit?</p>', '<p>Kelvin</p>'])
    assert.ok(text.includes(`<bdi>${bob.username}</bdi></strong> to <bdi>${alice.username}</bdi>`))
  }
  for (const [reader, status] of [
    [mallory, 403],
    [undefined, 401],
  ] as const) {
    const refused = await open(path, reader)
    assert.equal(refused.status, status)
    assert.doesNotMatch(refused.text, /Kelvin/)
  }
  await share('link', { enabled: true })
  for (const reader of [mallory, undefined]) {
    const { status, text } = await open(path, reader)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /Kelvin|<h2>Comments|temporarily unavailable/)
  }
})

test('shows edited and deleted comments', async () => {
  const { api_id } = await newRevision(alice.api, place.figure.api_id)
  const shown = async () => (await open(`/r/${api_id}`, alice)).text
  assert.doesNotMatch(await shown(), /class="comments"/)
  const first = await newComment(alice.api, 'figure_revision', api_id, 'first')
  const answer = await newComment(alice.api, 'figure_revision', api_id, 'answer', first.id)
  assert.doesNotMatch(await shown(), /edited/)

  await alice.api.put<Comment>(`comment/${answer.id}/`, { content: 'better' })
  assert.deepEqual(contentsIn(await shown()), ['<p>first</p>', '<p>better</p>'])
  assert.match(await shown(), / · edited/)

  await alice.api.delete(`comment/${first.id}/`)
  const withPlace = await shown()
  assert.deepEqual(contentsIn(withPlace), ['<p>better</p>'])
  assert.match(withPlace, /This comment was deleted\./)

  await alice.api.delete(`comment/${answer.id}/`)
  assert.doesNotMatch(await shown(), /class="comments"/)
})
