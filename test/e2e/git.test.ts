import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { before, test } from 'node:test'
import type { Refusal } from '../src/client.js'
import {
  createRepository,
  ended,
  type GitImport,
  type GitRepository,
  importNow,
  newRepository,
} from '../src/git-repositories.js'
import { png } from '../src/images.js'
import { at as addressOf, signInAt } from '../src/pages.js'
import { at, newAnalysis, newPlace, type Place } from '../src/publish.js'
import { signInStaff, withoutStaff } from '../src/staff.js'
import { signUp, type TestUser } from '../src/users.js'

let alice: TestUser
let place: Place
before(async () => {
  alice = await signUp()
  place = await newPlace(alice.api)
})

interface Container {
  api_id: string
  name: string
  is_imported: boolean
  import_source: string | null
}

interface Figure extends Container {
  revisions: { api_id: string }[]
}

async function figuresOf(analysis: string): Promise<Record<string, Figure>> {
  const { body } = await alice.api.get<{ figures: Figure[] }>(`analysis/${analysis}/`)
  const figures = await Promise.all(
    body.figures.map(async ({ api_id }) => (await alice.api.get<Figure>(`figure/${api_id}/`)).body),
  )
  return Object.fromEntries(figures.map((figure) => [figure.name, figure]))
}

test('a repository is imported, changed and imported again, by its user and by a push', async () => {
  const { api_id: analysis } = await newAnalysis(alice.api, place.workspace.api_id)
  const source = createRepository()
  const first = source.commit({
    'plots/means.png': png(40, 30),
    'plots/means.py': 'plot()\n',
    'plots/means.csv': 'a,b\n1,2\n',
    'plots/other.png': png(40, 30, 1),
    '.figbase.yml':
      'figures:\n  - path: plots/other.png\n    name: The other one\n  - path: gone.png\n',
  })
  source.run('tag', 'v1', 'main')
  const { secret, ...created } = await newRepository(alice.api, { analysis }, { url: source.url })
  const id = created.api_id
  assert.deepEqual((await alice.api.get(`git_repository/${id}/`)).body, created)
  assert.deepEqual((await alice.api.get(`analysis/${analysis}/git_repository/`)).body, [created])

  const imported = await importNow(alice.api, id)
  assert.deepEqual([imported.status, imported.commit, imported.error], ['succeeded', first, null])
  assert.deepEqual(imported.figures, { total: 2, created: 2, changed: 0, renamed: 0 })
  assert.deepEqual(imported.assets, { total: 1, created: 1, changed: 0, renamed: 0 })
  assert.deepEqual(
    imported.refused.map(({ path }) => path),
    ['gone.png'],
  )
  const task = await succeededTask(imported.task)
  assert.equal(task.task_type, 'git-import')
  const { commit: head, figures: ofFigures, assets, refused_count } = imported
  assert.deepEqual(task.result, { commit: head, figures: ofFigures, assets, refused_count })
  const figures = await figuresOf(analysis)
  const means = figures['plots/means']
  assert.ok(means && figures['The other one'])
  const from = `git+${source.url}@${first}#plots/means.png`
  assert.deepEqual([means.is_imported, means.import_source], [true, from])
  const { browser } = await signInAt('/account/', alice)
  const page = await browser.visit(addressOf(`/figure/${means.api_id}/`))
  assert.match(page.text, /First imported from .*plots\.git.*plots\/means\.png/)
  const { body: revision } = await alice.api.get<{
    is_imported: boolean
    import_source: string
    metadata: { git: { commit: string; author: string; tags: string[] } }
    assets: unknown[]
  }>(`revision/${at(means.revisions, 0).api_id}/`)
  assert.equal(revision.is_imported, true)
  assert.equal(revision.import_source, from)
  const { commit, author, tags } = revision.metadata.git
  assert.deepEqual([commit, author, tags], [first, 'Ada', ['v1']])
  assert.equal(revision.assets.length, 1)

  const second = source.commit({
    'plots/means.png': png(40, 30, 2),
    'final/other.png': { from: 'plots/other.png' },
    '.figbase.yml': null,
  })
  const pushed = await push(created, secret, { ref: 'refs/heads/main', after: second })
  const again = await ended(alice.api, id, pushed.import ?? '')
  assert.deepEqual(again.figures, { total: 2, created: 0, changed: 1, renamed: 1 })
  const now = await figuresOf(analysis)
  assert.deepEqual(Object.keys(now).sort(), ['final/other', 'plots/means'])
  assert.equal(now['plots/means']?.api_id, means.api_id)
  assert.equal(now['plots/means']?.revisions.length, 2)

  assert.equal((await push(created, secret, { ref: 'refs/heads/other' })).import, null)
  assert.deepEqual((await importNow(alice.api, id)).figures, {
    ...{ total: 2, created: 0, changed: 0, renamed: 0 },
  })
  const { body: imports } = await alice.api.get<GitImport[]>(`git_repository/${id}/import/`)
  assert.equal(imports.length, 3)

  await alice.api.delete(`git_repository/${id}/`, 204)
  await alice.api.get(`git_repository/${id}/`, 404)
  assert.equal(Object.keys(await figuresOf(analysis)).length, 2)
})

/** The task ends after its import. */
async function succeededTask(id: string) {
  for (;;) {
    const { body } = await alice.api.get<{ status: string; task_type: string; result: unknown }>(
      `tasks/${id}/`,
    )
    if (body.status === 'SUCCESS') return body
    assert.equal(body.status, 'STARTED')
  }
}

const bodyOf = (payload: object) => JSON.stringify(payload)

function signed(secret: string, body: string) {
  const hex = createHmac('sha256', secret).update(body).digest('hex')
  return { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${hex}` }
}

async function push({ push_url }: GitRepository, secret: string, payload: object) {
  const raw = bodyOf(payload)
  const headers = { 'content-type': 'application/json', ...signed(secret, raw) }
  const { pathname } = new URL(push_url)
  const options = { raw, headers, status: 200 }
  return (await alice.api.request<{ import: string | null }>('POST', pathname, options)).body
}

test('a push with a wrong signature is refused, also for a repository that does not exist', async () => {
  const analysis = place.analysis.api_id
  const { push_url, api_id } = await newRepository(alice.api, { analysis })
  const body = bodyOf({ ref: 'refs/heads/main' })
  for (const url of [push_url, push_url.replace(api_id, crypto.randomUUID())]) {
    for (const headers of [{}, signed('another secret', body), { 'x-gitlab-token': '' }]) {
      const response = await fetch(url, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body,
      })
      assert.equal(response.status, 401)
      assert.equal(((await response.json()) as Refusal).error, 'invalid_signature')
    }
  }
  const { body: imports } = await alice.api.get<unknown[]>(`git_repository/${api_id}/import/`)
  assert.deepEqual(imports, [])
})

test('in a workspace, the first folder is the analysis', async () => {
  const workspace = place.workspace.api_id
  const source = createRepository()
  const commit = source.commit({
    'paper/fig1.png': png(40, 30),
    'overview.png': png(40, 30),
  })
  const path = `workspace/${workspace}/git_repository/`
  const { body } = await alice.api.post<GitRepository>(path, { url: source.url }, 201)
  await importNow(alice.api, body.api_id)
  const { body: found } = await alice.api.get<{ analyses: Container[] }>(`workspace/${workspace}/`)
  const names = await Promise.all(
    found.analyses.map(async ({ api_id, name }) => [name, Object.keys(await figuresOf(api_id))]),
  )
  const { paper, plots } = Object.fromEntries(names)
  assert.deepEqual([paper, plots], [['fig1'], ['overview']])
  const sources = found.analyses.flatMap(({ name, ...one }) =>
    one.is_imported ? [[name, one.import_source]] : [],
  )
  const from = `git+${source.url}@${commit}`
  assert.deepEqual(Object.fromEntries(sources), { paper: `${from}#paper`, plots: from })
})

test('nothing is imported for a user whose account is deactivated', {
  skip: withoutStaff,
}, async () => {
  const bob = await signUp()
  const { workspace } = place
  const member = { username: bob.username, membership_type: 'creator' }
  await alice.api.post(`workspace/${workspace.api_id}/members/add/`, member, 200)
  const { api_id: analysis } = await newAnalysis(alice.api, workspace.api_id)
  const source = createRepository()
  source.commit({ 'a.png': png(40, 30) })
  const { api_id } = await newRepository(bob.api, { analysis }, { url: source.url })
  await (await signInStaff()).post(`user/${bob.username}/deactivate/`, {}, 200)
  const { status, error } = await importNow(alice.api, api_id)
  const why = `the account of ${bob.username}, who registered the repository, is not active`
  assert.deepEqual([status, error], ['failed', why])
  assert.deepEqual(await figuresOf(analysis), {})
})

const wrong: [body: object, field: string][] = [
  [{}, 'url'],
  [{ url: 'file:///etc' }, 'url'],
  [{ url: 'ext::sh -c id' }, 'url'],
  [{ url: 'https://user:pass@example.org/a.git' }, 'url'],
  [{ url: 'https://example.org/a.git', branch: '--upload-pack=id' }, 'branch'],
  [{ url: 'https://example.org/a.git', ssh_key: crypto.randomUUID() }, 'ssh_key'],
  [{ url: 'git@example.org:a.git' }, 'ssh_key'],
  [{ url: 'git@example.org:a.git', ssh_key: crypto.randomUUID() }, 'ssh_key'],
  [{ url: 'git@example.org:a.git', token: 'x' }, 'token'],
  [{ url: 'https://example.org/a.git', schedule: '* * * * *' }, 'schedule'],
  [{ url: 'https://example.org/a.git', schedule: 'daily' }, 'schedule'],
  [{ url: 'https://example.org/a.git', include: [''] }, 'include[0]'],
  [{ url: 'https://example.org/a.git', branches: [] }, 'branches'],
]

test('wrong settings are refused with their member', async () => {
  const path = `analysis/${place.analysis.api_id}/git_repository/`
  for (const [body, field] of wrong) {
    const answer = await alice.api.post<Refusal & { errors: { field: string }[] }>(path, body, 400)
    assert.equal(answer.body.errors[0]?.field, field, JSON.stringify(body))
  }
})

test('the token of a repository is never sent to another server', async () => {
  const { analysis } = place
  const target = { analysis: analysis.api_id }
  const url = 'https://example.org/a.git'
  const { api_id } = await newRepository(alice.api, target, { url, token: 'secret-token' })
  const path = `git_repository/${api_id}/`
  const { body } = await alice.api.get<object>(path)
  assert.ok(!JSON.stringify(body).includes('secret-token'))
  await alice.api.patch(path, { url: 'https://elsewhere.example/a.git' }, 400)
  await alice.api.patch(path, { url: 'https://example.org/b.git' }, 200)
  await alice.api.patch(path, { url: 'https://elsewhere.example/a.git', token: 'other' }, 200)
})
