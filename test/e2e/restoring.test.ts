import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Client, client, messageOf, type Refusal } from '../src/client.js'
import { newComment, newReaction } from '../src/comments.js'
import { png } from '../src/images.js'
import {
  at,
  code,
  file,
  image,
  newAnalysis,
  newAsset,
  newFigure,
  newOrganization,
  newPlace,
  newWorkspace,
  publish,
  publishAsset,
} from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'

interface Deletion {
  api_id: string
  entity_type: string
  name: string | null
  deleted_by: string
  deleted_on: string
  restorable_until: string
}
const deletions = async (me: Client, path: string, status = 200) =>
  (await me.get<Deletion[]>(path, status)).body
const restore = <T = Refusal>(me: Client, path: string, status = 200) =>
  me.request<T>('POST', `${path}restore/`, { status })

/** A workspace with objects of all types. */
async function createObjects(me: Client, friend: TestUser) {
  const { workspace, analysis, figure } = await newPlace(me)
  const member = { username: friend.username, membership_type: 'creator' }
  await me.post(`workspace/${workspace.api_id}/members/add/`, member, 200)
  const invitation = {
    email: 'x@example.org',
    membership_type: 'viewer',
    workspace: workspace.api_id,
  }
  await me.post('invitations/workspace/', invitation)
  const asset = await newAsset(me, workspace.api_id, { analysis: analysis.api_id })
  const bytes = Buffer.from(crypto.randomUUID())
  const source = await publishAsset(me, asset.api_id, [file(bytes, 'counts.csv')])
  const revision = await publish(
    me,
    figure.api_id,
    [image(png(40, 30)), code(Buffer.from('plot()'))],
    { metadata: { a: 1 }, assets: [{ asset_revision: source.api_id, use_type: 'direct' }] },
  )
  const second = await publish(me, figure.api_id, [image(png(30, 40))])
  await me.patch(`figure/${figure.api_id}/`, { name: 'Renamed' })
  const share = { username: friend.username, sharing_enabled: true }
  for (const path of [`figure/${figure.api_id}/`, `asset/${asset.api_id}/`]) {
    await me.post(`${path}share/user/`, share, 200)
    await me.post(`${path}share/link/`, { enabled: true }, 200)
  }
  const comment = await newComment(me, 'figure', figure.api_id, `Look, @${friend.username}`)
  const answer = await newComment(friend.api, 'figure_revision', revision.api_id, 'So it is')
  await newComment(me, 'figure', figure.api_id, 'An answer', comment.id)
  await newReaction(friend.api, answer.id)
  return {
    paths: {
      workspace: `workspace/${workspace.api_id}/`,
      analysis: `analysis/${analysis.api_id}/`,
      figure: `figure/${figure.api_id}/`,
      revision: `revision/${revision.api_id}/`,
      second: `revision/${second.api_id}/`,
      asset: `asset/${asset.api_id}/`,
      source: `asset_revision/${source.api_id}/`,
    },
    data: [...(revision.data ?? []), ...(source.data ?? [])].map((one) => one.api_id),
    hash: at(source.data, 0).hash,
  }
}

const otherRoutes = [
  'size/',
  'children/',
  'thumbnail/',
  'thumbnail/16/',
  'share/user/',
  'share/link/',
]
const workspaceRoutes = [
  'size/',
  'children/',
  'overview/',
  'members/',
  'invitations/',
  'subscription/',
  'storage/',
]

/** All responses about a tree, unparsed. */
async function answers(
  me: Client,
  { paths, data, hash }: Awaited<ReturnType<typeof createObjects>>,
) {
  const asked: string[] = data.flatMap((id) => [`data/${id}/`, `data/${id}/?dl=1`])
  for (const [kind, path] of Object.entries(paths)) {
    asked.push(
      path,
      ...(kind === 'workspace' ? workspaceRoutes : otherRoutes).map((more) => path + more),
    )
    const type = { figure: 'figure', revision: 'figure_revision', asset: 'asset' }[kind]
    if (type) asked.push(`comment/?target_type=${type}&target_id=${path.split('/')[1]}`)
  }
  const all: Record<string, string> = {}
  for (const path of asked) all[path] = (await me.get(path)).bytes.toString('base64')
  const body = { hash_type: 'blake3', digest: hash }
  all.found = (await me.post('asset_revision/find_by_hash/', body, 200)).text
  for (const path of Object.values(paths)) {
    const { body: log } = await me.get<{ api_id: string; action: string }[]>(`${path}log/`)
    // Only these entries are new.
    const kept = log.filter(({ action }) => action !== 'delete' && action !== 'restore')
    all[`${path}log/`] = JSON.stringify(kept)
  }
  return all
}

/** A restoration updates the times of the ancestors, like any write. */
const times =
  /"(child_updated_on|child_updated_by|last_activity_on|last_activity_by)":("[^"]*"|null)/g
const withoutTimes = (all: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(all).map(([path, body]) => [
      path,
      Buffer.from(body, 'base64').toString().replace(times, '""'),
    ]),
  )

test('restores a whole workspace with identical responses', async () => {
  const [me, friend] = [await signUp(), await signUp()]
  const tree = await createObjects(me.api, friend)
  const before = await answers(me.api, tree)
  const anybody = client()
  const linked = (await anybody.get(tree.paths.figure)).text
  const { workspace } = tree.paths
  await me.api.delete(workspace)
  for (const path of Object.values(tree.paths)) await me.api.get(path, 404)
  await anybody.get(tree.paths.figure, 401)

  const id = workspace.split('/')[1]
  const [row, ...more] = await deletions(me.api, 'workspace/deleted/')
  assert.ok(row)
  assert.deepEqual(more, [])
  const { deleted_on, restorable_until, ...rest } = row
  assert.deepEqual(rest, {
    api_id: id,
    entity_type: 'workspace',
    name: 'Field trip',
    deleted_by: me.username,
  })
  const days = (Date.parse(restorable_until) - Date.parse(deleted_on)) / 86_400_000
  assert.equal(days, 30)
  assert.deepEqual(await deletions(friend.api, 'workspace/deleted/'), [])
  await restore(friend.api, workspace, 403)

  const { text } = await restore<unknown>(me.api, workspace)
  assert.equal(text, Buffer.from(before[workspace] ?? '', 'base64').toString())
  assert.deepEqual(await answers(me.api, tree), before)
  assert.equal((await anybody.get(tree.paths.figure)).text, linked)
  await friend.api.get(tree.paths.figure)
  assert.deepEqual(await deletions(me.api, 'workspace/deleted/'), [])
})

test('restores each type of object with its content, and changes nothing else but times', async () => {
  const [me, friend] = [await signUp(), await signUp()]
  const tree = await createObjects(me.api, friend)
  const { workspace, ...kinds } = tree.paths
  const before = withoutTimes(await answers(me.api, tree))
  for (const [kind, path] of Object.entries(kinds)) {
    await friend.api.delete(path)
    await me.api.get(path, 404)
    const [row] = await deletions(friend.api, `${workspace}deleted/`)
    assert.equal(row?.api_id, path.split('/')[1], kind)
    assert.equal(row?.deleted_by, friend.username)
    const { text } = await restore<unknown>(friend.api, path)
    assert.equal(text, (await me.api.get(path)).text)
    assert.deepEqual(withoutTimes(await answers(me.api, tree)), before, kind)
  }
  const { body: log } = await me.api.get<{ action: string }[]>(`${workspace}log/`)
  const newest = log.slice(0, 2).map(({ action }) => action)
  assert.deepEqual(newest, ['restore', 'delete'])
})

test('rejects invalid restorations with a reason, and limits lists on request', async () => {
  const me = await signUp()
  const { workspace, analysis, figure } = await newPlace(me.api)
  const path = `figure/${figure.api_id}/`
  const refusal = async (of: string) => messageOf(await restore(me.api, of, 409))
  assert.match(await refusal(path), /^not_deleted /)
  await me.api.delete(path)
  await me.api.delete(`analysis/${analysis.api_id}/`)
  assert.match(await refusal(path), new RegExp(`^parent_deleted .*analysis.*${analysis.api_id}`))
  const list = `workspace/${workspace.api_id}/deleted/`
  const all = await deletions(me.api, list)
  assert.deepEqual(
    all.map(({ entity_type, name }) => [entity_type, name]),
    [
      ['analysis', 'Plankton'],
      ['figure', 'Figure 1'],
    ],
  )
  assert.deepEqual(await deletions(me.api, `${list}?limit=1&offset=1`), all.slice(1))
  const answer = await me.api.get(`${list}?limit=100000`)
  assert.equal(answer.headers.get('x-limit'), '1000')
  for (const query of ['limit=0', 'offset=-1', 'limit=x']) {
    await me.api.get<Refusal>(`${list}?${query}`, 400)
  }
  await restore<unknown>(me.api, `analysis/${analysis.api_id}/`)
  const elsewhere = (await newWorkspace(me.api)).api_id
  await me.api.patch(`analysis/${analysis.api_id}/`, { workspace: elsewhere })
  assert.match(await refusal(path), /^parent_moved /)
  await me.api.patch(`analysis/${analysis.api_id}/`, { workspace: workspace.api_id })
  await restore<unknown>(me.api, path)
  assert.match(await refusal(path), /^not_deleted /)
  for (const nothing of [crypto.randomUUID(), 'x']) await restore(me.api, `figure/${nothing}/`, 404)
})

test('restores an organization with its workspaces', async () => {
  const me = await signUp()
  const { api_id } = await newOrganization(me.api)
  const path = `organization/${api_id}/`
  const workspace = await newWorkspace(me.api, 'Inside', api_id)
  await newFigure(me.api, (await newAnalysis(me.api, workspace.api_id)).api_id)
  const { text: before } = await me.api.get(path)
  await me.api.delete(path)
  assert.deepEqual(
    (await deletions(me.api, 'organization/deleted/')).map((row) => row.api_id),
    [api_id],
  )
  assert.equal((await restore<unknown>(me.api, path)).text, before)
  await me.api.delete(`workspace/${workspace.api_id}/`)
  const [row] = await deletions(me.api, `${path}deleted/`)
  assert.deepEqual([row?.api_id, row?.name], [workspace.api_id, 'Inside'])
  await restore<unknown>(me.api, `workspace/${workspace.api_id}/`)
  const { body } = await me.api.get<{ organization: string }>(`workspace/${workspace.api_id}/`)
  assert.equal(body.organization, api_id)
})
