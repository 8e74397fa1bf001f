import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '@figbase/kit/testing'
import { Author, program } from './support/author.js'
import { runCommand } from './support/command.js'
import { Bench, until } from './support/launched.js'

const bench = new Bench(program)
let database: TestDatabase
let dataDir: string
let env: { DATABASE_URL: string; LOG_LEVEL: string }

before(async () => {
  database = await createTestDatabase()
  dataDir = await bench.dir()
  env = { DATABASE_URL: database.url, LOG_LEVEL: 'fatal' }
})
after(async () => {
  await bench[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function fileWith(password: string): Promise<string> {
  const file = join(await bench.dir(), 'password')
  await writeFile(file, `${password}\n`)
  return file
}

const createAdmin = (...args: string[]) => runCommand(dataDir, ['create-admin', ...args], env)

const grace = ['grace', '--email', 'grace@example.org', '--password-file']

test('reports that the database schema is not up to date', async () => {
  const { code, output } = await createAdmin(...grace, await fileWith('correct horse'))
  assert.equal(code, 1)
  assert.match(output, /schema is not up to date.*Run figbase-server migrate/s)
})

test('creates and promotes administrators and sets a password while Figbase runs', async () => {
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const made = await createAdmin(...grace, await fileWith('correct horse'))
  assert.deepEqual(made, { code: 0, output: 'created administrator grace' })
  assert.ok(await author.signIn({ username: 'grace', password: 'correct horse' }))
  const isOwn = async () => (await author.json<object[]>('GET', 'workspace/')).length === 1
  await until(isOwn, 'the workspace of the new account')
  assert.equal((await author.request('POST', 'plan/', { name: 'Group' })).status, 201)

  assert.deepEqual(await createAdmin('ada'), { code: 0, output: 'ada is an administrator' })
  assert.ok(await author.signIn({ username: 'ada', password: 'correct horse' }))
  assert.equal((await author.request('POST', 'plan/', { name: 'Other' })).status, 201)

  const changed = await createAdmin('ada', '--password-file', await fileWith('battery staple'))
  assert.equal(changed.output, 'ada is an administrator, with the new password')
  assert.ok(!(await author.signIn({ username: 'ada', password: 'correct horse' })))
  assert.ok(await author.signIn({ username: 'ada', password: 'battery staple' }))
  assert.equal(await author.launched.stop(), 0)
})

test('rejects invalid fields like sign-up, naming the field', async () => {
  const good = await fileWith('correct horse')
  const cases: [string[], RegExp][] = [
    [
      ['eve', '--email', 'eve@example.org', '--password-file', await fileWith('short')],
      /password: /,
    ],
    [
      ['eve', '--email', 'eve@example.org', '--password-file', await fileWith('password')],
      /password: is too common/,
    ],
    [['eve', '--email', 'eve', '--password-file', good], /email: is not an e-mail address/],
    [['eve', '--password-file', good], /account eve not found: pass --email to create it/],
    [['eve'], /account eve not found/],
    [['e ve', '--email', 'eve@example.org', '--password-file', good], /username: must be/],
    [
      ['ADA', '--email', 'eve@example.org', '--password-file', good],
      /username: is taken by .* differs only in case/,
    ],
    [['ada', '--email', 'eve@example.org'], /email: applies to new accounts only/],
    [['eve', '--email', 'eve@example.org', '--password-file', join(dataDir, 'none')], /ENOENT/],
    [[], /create-admin takes a username/],
  ]
  for (const [args, message] of cases) {
    const { code, output } = await createAdmin(...args)
    assert.equal(code, 1, args.join(' '))
    assert.match(output, message)
  }
})

test('reports invalid arguments and settings before PostgreSQL is started', async () => {
  const started: string[] = []
  const empty = await bench.dir()
  await mkdir(join(empty, 'postgres'))
  const cases: [string[], NodeJS.ProcessEnv, RegExp][] = [
    [['eve', '--password-file', join(dataDir, 'none')], {}, /--password-file: ENOENT/],
    [['eve', '--password-file', await fileWith('short')], {}, /password: must have/],
    [['eve', '--email', 'eve'], {}, /email: is not an e-mail address/],
    [['e ve'], {}, /username: must be/],
    [['eve'], { API_KEYS_MAX: 'many' }, /API_KEYS_MAX: 'many' is not valid/],
  ]
  for (const [args, settings, message] of cases) {
    const { code, output } = await runCommand(empty, ['create-admin', ...args], settings, started)
    assert.equal(code, 1, args.join(' '))
    assert.match(output, message)
  }
  assert.deepEqual(started, [])
})

test('reads the password from standard input, never from the command line', async () => {
  const args = ['create-admin', 'linus', '--email', 'linus@example.org', '--password-file', '-']
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, FIGBASE_DATA_DIR: dataDir, ...env },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.stdin.end('correct horse\n')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  const { output } = await createAdmin('linus', '--password', 'correct horse')
  assert.match(output, /Unknown option '--password'/)
  const nobody = bench.launch({
    dataDir,
    args: ['create-admin', 'eve', '--email', 'eve@example.org'],
    env,
  })
  assert.equal(await nobody.ended, 1)
  assert.match(nobody.output, /standard input is not a terminal/)
})
