import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { startFake } from './fake-server.js'
import { run } from './run-command.js'

const token = 'figbase_do_not_print_me'
const refused = (status: number, error: string) => ({ status, json: { error, detail: 'why' } })

for (const [status, error, code] of [
  [400, 'invalid_request', 5],
  [401, 'authentication_failed', 3],
  [403, 'permission_denied', 3],
  [404, 'not_found', 4],
  [409, 'conflict', 5],
  [413, 'too_large', 5],
  [500, 'internal', 1],
] as const) {
  test(`a ${status} of the server ends the command with ${code}`, async () => {
    await using server = await startFake({ 'GET /user/': refused(status, error) })
    const env = { FIGBASE_URL: server.url, FIGBASE_TOKEN: token }
    const told = await run(['whoami', '--json'], env)
    assert.equal(told.code, code, told.stderr)
    assert.equal(told.stdout, '')
    const { detail, ...rest } = JSON.parse(told.stderr)
    assert.deepEqual(rest, { error, status, requestId: 'r1' })
    assert.match(detail, /why/)
    assert.ok(!told.stderr.includes(token))
  })
}

test('an error is one line, with what to do', async () => {
  await using server = await startFake({ 'GET /user/': refused(401, 'authentication_failed') })
  const { stderr } = await run(['whoami'], { FIGBASE_URL: server.url, FIGBASE_TOKEN: token })
  const wanted = 'figbase: 401 authentication_failed: why. Sign in with: figbase login\n'
  assert.equal(stderr, wanted)
})

test('wrong use ends with 2, before any request', async () => {
  await using server = await startFake({})
  const env = { FIGBASE_URL: server.url, FIGBASE_TOKEN: token }
  for (const args of [
    ['nonsense'],
    ['publish', 'a.png'],
    ['get'],
    ['log', 'x', '--limit', 'many'],
    ['search'],
    ['search', 'x', '--by', 'guess'],
    ['ls', 'a/b/c/d'],
    ['login', '--key', 'a key'],
  ]) {
    const { code, stdout, stderr } = await run([...args, '--json'], env)
    assert.equal(code, 2, args.join(' '))
    assert.equal(stdout, '')
    assert.equal(JSON.parse(stderr).error, 'usage', args.join(' '))
  }
  assert.deepEqual(server.seen, [])
})

test('half of the environment is wrong use', async () => {
  const { code, stderr } = await run(['whoami'], { FIGBASE_TOKEN: token })
  assert.equal(code, 2)
  assert.match(stderr, /FIGBASE_URL is not set/)
})

test('help and version end with 0, and tell the version of the package', async () => {
  const { version } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  assert.deepEqual(await run(['--version']), { code: 0, stdout: `${version}\n`, stderr: '' })
  for (const args of [['--help'], ['publish', '--help'], ['story', 'export', '--help']]) {
    const { code, stdout } = await run(args)
    assert.equal(code, 0)
    assert.match(stdout, /^Usage: figbase /)
  }
})

test('what a server sends cannot command the terminal', async () => {
  const json = [{ username: 'ada\u001b[2J\u009b', first_name: '\u0007', last_name: '', email: '' }]
  await using server = await startFake({ 'GET /user/': { json } })
  const env = { FIGBASE_URL: server.url, FIGBASE_TOKEN: token }
  for (const args of [['whoami'], ['whoami', '--json']]) {
    const { code, stdout } = await run(args, env)
    assert.equal(code, 0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    assert.doesNotMatch(stdout, /[\u0000-\u0009\u001b\u007f-\u009f]/)
  }
})
