import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startGateway } from '@figbase/gateway'
import { createFileSystemStore } from '@figbase/kit/objects'
import { compose, Lifecycle } from '@figbase/kit/service'
import { services } from '../src/all-in-one.js'
import { until } from './support/launched.js'
import { createMigratedDatabase } from './support/migrated-database.js'

const lifecycle = new Lifecycle()
const password = 'correct horse battery'
/** Two instances, like two processes, that share the database and the objects. */
let first: string
let second: string
let staff: string
let ann: string
let mailDir: string

before(async () => {
  const database = await createMigratedDatabase()
  lifecycle.onStop(() => database[Symbol.asyncDispose]())
  const dir = await mkdtemp(join(tmpdir(), 'figbase-site-'))
  lifecycle.onStop(() => rm(dir, { recursive: true, force: true }))
  mailDir = join(dir, 'mail')
  const env = {
    DATABASE_URL: database.url,
    FIGBASE_SECRET_KEY: 'a secret of the tests',
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'silent',
    EMBEDDER: 'none',
    OCR_ENABLED: 'false',
    MAIL_DIR: mailDir,
    PORT: '0',
  }
  const start = async () => {
    const objects = createFileSystemStore(join(dir, 'objects'))
    const composition = await compose(services, { env, objects, isolate: true })
    lifecycle.onStop(() => composition[Symbol.asyncDispose]())
    const gateway = await startGateway({ env, ...composition })
    lifecycle.onStop(() => gateway[Symbol.asyncDispose]())
    return gateway.url
  }
  first = await start()
  second = await start()
  staff = (await call(first, 'POST', '/api/token/', '', { username: 'admin', password })).body
    .access
  ann = (await signUp(first, 'ann')).body.auth.access
})
after(() => lifecycle[Symbol.asyncDispose]())

async function call(at: string, method: string, path: string, token = '', body?: object) {
  const response = await fetch(at + (path.startsWith('/') ? path : `/api/v1.4.1/${path}`), {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

const signUp = (at: string, username: string) =>
  call(at, 'POST', 'user/', '', { username, email: `${username}@example.org`, password })

async function set(change: object) {
  const { status, body } = await call(first, 'PATCH', 'settings/', staff, change)
  assert.equal(status, 200)
  return body
}

test('staff disable and enable sign-up, at once in every process', async () => {
  assert.equal((await signUp(second, 'bob')).status, 201)
  await set({ sign_up_enabled: false })
  const refused = await signUp(second, 'cyd')
  assert.deepEqual([refused.status, refused.body.error], [403, 'sign_up_disabled'])
  assert.equal((await call(second, 'GET', 'settings/', ann)).body.sign_up_enabled, false)
  await set({ sign_up_enabled: true })
  assert.equal((await signUp(second, 'cyd')).status, 201)
})

test('staff disable and enable shared links, at once in every process', async () => {
  const make = async (path: string, body: object) => {
    const made = await call(first, 'POST', path, ann, body)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    return made.body
  }
  const workspace = (await make('workspace/', { name: 'Climate' })).api_id
  const analysis = (await make('analysis/', { name: 'Means', workspace })).api_id
  const figure = (await make('figure/', { name: 'Monthly', analysis })).api_id
  const data = [{ name: 'code', type: 'code', data: 'eA==', metadata: { language: 'Python' } }]
  const revision = await make('revision/', { figure, data })
  const share = { enabled: true }
  assert.equal(
    (await call(first, 'POST', `analysis/${analysis}/share/link/`, ann, share)).status,
    200,
  )

  const open = [
    `analysis/${analysis}/`,
    `figure/${figure}/`,
    `revision/${revision.api_id}/`,
    `revision/${revision.api_id}/thumbnail/`,
    `figure/${figure}/children/`,
    `data/${revision.data[0].api_id}/?dl=1`,
    `/figure/${figure}`,
    `/r/${revision.api_id}`,
  ]
  const statuses = async (token: string) => {
    const answers = open.map((path) => call(second, 'GET', path, token))
    return new Set((await Promise.all(answers)).map(({ status }) => status))
  }
  const stranger = (await signUp(first, 'eve')).body.auth.access
  for (let round = 0; round < 3; round++) {
    for (const token of ['', stranger]) assert.deepEqual(await statuses(token), new Set([200]))
    await set({ link_sharing_enabled: false })
    assert.deepEqual(await statuses(''), new Set([401]))
    assert.deepEqual(await statuses(stranger), new Set([403]))
    assert.deepEqual(await statuses(ann), new Set([200]))
    const asked = await call(second, 'GET', `analysis/${analysis}/share/link/`, ann)
    assert.equal(asked.body.enabled, false)
    const another = await call(second, 'POST', `figure/${figure}/share/link/`, ann, share)
    assert.deepEqual([another.status, another.body.error], [403, 'link_sharing_not_allowed'])
    await set({ link_sharing_enabled: true })
  }
})

test('every page shows the site name and announcement within a second, escaped', async () => {
  const shows = (text: string) => async () =>
    (await call(second, 'GET', '/sign-in/')).body.includes(text)
  await set({ site_name: 'Lab <b>9</b>', announcement: 'Closed on <i>Friday</i>' })
  await until(shows('<bdi>Lab &lt;b&gt;9&lt;/b&gt;</bdi>'), 'the name')
  for (const path of [
    '/sign-in/',
    '/password-reset/',
    '/figure/none',
    '/invitations/workspace/b/',
  ]) {
    const { body } = await call(second, 'GET', path)
    assert.match(body, /<title>[^<]* · Lab &lt;b&gt;9&lt;\/b&gt;<\/title>/, path)
    assert.match(
      body,
      /<p class="notice" role="status" dir="auto">Closed on &lt;i&gt;Friday&lt;\/i&gt;<\/p>/,
    )
  }
  await set({ site_name: 'Figbase', announcement: '' })
  await until(shows('<bdi>Figbase</bdi>'), 'the previous name')
})

test('staff list accounts with their storage, and end sessions', async () => {
  const dora = (await signUp(first, 'dora')).body.auth
  const made = await call(first, 'POST', 'workspace/', dora.access, { name: 'Second' })
  const analysis = await call(first, 'POST', 'analysis/', dora.access, {
    name: 'Means',
    workspace: made.body.api_id,
  })
  const figure = await call(first, 'POST', 'figure/', dora.access, {
    name: 'Monthly',
    analysis: analysis.body.api_id,
  })
  const data = [{ name: 'code', type: 'code', data: 'eA==', metadata: { language: 'Python' } }]
  await call(first, 'POST', 'revision/', dora.access, { figure: figure.body.api_id, data })
  const { body: size } = await call(
    first,
    'GET',
    `workspace/${made.body.api_id}/size/`,
    dora.access,
  )
  const found = await call(second, 'GET', 'account/?q=dora@&state=active', staff)
  assert.equal(found.status, 200)
  assert.equal(found.body.items.length, 1)
  const [row] = found.body.items
  assert.ok(row.storage_bytes > 0)
  assert.equal(row.storage_bytes, size.size_bytes)
  assert.equal(row.email, 'dora@example.org')
  assert.ok(row.last_sign_in)
  const page = await call(second, 'GET', 'account/?page_size=1', staff)
  assert.equal(page.body.items.length, 1)
  const next = `account/?page_size=1&cursor=${page.body.next_cursor}`
  const [following] = (await call(second, 'GET', next, staff)).body.items
  assert.ok(following.username > page.body.items[0].username)
  for (const bad of ['state=gone', 'page_size=0', 'cursor=!', `q=${'x'.repeat(255)}`]) {
    const refused = await call(second, 'GET', `account/?${bad}`, staff)
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), new RegExp(bad.split('=')[0] ?? ''))
  }
  assert.equal((await call(second, 'GET', 'account/', dora.access)).status, 403)

  const sessions = await call(second, 'GET', 'account/dora/sessions/', staff)
  assert.equal(sessions.body.length, 1)
  const one = `account/dora/sessions/${sessions.body[0].id}/`
  assert.equal((await call(first, 'DELETE', one, staff)).status, 204)
  const { refresh } = dora
  assert.equal((await call(second, 'POST', '/api/token/refresh/', '', { refresh })).status, 401)
  assert.equal((await call(first, 'DELETE', 'account/dora/sessions/', staff)).status, 204)
  assert.equal((await call(first, 'GET', 'account/nobody/sessions/', staff)).status, 404)
})

test('mails of every service show the site name and announcement', async () => {
  await set({ site_name: 'Lab 9', announcement: 'Closed on Friday' })
  const { body } = await call(second, 'POST', 'workspace/', ann, { name: 'Soils' })
  const invitation = {
    email: 'dan@example.org',
    membership_type: 'viewer',
    workspace: body.api_id,
  }
  const { status } = await call(second, 'POST', 'invitations/workspace/', ann, invitation)
  assert.equal(status, 201)
  assert.equal((await signUp(first, 'fay')).status, 201)
  for (const address of ['dan@example.org', 'fay@example.org']) {
    await until(async () => (await mailTo(address)) !== undefined, `the mail to ${address}`)
    const mail = (await mailTo(address)) ?? ''
    assert.match(mail, /Announcement of Lab 9: Closed on Friday/)
    assert.match(mail, /Sent by Lab 9\. Nobody reads answers/)
  }
})

async function mailTo(address: string) {
  const names = (await readdir(mailDir)).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(names.map((name) => readFile(join(mailDir, name), 'utf8')))
  return mails.find((mail) => new RegExp(`^To: .*${address}`, 'm').test(mail))
}
