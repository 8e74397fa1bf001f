import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { find, findOrCreate, waitForRevision } from '@figbase/client'
import { createBrowser } from '@figbase/kit/testing'
import { newApiKey } from '../src/api-keys.js'
import { deployment } from '../src/deployment.js'
import { bundle, type Machine, newMachine } from '../src/figbase-command.js'
import { signUp, type TestUser } from '../src/users.js'

let ada: TestUser
let grace: TestUser
let key: string
let machine: Machine

type Published = { name: string; figure: string; api_id: string; is_new: boolean; url: string }
type Listed = { kind: string; api_id: string; name: string }

const url = deployment.origin.origin
const means = 'Climate/Temperatures/Monthly means'
const picture = (seed: number) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${40 + seed}" height="30"><rect width="9" height="9"/></svg>`
  return Buffer.from(svg)
}
const inFolder = (...names: string[]) => join(machine.folder, ...names)
const write = (name: string, content: string | Buffer) => writeFile(inFolder(name), content)

before(async () => {
  ada = await signUp()
  grace = await signUp()
  key = (await newApiKey(ada.api)).token
  machine = await newMachine()
  await machine.succeed(['login', '--url', url, '--key', '-'], { input: `${key}\n` })
})

after(async () => {
  assert.ok(!machine.printed().includes(key), 'a key was printed')
  await machine[Symbol.asyncDispose]()
})

test('signs in with a key, and stores it for this user only', async () => {
  assert.equal((await stat(machine.profiles)).mode & 0o777, 0o600)
  const { username, url: server } = await machine.json<{ username: string; url: string }>([
    'whoami',
  ])
  assert.deepEqual([username, server], [ada.username, url])
  const profiles = await machine.json<object[]>(['profiles'])
  const host = deployment.origin.host
  assert.deepEqual(profiles, [{ name: host, url, workspace: null, current: true }])
})

test('a wrong key is refused, and the profile stays', async () => {
  const { error } = await machine.failWith(3, ['login', '--url', url, '--key', 'figbase_wrong'])
  assert.equal(error, 'authentication_failed')
  await machine.succeed(['whoami'])
})

test('the environment of CI needs no profile', async () => {
  await using ci = await newMachine()
  assert.equal((await ci.failWith(3, ['whoami'])).error, 'not_signed_in')
  const env = { FIGBASE_URL: url, FIGBASE_TOKEN: key, FIGBASE_WORKSPACE: 'From CI' }
  await writeFile(join(ci.folder, 'a.svg'), picture(0))
  await ci.succeed(['publish', 'a.svg', '--to', 'Nightly/A'], { env })
  const found = JSON.parse(await ci.succeed(['ls', 'Nightly', '--json'], { env }))
  assert.equal(found[0].name, 'A')
  const whole = JSON.parse(await ci.succeed(['ls', '/From CI/Nightly', '--json'], { env }))
  assert.deepEqual(whole, found)
})

test('publishes files as one figure, and gets the same bytes', async () => {
  const files = { 'm.svg': picture(1), 'm.py': 'plot(1)\n', 'm.csv': 'month,mean\n1,2\n' }
  for (const [name, content] of Object.entries(files)) await write(name, content)
  await write('raw.dat', 'measured')
  const args = ['publish', ...Object.keys(files), '--to', means, '--asset', 'raw.dat']
  const [one, ...others] = await machine.json<Published[]>([
    ...[...args, '--meta', 'seed=42', '--meta', 'unit=K', '--message', 'It *is* warm'],
  ])
  assert.ok(one)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [one.name, one.is_new, one.url],
    ['Monthly means', true, `${url}/r/${one.api_id}`],
  )
  const revision = await waitForRevision(ada.figbase, one.api_id)
  assert.deepEqual(revision.metadata, { seed: 42, unit: 'K' })
  assert.equal(revision.description, 'It *is* warm')
  assert.equal(revision.assets?.length, 1)
  const types = revision.data?.map(({ name, type }) => [name, type])
  assert.deepEqual(types, [
    ['m.svg', 'image'],
    ['m.py', 'code'],
    ['m.csv', 'dataframe'],
  ])

  await machine.succeed(['get', means, '-o', 'got/'])
  for (const [name, content] of Object.entries(files)) {
    assert.deepEqual(await readFile(inFolder('got', name)), Buffer.from(content))
  }
  assert.equal((await machine.failWith(1, ['get', means, '-o', 'got'])).error, 'file_exists')
  await machine.succeed(['get', means, '-o', 'got', '--force'])
  assert.equal(await machine.succeed(['get', means, '-o', '-']), picture(1).toString())
  const page = `${url}/figure/${one.figure}/`
  const [same] = await machine.json<Published[]>(['publish', ...Object.keys(files), '--to', page])
  assert.deepEqual([same?.api_id, same?.is_new], [one.api_id, false])
  await machine.succeed(['get', one.url, '--name', 'm.py', '-o', 'code.py'])
  assert.equal(await readFile(inFolder('code.py'), 'utf8'), 'plot(1)\n')
})

test('publishes a folder, and then only what has changed', async () => {
  await mkdir(inFolder('plots'))
  for (let at = 0; at < 6; at++) await write(`plots/p${at}.svg`, picture(10 + at))
  await write('plots/p0.md', 'The first')
  const publish = ['publish', 'plots', '--to', 'Climate/Plots']
  const first = await machine.json<Published[]>(publish)
  assert.deepEqual(
    first.map(({ name, is_new }) => [name, is_new]),
    [0, 1, 2, 3, 4, 5].map((at) => [`p${at}`, true]),
  )
  const again = await machine.json<Published[]>(publish)
  assert.deepEqual(
    again.map((one) => one.is_new),
    Array(6).fill(false),
  )
  assert.deepEqual(
    again.map((one) => one.api_id),
    first.map((one) => one.api_id),
  )
  await write('plots/p0.md', 'The very first')
  await write('plots/p3.svg', picture(99))
  const changed = (await machine.json<Published[]>(publish)).filter((one) => one.is_new)
  assert.deepEqual(
    changed.map(({ name }) => name),
    ['p0', 'p3'],
  )
  assert.match(await machine.succeed(publish), /^(unchanged {2}p\d {2}http\S+\n){6}$/)
  const listed = await machine.json<Listed[]>(['ls', 'Climate/Plots'])
  assert.equal(listed.length, 6, 'no figure was made twice')
})

test('Ctrl-C ends a publication at once, and the same command goes on', async () => {
  await mkdir(inFolder('many'))
  for (let at = 0; at < 20; at++) await write(`many/p${at}.svg`, picture(50 + at))
  const args = ['publish', 'many', '--to', 'Climate/Many']
  const child = spawn(process.execPath, [bundle, ...args], { ...machine.process, stdio: 'pipe' })
  const told = text(child.stderr)
  await once(createInterface({ input: child.stdout }), 'line')
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  assert.equal(code, 130)
  assert.match(await told, /^figbase: Interrupted\. The same command goes on/)
  const published = await machine.json<Published[]>(args)
  assert.ok(published.some((one) => !one.is_new))
  assert.equal((await machine.json<Listed[]>(['ls', 'Climate/Many'])).length, 20)
})

test('each sub-folder is an analysis', async () => {
  for (const name of ['one', 'two', 'empty'])
    await mkdir(inFolder('years', name), { recursive: true })
  await write('years/one/a.svg', picture(20))
  await write('years/two/a.svg', picture(21))
  await machine.succeed(['publish', 'years', '--recursive', '--to', 'Years'])
  const analyses = await machine.json<Listed[]>(['ls', 'Years'])
  assert.deepEqual(
    analyses.map(({ kind, name }) => [kind, name]),
    [
      ['analysis', 'one'],
      ['analysis', 'two'],
    ],
  )
})

test('finds by words and by a picture', async () => {
  const [listed] = await machine.json<Listed[]>(['ls', means])
  assert.ok(listed)
  await waitForRevision(ada.figbase, listed.api_id, { indexed: true })
  const found = await machine.json<Listed[]>(['search', 'warm'])
  assert.ok(found.some(({ api_id }) => api_id === listed.api_id))
  const seen = await machine.json<Listed[]>(['search', '--image', 'm.svg', '--in', 'Climate'])
  assert.ok(seen.some(({ api_id }) => api_id === listed.api_id))
  assert.deepEqual(await machine.json(['search', 'xyzzyx']), [])
})

test('shares, comments and shows the log', async () => {
  const link = await machine.json<object>(['share', means, '--link'])
  assert.deepEqual({ ...link, url: '' }, { url: '', link: true, users: [] })
  const { users } = await machine.json<{ users: string[] }>([
    'share',
    means,
    '--user',
    grace.username,
  ])
  assert.deepEqual(users, [grace.username])
  assert.match(
    await machine.succeed(['share', means, '--link', '--off']),
    new RegExp(grace.username),
  )

  const comment = await machine.json<{ id: string }>(['comment', means, 'Which *unit*?'])
  await machine.succeed(['comment', means, '-', '--reply', comment.id], { input: 'Kelvin\n' })
  const comments = await machine.json<{ content: string }[]>(['comment', means])
  assert.deepEqual(
    comments.map(({ content }) => content),
    ['Which *unit*?', 'Kelvin'],
  )
  const log = await machine.json<{ action: string }[]>(['log', means, '--limit', '2'])
  assert.deepEqual(
    log.map(({ action }) => action),
    ['comment_create', 'comment_create'],
  )
  const { url: page } = await machine.json<{ url: string }>(['open', means, '--no-browser'])
  assert.equal((await fetch(page)).status, 401, 'only for those who are signed in')
})

test('compares two revisions', async () => {
  await copyFile(inFolder('m.svg'), inFolder('n.svg'))
  await write('n.py', 'plot(2)\n')
  await write('n.csv', 'month,mean,sd\n1,2,0\n2,3,1\n')
  for (const name of ['m', 'n']) {
    const all = ['svg', 'py', 'csv'].map((extension) => `${name}.${extension}`)
    for (const file of all) await copyFile(inFolder(file), inFolder(file.replace(name, 'same')))
    const files = ['same.svg', 'same.py', 'same.csv']
    await machine.succeed(['publish', ...files, '--to', `Climate/Diff/${name}`])
  }
  const found = await machine.json<Record<string, unknown>[]>([
    'diff',
    'Climate/Diff/m',
    'Climate/Diff/n',
  ])
  const [image, code, table] = found
  assert.deepEqual([image?.state, code?.state, table?.state], ['same', 'changed', 'changed'])
  assert.match(String(code?.patch), /-plot\(1\)\n\+plot\(2\)\n/)
  assert.deepEqual(table?.tables, {
    before: { rows: 1, columns: ['month', 'mean'] },
    after: { rows: 2, columns: ['month', 'mean', 'sd'] },
  })
  const shown = await machine.succeed(['diff', 'Climate/Diff/m', 'Climate/Diff/n'])
  assert.match(shown, /changed {2}dataframe {2}same\.csv {2}1 × 2 → 2 × 3 {2}\+sd\n/)
})

test('assets are published once', async () => {
  await write('station.csv', 'a\n1\n')
  const sync = ['assets', 'sync', 'station.csv', '--to', 'Climate']
  const [first] = await machine.json<{ api_id: string; is_new: boolean }[]>(sync)
  const [again] = await machine.json<{ api_id: string; is_new: boolean }[]>(sync)
  assert.deepEqual(again, { ...first, is_new: false })
  assert.equal(first?.is_new, true)
})

test('exports a story', async () => {
  const { api_id: workspace = '' } = (await find(ada.figbase, 'Climate')) ?? {}
  const body = { name: 'A warm year', workspace }
  const { api_id } = await ada.figbase.post('/story/', { body })
  await machine.succeed(['story', 'export', `${url}/story/${api_id}`])
  const zip = await readFile(inFolder('A warm year.zip'))
  assert.equal(zip.subarray(0, 2).toString(), 'PK')
})

test('publishes what is saved while it watches', async () => {
  await mkdir(inFolder('live'))
  const args = ['watch', 'live', '--to', 'Climate/Live']
  const child = spawn(process.execPath, [bundle, ...args], { ...machine.process, stdio: 'pipe' })
  const [ready] = await once(createInterface({ input: child.stderr }), 'line')
  assert.match(ready, /^Watching live/)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await write('live/a.svg', picture(40))
  await write('live/a.csv', 'x\n1\n')
  assert.match((await lines.next()).value, /^published {2}a {2}/)
  await write('live/a.svg', picture(41))
  assert.match((await lines.next()).value, /^published {2}a {2}/)
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  assert.equal((await machine.json<Listed[]>(['ls', 'Climate/Live/a'])).length, 2)
})

test('lists the figures of a workspace whose data has changed', async () => {
  await write('stale.svg', picture(60))
  await write('stale.csv', 'x\n1\n')
  const asset = ['--asset', 'stale.csv']
  await machine.succeed(['publish', 'stale.svg', '--to', 'Changing/Data', ...asset])
  const stale = () => machine.json<Listed[]>(['ls', '--stale', 'Changing'])
  assert.deepEqual(await stale(), [])
  await write('stale.csv', 'x\n2\n')
  await machine.succeed(['assets', 'sync', 'stale.csv', '--to', 'Changing'])
  assert.deepEqual(
    (await stale()).map(({ kind, name }) => [kind, name]),
    [['figure', 'stale']],
  )
  assert.equal((await machine.failWith(2, ['ls', '--stale'])).error, 'usage')
  assert.deepEqual(await machine.json(['search', 'means', '--stale']), [])
})

test('exit codes tell what went wrong', async () => {
  assert.equal((await machine.failWith(4, ['ls', 'Nowhere'])).error, 'not_found')
  assert.equal(
    (await machine.failWith(4, ['get', crypto.randomUUID(), '-o', '-'])).error,
    'not_found',
  )
  const { status } = await machine.failWith(5, ['share', means, '--user', 'nobody at all'])
  assert.equal(status, 400)
  const { api_id } = await findOrCreate(grace.figbase, 'Hers')
  assert.equal((await machine.failWith(3, ['ls', api_id])).status, 403)
})

for (const decision of ['allow', 'refuse'] as const) {
  test(`signs in through a page: ${decision}`, async () => {
    await using other = await newMachine()
    const args = ['login', '--url', url, '--no-browser', '--json']
    const child = spawn(process.execPath, [bundle, ...args], other.process)
    const ended = once(child, 'close')
    const output = text(child.stdout)
    const lines: string[] = []
    let page = ''
    for await (const line of createInterface(child.stderr)) {
      lines.push(line)
      page = page || (/http\S+/.exec(line)?.[0] ?? '')
      if (line.startsWith('It shows the code')) void decideOn(page, decision)
    }
    const [code] = await ended
    const printed = lines.join('\n') + (await output)
    if (decision === 'refuse') {
      assert.equal(code, 3, printed)
      assert.match(printed, /"error": "access_denied"/)
      return
    }
    assert.equal(code, 0, printed)
    assert.equal(JSON.parse(await output).username, ada.username)
    assert.equal((await other.json<{ username: string }>(['whoami'])).username, ada.username)
    const { profiles } = JSON.parse(await readFile(other.profiles, 'utf8'))
    assert.ok(!printed.includes(profiles[deployment.origin.host].key), 'the key was printed')
  })
}

/** What a person does: signs in at the page of the command, and decides. */
async function decideOn(page: string, decision: string): Promise<void> {
  const browser = createBrowser()
  const { username, password } = ada
  const form = await browser.submit(await browser.visit(page), { username, password })
  await browser.submit(form, { decision })
}

test('makes a key with name and password on a terminal only', async () => {
  const { error } = await machine.failWith(2, ['login', '--url', url, '--username', ada.username])
  assert.equal(error, 'usage')
})

test('forgets a profile', async () => {
  await using other = await newMachine()
  await other.succeed(['login', '--url', url, '--key', key, '--profile', 'mine'])
  await other.succeed(['login', '--url', url, '--key', key, '--profile', 'spare'])
  await other.succeed(['profiles', 'use', 'mine'])
  await other.succeed(['logout'])
  assert.deepEqual(
    (await other.json<{ name: string }[]>(['profiles'])).map(({ name }) => name),
    ['spare'],
  )
  await other.failWith(3, ['whoami'])
  await other.succeed(['whoami', '--profile', 'spare'])
  assert.ok(!other.printed().includes(key))
})
