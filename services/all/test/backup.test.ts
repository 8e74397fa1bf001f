import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Author, type Created, pixels, program } from './support/author.js'
import { Bench, type Launched } from './support/launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d' }

/** Between the writes of one writer: a backup takes seconds, and each write costs processor time here and when it is read. */
const pauseMs = 50

type Written = { revision: Created; bytes: Buffer; at: number }

/** Publishes until stopped, and records when each publication was acknowledged. */
function startWriting(author: Author, figure: string) {
  const written: Written[] = []
  let isRunning = true
  const write = async () => {
    while (isRunning) {
      const bytes = randomBytes(20_000)
      const data = [
        { name: 'image', type: 'image', data: pixels },
        { name: 'table', type: 'file', data: bytes.toString('base64') },
      ]
      const revision = await author.json<Created>('POST', 'revision/', { figure, data })
      written.push({ revision, bytes, at: Date.now() })
      await sleep(pauseMs)
    }
  }
  const ended = Promise.all([write(), write(), write()])
  return {
    written,
    async stop() {
      isRunning = false
      await ended
    },
  }
}

async function ended(launched: Launched): Promise<string> {
  assert.equal(await launched.ended, 0, launched.output)
  return launched.output
}

const bytesOf = async (author: Author, { revision }: Written) => {
  const [, table] = revision.data
  const response = await author.request('GET', `data/${table?.api_id}/?dl=1`)
  return response.status === 200 ? Buffer.from(await response.arrayBuffer()) : undefined
}

async function filesBelow(dir: string) {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const { ino, mode, nlink } = await stat(path)
      return { path, ino, mode: mode & 0o777, nlink }
    }),
  )
}

test('a backup contains all writes acknowledged before its end, under concurrent writes', async () => {
  const dataDir = await bench.dir()
  const backups = join(await bench.dir(), 'backups')
  const run = (...args: string[]) => ended(bench.launch({ dataDir, env, args }))
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const figure = await author.newFigure()
  await author.isIntact(await author.publish(figure))

  const volume = join(dataDir, 'compute', 'an-instance', 'volume')
  await mkdir(volume, { recursive: true })
  await writeFile(join(volume, 'of-a-notebook'), '')
  const writing = startWriting(author, figure)
  const first = await run('backup', backups)
  assert.match(first, /the backup is complete/)
  const second = await run('backup', backups)
  await writing.stop()
  assert.match(second, /objects {3}\d+ files, .* copied, \d+ files, .* unchanged since \d{4}-/)

  const [one = '', two = ''] = (await readdir(backups)).sort()
  const objectsOf = async (name: string) => {
    const dir = join(backups, name, 'objects')
    return new Map((await filesBelow(dir)).map((file) => [file.path.slice(dir.length), file]))
  }
  const [before, now] = [await objectsOf(one), await objectsOf(two)]
  // Objects that were only staged are gone by now.
  const inBoth = [...before].filter(([key]) => now.has(key))
  assert.ok(inBoth.length > 3 && now.size > inBoth.length)
  for (const [key, { ino, nlink }] of inBoth) {
    assert.deepEqual([nlink, now.get(key)?.ino], [2, ino], key)
  }
  const copied = [...now.values()].filter(({ nlink }) => nlink === 1)
  assert.equal(copied.length, now.size - inBoth.length)
  for (const { path, mode } of await filesBelow(backups)) {
    assert.equal(mode, 0o600, path)
    assert.doesNotMatch(path, /of-a-notebook/)
  }

  const manifest = JSON.parse(await readFile(join(backups, two, 'manifest.json'), 'utf8'))
  assert.match(await run('backup', backups, '--keep', '2'), /removed {3}1 older/)
  assert.ok((await readdir(backups)).length === 2 && !(await readdir(backups)).includes(one))
  const password = (await readFile(join(dataDir, 'admin-password'), 'utf8')).trim()
  await author.signIn({ username: 'admin', password })
  const page = await fetch(`${author.launched.url}/admin/services/`, {
    headers: { authorization: `Bearer ${author.token}`, connection: 'close' },
  })
  const shown = await page.text()
  assert.ok(shown.indexOf(two) > 0 && shown.indexOf(two) < shown.indexOf(one))
  await author.launched.stop()

  const upTo = Date.parse(manifest.madeOn)
  const acknowledged = () => writing.written.filter(({ at }) => at < upTo)
  const restored = await bench.dir()
  const restoring = bench.launch({
    dataDir: restored,
    env,
    args: ['restore', join(backups, two)],
  })
  assert.match(await ended(restoring), /^restored .*no problems found/ms)
  const check = (...args: string[]) => ended(bench.launch({ dataDir: restored, env, args }))
  const report = await check('fsck', '--verify', '--json', '--rate', '1GiB')
  // Progress output surrounds the JSON.
  const verified = JSON.parse(report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1))
  assert.deepEqual(verified.findings, [])
  const [{ blobs, verified: read, orphans }] = verified.storages
  assert.deepEqual([read, orphans], [blobs, 0])
  assert.ok(blobs > acknowledged().length)
  author.launched = await bench.start({ dataDir: restored, env })
  await author.signIn({ username: 'ada', password: 'correct horse' })
  assert.ok(acknowledged().length > 5 && acknowledged().length < writing.written.length)
  for (const each of acknowledged()) {
    assert.ok((await bytesOf(author, each))?.equals(each.bytes), each.revision.api_id)
  }
  await author.isIntact(acknowledged().at(-1)?.revision ?? assert.fail())
  for (const each of writing.written.filter(({ at }) => at >= upTo)) {
    const bytes = await bytesOf(author, each)
    assert.ok(bytes === undefined || bytes.equals(each.bytes))
  }
  await author.isIntact(await author.publish(figure))
  assert.match(await check('collect'), /^default: deleted 0 unreferenced objects/m)
  assert.match(await check('fsck'), /no problems found$/m)
  await author.launched.stop()
})
