import assert from 'node:assert/strict'
import {
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseArguments } from '../src/arguments.js'
import { runCommand } from './support/command.js'
import { Bench, isRoot, until } from './support/launched.js'

// With the stand-in product: a table that counts.
const bench = new Bench()
after(() => bench[Symbol.asyncDispose]())

let dataDir: string
let backups: string
/** A complete backup with one row. */
let backup: string
before(async () => {
  dataDir = await bench.dir()
  backups = await bench.dir()
  const figbase = await bench.start({ dataDir })
  await figbase.get('/write')
  await figbase.stop()
  const { code, output } = await runCommand(dataDir, ['backup', backups])
  assert.equal(code, 0, output)
  backup = join(backups, (await readdir(backups))[0] ?? '')
})

test('backs up and restores an installation that is not running', async () => {
  const target = join(await bench.dir(), 'new')
  const { code, output } = await runCommand(target, ['restore', backup])
  assert.equal(code, 0, output)
  const figbase = await bench.start({ dataDir: target })
  assert.equal(await figbase.get('/count'), '1')
  assert.equal(await figbase.stop(), 0)
  const key = (dir: string) => readFile(join(dir, 'secret-key'), 'utf8')
  assert.equal(await key(target), await key(dataDir))
})

test('rejects a backup directory inside the data directory', async () => {
  const link = join(await bench.dir(), 'link')
  await symlink(dataDir, link)
  for (const dir of [dataDir, join(dataDir, 'some', 'where'), join(link, 'backups')]) {
    const { code, output } = await runCommand(dataDir, ['backup', dir])
    assert.equal(code, 1)
    assert.match(output, /is inside the data directory/)
  }
  assert.ok(!(await readdir(dataDir)).includes('some'))
})

test('rejects backup and restore with an explanation when the source or target is unsuitable', async () => {
  const empty = await bench.dir()
  const cases: [string, string[], NodeJS.ProcessEnv, RegExp][] = [
    [empty, ['backup', backups], {}, /no Figbase installation found in/],
    [dataDir, ['restore', backup], {}, /is not empty: it contains /],
    [empty, ['restore', backups], {}, /is not a complete backup/],
    [empty, ['restore', join(backups, 'none')], {}, /is not a complete backup/],
    [dataDir, ['backup', backups], { DATABASE_URL: 'postgres://127.0.0.1:1/x' }, /Use pg_dump/],
    [
      empty,
      ['restore', backup],
      { DATABASE_URL: 'postgres://127.0.0.1:1/x' },
      /restore supports the built-in PostgreSQL only/,
    ],
  ]
  for (const [dir, args, env, expected] of cases) {
    const { code, output } = await runCommand(dir, args, env)
    assert.equal(code, 1)
    assert.match(output, expected)
  }
  assert.deepEqual(await readdir(empty), [])
})

test('reports why the backup directory cannot be created, before anything is started', async () => {
  const file = join(await bench.dir(), 'file')
  await writeFile(file, '')
  const places = process.platform === 'linux' ? [file, join(file, 'x'), '/proc/figbase'] : [file]
  for (const dir of places) {
    const begun: string[] = []
    const { code, output } = await runCommand(dataDir, ['backup', dir], {}, begun)
    assert.equal(code, 1)
    assert.match(output, /cannot create the backup directory .*: E[A-Z]+: /)
    assert.deepEqual(begun, [])
  }
})

/** A modified copy of the backup. */
async function changed(change: (copy: string) => Promise<void>): Promise<string> {
  const copy = join(await bench.dir(), 'copy')
  await cp(backup, copy, { recursive: true })
  await change(copy)
  return copy
}

const withManifest = (replace: (text: string) => string) =>
  changed(async (copy) => {
    const file = join(copy, 'manifest.json')
    await writeFile(file, replace(await readFile(file, 'utf8')))
  })

test('rejects a backup of another platform, PostgreSQL version or manifest format', async () => {
  const cases: [Promise<string>, RegExp][] = [
    [
      withManifest((text) => text.replace(/"platform": "[^"]*"/, '"platform": "sunos-sparc"')),
      /sunos-sparc/,
    ],
    [withManifest((text) => text.replace(/"postgres": "\d+"/, '"postgres": "9"')), /PostgreSQL 9/],
    [
      withManifest((text) => text.replace('"format": 1', '"format": 2')),
      /written by a newer Figbase/,
    ],
    [withManifest((text) => text.slice(0, 50)), /is damaged/],
  ]
  for (const [copy, expected] of cases) {
    const target = await bench.dir()
    const { code, output } = await runCommand(target, ['restore', await copy])
    assert.equal(code, 1)
    assert.match(output, expected)
    assert.deepEqual(await readdir(target), [])
  }
})

test('detects an incomplete backup, and does not start the partial restore', async () => {
  const logOf = async (copy: string) => {
    const dir = join(copy, 'database', 'pg_wal')
    const names = (await readdir(dir)).filter((name) => /^[0-9A-F]{24}$/.test(name))
    return join(dir, names.sort().at(-1) ?? '')
  }
  const cases: [Promise<string>, RegExp][] = [
    [changed((copy) => rm(join(copy, 'database', 'PG_VERSION'))), /database has \d+ files/],
    [changed(async (copy) => truncate(await logOf(copy), 1000)), /database has \d+ files/],
    [
      changed(async (copy) => writeFile(await logOf(copy), Buffer.alloc(16 * 1024 * 1024))),
      /could not locate|its write-ahead log is incomplete/,
    ],
  ]
  for (const [copy, expected] of cases) {
    const target = await bench.dir()
    const { code, output } = await runCommand(target, ['restore', await copy])
    assert.equal(code, 1)
    assert.match(output, expected)
    const started = await runCommand(target, [])
    assert.equal(started.code, 1)
    assert.match(started.output, /the restore of a backup into .* has not completed/)
  }
})

const drafts = async (dir: string) =>
  (await readdir(dir)).filter((name) => name.endsWith('.incomplete'))

test('rejects an interrupted backup, and removes it with the next backup', async () => {
  const dir = await bench.dir()
  const killed = bench.launch({ dataDir, args: ['backup', dir] })
  // The installation file is written first.
  const isBegun = async () => {
    const [draft = ''] = await drafts(dir)
    const owner = await readFile(join(dir, draft, 'installation'), 'utf8').catch(() => '')
    return owner !== ''
  }
  await until(isBegun, 'the backup to begin')
  killed.child.kill('SIGKILL')
  await killed.ended
  const [draft = ''] = await drafts(dir)
  const refused = await runCommand(await bench.dir(), ['restore', join(dir, draft)])
  assert.equal(refused.code, 1)
  assert.match(refused.output, /is not a complete backup/)

  const others = join(dir, '2020-01-01T00-00-00Z.incomplete')
  await cp(join(dir, draft), others, { recursive: true })
  await writeFile(join(others, 'installation'), '1\n')
  const { code, output } = await runCommand(dataDir, ['backup', dir])
  assert.equal(code, 0, output)
  assert.match(output, /removed 1 incomplete backup/)
  const left = (await readdir(dir)).sort()
  assert.equal(left.length, 2)
  assert.equal(left[0], '2020-01-01T00-00-00Z.incomplete')
})

test('SIGTERM stops a backup, which leaves no files and keeps the server running', async () => {
  const dir = await bench.dir()
  const figbase = await bench.start({ dataDir })
  const stopped = bench.launch({ dataDir, args: ['backup', dir] })
  await until(async () => (await drafts(dir)).length === 1, 'the backup to begin')
  stopped.child.kill('SIGTERM')
  assert.equal(await stopped.ended, 1)
  assert.match(stopped.output, /SIGTERM: command interrupted/)
  assert.deepEqual(await readdir(dir), [])
  assert.equal(await figbase.get('/count'), '1')
  assert.equal(await figbase.stop(), 0)
})

test('rejects a second concurrent backup', async () => {
  const dir = await bench.dir()
  const figbase = await bench.start({ dataDir })
  const first = bench.launch({ dataDir, args: ['backup', dir] })
  await until(async () => (await drafts(dir)).length === 1, 'the backup to begin')
  const second = await runCommand(dataDir, ['backup', await bench.dir()])
  assert.equal(second.code, 1)
  assert.match(second.output, /another backup or rotate-keys is running/)
  assert.equal(await first.ended, 0, first.output)
  assert.equal(await figbase.stop(), 0)
})

test('rejects commands on a data directory with an interrupted restore', async () => {
  const target = await bench.dir()
  const killed = bench.launch({ dataDir: target, args: ['restore', backup] })
  await until(async () => (await readdir(target)).includes('restoring'), 'the restore to begin')
  killed.child.kill('SIGKILL')
  await killed.ended
  for (const args of [[], ['backup', await bench.dir()], ['restore', backup]]) {
    const { code, output } = await runCommand(target, args)
    assert.equal(code, 1)
    assert.match(output, /has not completed|is not empty|no Figbase installation/)
  }
})

test('rejects invalid arguments', () => {
  const cases: [string[], RegExp][] = [
    [['backup'], /takes the directory/],
    [['backup', 'a', 'b'], /takes the directory/],
    [['backup', 'a', '--keep', '0'], /--keep must be a positive integer/],
    [['backup', 'a', '--all'], /Unknown option '--all'/],
    [['restore'], /takes the directory of one backup/],
    [['restore', 'a', '--keep', '1'], /Unknown option '--keep'/],
    [['--keep', '1'], /Unknown command '--keep'/],
  ]
  for (const [args, expected] of cases) assert.throws(() => parseArguments(args), expected)
})

test('a backup has the files of notebooks only if asked for, and nothing that their links lead to', async () => {
  const id = '8f3b1c9e-6a51-4d5c-9d2a-0c7e1b2a3f44'
  const uid = 1_900_000_000
  const instance = join(dataDir, 'compute', id)
  const volume = join(instance, 'volume')
  await mkdir(join(volume, 'data'), { recursive: true })
  await writeFile(join(volume, 'data', 'table.csv'), 'a,b', { mode: 0o640 })
  await symlink(join(dataDir, 'secret-key'), join(volume, 'key'))
  await symlink(dataDir, join(volume, 'all'))
  await mkdir(join(instance, 'tmp'))
  await writeFile(join(instance, 'tmp', 'scratch'), '')
  await writeFile(join(instance, 'uid'), `${uid}\n`)
  if (isRoot) await chown(join(volume, 'data', 'table.csv'), uid, uid)

  const made = await bench.dir()
  const backUp = async (...options: string[]) => {
    const { code, output } = await runCommand(dataDir, ['backup', made, ...options])
    assert.equal(code, 0, output)
    return { path: join(made, (await readdir(made)).sort().at(-1) ?? ''), output }
  }
  assert.ok(!(await readdir((await backUp()).path)).includes('volumes'))
  const { path, output } = await backUp('--with-volumes')
  assert.match(output, /volumes {3}1 instances, /)
  const [archive = '', ...others] = await readdir(join(path, 'volumes'))
  assert.deepEqual([archive, others], [`${id}.tar`, []])
  assert.equal((await stat(join(path, 'volumes', archive))).mode & 0o777, 0o600)

  const target = join(await bench.dir(), 'new')
  const elsewhere = { COMPUTE_LOCAL_DIR: join(await bench.dir(), 'notebooks') }
  const restored = await runCommand(target, ['restore', path], elsewhere)
  assert.equal(restored.code, 0, restored.output)
  const found = join(elsewhere.COMPUTE_LOCAL_DIR, id)
  assert.deepEqual((await readdir(found)).sort(), ['run.json', 'uid', 'volume'])
  const table = join(found, 'volume', 'data', 'table.csv')
  assert.equal(await readFile(table, 'utf8'), 'a,b')
  const { mode, uid: owner } = await stat(table)
  assert.deepEqual([mode & 0o777, owner], [0o640, isRoot ? uid : process.getuid?.()])
  for (const link of ['key', 'all']) {
    assert.ok((await lstat(join(found, 'volume', link))).isSymbolicLink())
  }
  const again = await runCommand(await bench.dir(), ['restore', path], elsewhere)
  assert.equal(again.code, 1)
  assert.match(again.output, /is not empty: it contains the instance/)
  const kubernetes = { COMPUTE_DRIVER: 'kubernetes' }
  const refused = await runCommand(dataDir, ['backup', made, '--with-volumes'], kubernetes)
  assert.match(refused.output, /supports the driver `local` only/)
})
