import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { blake3 } from 'hash-wasm'
import { callerWith, newApiKey } from '../src/api-keys.js'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import { VERSIONS } from '../src/deployment.js'
import {
  at,
  file,
  newAsset,
  newAssetRevision,
  newPlace,
  newWorkspace,
  type Place,
  processed,
  publishAsset,
} from '../src/publish.js'
import type { AssetRevision } from '../src/resources.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let bob: TestUser
let place: Place

before(async () => {
  alice = await signUp()
  bob = await signUp()
  place = await newPlace(alice.api)
})

/** Unique bytes. */
const unique = () => Buffer.from(crypto.randomUUID())

async function find(me: Client, digest: string, more: object = {}): Promise<AssetRevision[]> {
  const body = { hash_type: 'blake3', digest, ...more }
  return (await me.post<AssetRevision[]>('asset_revision/find_by_hash/', body, 200)).body
}
const idsOf = (revisions: AssetRevision[]) => revisions.map(({ api_id }) => api_id)

for (const version of VERSIONS) {
  test(`${version}: finds a revision with its asset and its data`, async () => {
    const me = alice.at(version)
    const bytes = unique()
    const digest = await blake3(bytes)
    assert.deepEqual(await find(me, digest), [])
    const asset = await newAsset(me, place.workspace.api_id)
    const stored = await publishAsset(me, asset.api_id, [file(bytes, 'counts.csv')])
    for (const asked of [digest, digest.toUpperCase()]) {
      const found = await find(me, asked)
      assert.deepEqual(idsOf(found), [stored.api_id])
      const [hit] = found
      assert.equal(hit?.asset, asset.api_id)
      assert.equal(hit?.data_hash, digest)
      const object = at(hit?.data, 0)
      assert.deepEqual([object.name, object.hash, object.data], ['counts.csv', digest, null])
    }
  })
}

test('finds all revisions with these bytes in all workspaces, oldest first', async () => {
  const bytes = unique()
  const other = await newWorkspace(alice.api)
  const stored: string[] = []
  for (const workspace of [place.workspace.api_id, other.api_id]) {
    const asset = await newAsset(alice.api, workspace)
    for (let n = 0; n < 2; n++) {
      stored.push((await publishAsset(alice.api, asset.api_id, [file(bytes)])).api_id)
    }
  }
  const digest = await blake3(bytes)
  assert.deepEqual(idsOf(await find(alice.api, digest)), stored)
  const scoped = await newApiKey(alice.api, { workspace: other.api_id })
  assert.deepEqual(idsOf(await find(callerWith(scoped), digest)), stored.slice(2))
  await alice.api.delete(`asset_revision/${stored[0]}/`)
  assert.deepEqual(idsOf(await find(alice.api, digest)), stored.slice(1))
  await alice.api.delete(`workspace/${other.api_id}/`)
  assert.deepEqual(idsOf(await find(alice.api, digest)), stored.slice(1, 2))
})

test('finds a revision with several objects by the hash of their hashes', async () => {
  const [one, two] = [unique(), unique()]
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const stored = await publishAsset(alice.api, asset.api_id, [file(one), file(two)])
  const digest = await blake3((await blake3(one)) + (await blake3(two)))
  assert.deepEqual(idsOf(await find(alice.api, digest)), [stored.api_id])
  assert.deepEqual(await find(alice.api, await blake3(one)), [])
})

test('searches only the assets of the given analysis', async () => {
  const bytes = unique()
  const digest = await blake3(bytes)
  const analysis = place.analysis.api_id
  const [scoped, plain] = [
    await newAsset(alice.api, place.workspace.api_id, { analysis }),
    await newAsset(alice.api, place.workspace.api_id),
  ]
  const inIt = await publishAsset(alice.api, scoped.api_id, [file(bytes)])
  const outside = await publishAsset(alice.api, plain.api_id, [file(bytes)])
  assert.deepEqual(idsOf(await find(alice.api, digest, { analysis })), [inIt.api_id])
  const all = [inIt.api_id, outside.api_id]
  assert.deepEqual(idsOf(await find(alice.api, digest, { analysis: null })), all)
})

test('does not find revisions that the caller may not view, until they are shared', async () => {
  const bytes = unique()
  const digest = await blake3(bytes)
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const stored = await publishAsset(alice.api, asset.api_id, [file(bytes)])
  assert.deepEqual(await find(bob.api, digest), [])
  const share = { username: bob.username, sharing_enabled: true }
  await alice.api.post(`asset_revision/${stored.api_id}/share/user/`, share, 200)
  assert.deepEqual(idsOf(await find(bob.api, digest)), [stored.api_id])
})

test('finds a revision once its processing has ended', async () => {
  const bytes = unique()
  const digest = await blake3(bytes)
  const asset = await newAsset(alice.api, place.workspace.api_id)
  const { api_id } = await newAssetRevision(alice.api, asset.api_id, [file(bytes)])
  const early = await find(alice.api, digest)
  assert.ok(early.every(({ is_processing }) => !is_processing))
  await processed(alice.api, api_id, 'asset_revision')
  assert.deepEqual(idsOf(await find(alice.api, digest)), [api_id])
})

test('reports invalid input by member, after a missing permission on the analysis', async () => {
  const path = 'asset_revision/find_by_hash/'
  const digest = 'ab'.repeat(32)
  const analysis = place.analysis.api_id
  for (const [body, field] of [
    [{ digest }, 'hash_type'],
    [{ digest, hash_type: 'sha256' }, 'hash_type'],
    [{ digest, hash_type: 3 }, 'hash_type'],
    [{ hash_type: 'blake3' }, 'digest'],
    [{ hash_type: 'blake3', digest: digest.slice(1) }, 'digest'],
    [{ hash_type: 'blake3', digest: `${digest.slice(1)}g` }, 'digest'],
    [{ hash_type: 'blake3', digest, analysis: 7 }, 'analysis'],
  ] as const) {
    const refusal = await alice.api.post<Refusal>(path, body, 400)
    assert.match(messageOf(refusal), new RegExp(field))
    await bob.api.post(path, { ...body, analysis }, 403)
    await client().post(path, body, 401)
  }
  const good = { hash_type: 'blake3', digest }
  await bob.api.post(path, { ...good, analysis }, 403)
  const unknown = { ...good, analysis: crypto.randomUUID() }
  assert.match(messageOf(await alice.api.post<Refusal>(path, unknown, 400)), /analysis/)
})
