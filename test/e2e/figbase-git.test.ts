import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { find } from '@figbase/client'
import { newApiKey } from '../src/api-keys.js'
import { deployment } from '../src/deployment.js'
import { type Machine, newMachine } from '../src/figbase-command.js'
import {
  createRepository,
  type GitImport,
  type GitRepository,
  repositoryToSend,
  type TestRepository,
} from '../src/git-repositories.js'
import { png } from '../src/images.js'
import { newSshKey } from '../src/ssh-keys.js'
import { signUp, type TestUser } from '../src/users.js'

let ada: TestUser
let machine: Machine
let source: TestRepository
/** Of the repository that is added first. */
let id = ''
let page = ''

type Added = GitRepository & { workspace: string; secret: string }
type Listed = GitRepository & { analysis: string | null; next_import_on: string | null }

const url = deployment.origin.origin
const to = 'Climate/From Git'
const accessToken = 'access-token-of-ada'

before(async () => {
  ada = await signUp()
  machine = await newMachine()
  source = createRepository()
  const input = (await newApiKey(ada.api)).token
  await machine.succeed(['login', '--url', url, '--key', '-'], { input })
})

after(async () => {
  assert.ok(!machine.printed().includes(accessToken), 'the access token was printed')
  await machine[Symbol.asyncDispose]()
})

test('adds a repository to an analysis that is missing, and imports it', async () => {
  const commit = source.commit({
    'plots/means.png': png(40, 30),
    'plots/means.csv': 'a,b\n1,2\n',
    'drafts/first.png': png(40, 30),
    '.figbase.yml': 'figures:\n  - path: gone.png\n',
  })
  const { code, stdout, stderr } = await machine.run([
    ...['git', 'add', source.url, '--to', to, '--import'],
    ...['--exclude', 'drafts/', '--exclude', 'old/', '--schedule', '17 3 * * *'],
  ])
  assert.equal(code, 0, stderr)
  const [added = '', ...lines] = stdout.trimEnd().split('\n')
  const [, shown, address] = /^added {2}(\S+) {2}(\S+)$/.exec(added) ?? []
  assert.equal(shown, source.url)
  page = address ?? ''
  id = /^\/git-repository\/([\da-f-]{36})\/$/.exec(page.slice(url.length))?.[1] ?? ''
  assert.ok(id && page.startsWith(url), page)
  const [refused, ...others] = lines.splice(4)
  assert.deepEqual(lines, [
    `imported  ${commit.slice(0, 12)}`,
    '1 figure: 1 new, 0 changed, 0 renamed',
    '1 asset: 1 new, 0 changed, 0 renamed',
    '1 path not imported:',
  ])
  assert.match(refused ?? '', /^ {2}gone\.png: \S/)
  assert.deepEqual(others, [])
  const logged = stderr.trimEnd().split('\n')
  assert.match(logged[0] ?? '', /^fetched main at [\da-f]{12} with 4 files$/)
  assert.ok(logged.includes('new: plots/means'), stderr)
  assert.deepEqual(logged, [...new Set(logged)], 'no line was printed twice')
})

test('lists the repositories of an analysis', async () => {
  const [listed, ...others] = await machine.json<Listed[]>(['git', 'ls', to])
  assert.ok(listed)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [listed.api_id, listed.url, listed.last_import?.status],
    [id, source.url, 'succeeded'],
  )
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`
  assert.match(
    await machine.succeed(['git', 'ls', listed.analysis ?? '']),
    new RegExp(`^${source.url} {2}main {2}succeeded {2}${time} {2}next ${time} {2}${id}\n$`),
  )
  assert.deepEqual(await machine.json(['git', 'ls', 'Climate']), [])
})

test('imports what has changed, by the address of the page', async () => {
  const commit = source.commit({
    'plots/means.png': png(40, 30, 1),
    'plots/new.png': png(40, 30, 2),
    '.figbase.yml': null,
  })
  const { figures, ...one } = await machine.json<GitImport>(['git', 'import', page])
  assert.deepEqual([one.status, one.commit], ['succeeded', commit])
  assert.deepEqual(figures, { total: 2, created: 1, changed: 1, renamed: 0 })
  const imported = await machine.succeed(['git', 'import', id])
  assert.match(imported, /^imported .+\n2 figures: 0 new, 0 changed, 0 renamed\n1 asset: .+\n$/)
})

test('an API key for one workspace imports, though it may not read the task', async () => {
  const { api_id: workspace } = (await find(ada.figbase, 'Climate')) ?? {}
  const { token } = await newApiKey(ada.api, { workspace })
  const env = { FIGBASE_URL: url, FIGBASE_TOKEN: token }
  assert.match(await machine.succeed(['git', 'import', id], { env }), /^imported .+\n2 figures: /)
})

test('lists the imports, newest first', async () => {
  const all = await machine.json<GitImport[]>(['git', 'log', id])
  assert.deepEqual(
    all.map(({ figures }) => figures.created),
    [0, 0, 1, 1],
  )
  const newest = await machine.succeed(['git', 'log', page, '--limit', '2'])
  assert.match(
    newest,
    /^(\d{4}-\S+ \d\d:\d\d {2}succeeded {2}user {2}[\da-f]{12} {2}nothing new\n){2}$/,
  )
  assert.match(await machine.succeed(['git', 'log', id]), /2 new, 1 not imported\n$/)
})

test('a failed import ends with 1', async () => {
  const add = ['git', 'add', source.url, '--to', '/Climate', '--branch', 'gone', '--import']
  const { code, stdout, stderr } = await machine.run([...add, '--json'])
  assert.equal(code, 1)
  const { api_id, workspace, last_import } = JSON.parse(stdout) as Added
  assert.ok(workspace)
  assert.equal(last_import?.status, 'failed')
  const { error, detail } = JSON.parse(stderr)
  assert.deepEqual(
    [error, detail],
    ['import_failed', `The import has failed: ${last_import.error}`],
  )
  const again = await machine.run(['git', 'import', api_id])
  assert.deepEqual([again.code, again.stdout], [1, ''])
  assert.ok(again.stderr.endsWith(`figbase: ${detail}\n`), again.stderr)
  assert.equal((await machine.failWith(1, ['git', 'import', api_id])).error, 'import_failed')
  const log = await machine.succeed(['git', 'log', api_id, '--limit', '1'])
  assert.ok(log.includes(`failed  user    ${last_import.error}`), log)
})

test('starts an import without waiting', async () => {
  const { repository } = await machine.json<{ repository: string }>([
    'git',
    'import',
    id,
    '--no-wait',
  ])
  assert.equal(repository, id)
})

test('reads an access token from its input, and finds an SSH key by its name', async () => {
  const add = ['git', 'add', repositoryToSend().url, '--to', to, '--json']
  const input = `${accessToken}\n`
  const added = JSON.parse(await machine.succeed([...add, '--token', '-'], { input }))
  assert.deepEqual([added.has_token, added.last_import], [true, null])
  assert.equal((await machine.failWith(2, [...add, '--token', accessToken])).error, 'usage')

  const { api_id, name } = await newSshKey(ada.api)
  const overSsh = ['git', 'add', 'git@example.org:lab/plots.git', '--to', to, '--ssh-key']
  for (const key of [name, api_id]) {
    const { ssh_key } = await machine.json<{ ssh_key: string }>([...overSsh, key])
    assert.equal(ssh_key, api_id)
  }
  assert.equal((await machine.failWith(4, [...overSsh, 'no such key'])).error, 'not_found')
})

test('what is wrong ends with the exit codes of other commands', async () => {
  const { error } = await machine.failWith(5, ['git', 'add', 'file:///etc', '--to', to])
  assert.equal(error, 'invalid_request')
  await machine.failWith(2, ['git', 'add', source.url, '--to', 'Climate/From Git/A figure'])
  await machine.failWith(2, ['git', 'import', to])
  await machine.failWith(4, ['git', 'import', crypto.randomUUID()])
  await machine.failWith(4, ['git', 'ls', 'Nowhere'])
})

test('removes a repository; its figures stay', async () => {
  assert.match(await machine.succeed(['git', 'rm', page]), /^removed .+ figures and assets stay\n$/)
  assert.equal((await machine.failWith(4, ['git', 'rm', id])).error, 'not_found')
  await machine.failWith(4, ['git', 'log', id])
  assert.equal((await machine.json<object[]>(['ls', to])).length, 2)
})
