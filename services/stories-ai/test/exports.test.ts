import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Code } from '@connectrpc/connect'
import { TaskFailed } from '@figbase/kit/tasks'
import { ExportFormat } from '@figbase/proto/stories'
import { sql } from 'kysely'
import { safeName } from '../src/exports/safe-name.js'
import { writeExport } from '../src/exports/write-export.js'
import { deleteExpired } from '../src/jobs/delete-expired.js'
import { purgeDeleted } from '../src/jobs/purge-deleted.js'
import { findExport, insertExport } from '../src/queries/exports.js'
import { ann, failureOf, type Started, start } from './test-service.js'

let at: Started
let storyId: string
before(async () => {
  at = await start({ STORY_EXPORTS_PER_USER_MAX: '3', STORY_EXPORT_BYTES_MAX: '20KiB' })
  storyId = (await at.create({ name: 'Spring' })).id
})
after(() => at[Symbol.asyncDispose]())

const signal = new AbortController().signal
const day = 24 * 60 * 60_000

async function inserted(of = storyId) {
  const id = randomUUID()
  const row = { id, storyId: of, owner: 'ann', format: 'markdown' as const }
  await at.ctx.transact((tx) => insertExport(tx, row, { keptMax: 100, retentionMs: day }))
  const found = await findExport(at.ctx.db, id, day)
  assert.ok(found)
  return found
}
const write = async (of?: string) => {
  const row = await inserted(of)
  return writeExport(at.ctx, row, { signal, progress: () => {} })
}
async function bytesOf(exportId: string) {
  const chunks: Uint8Array[] = []
  for await (const { part } of at.stories.readExport({ storyId, exportId }, ann)) {
    if (part.case === 'chunk') chunks.push(part.value)
  }
  return Buffer.concat(chunks)
}
const keys = async () => {
  const listed: string[] = []
  for await (const { key } of at.ctx.objects.list('exports/')) listed.push(key)
  return listed
}
const grow = (id: string, hours: number) =>
  sql`update story_export set created_on = now() - ${hours}::int * interval '1 hour' where id = ${id}`.execute(
    at.ctx.db,
  )

test('an export is deleted with its object when it has expired', async () => {
  const young = await write()
  const old = await write()
  assert.equal((await bytesOf(old.id)).length, old.sizeBytes)
  await grow(young.id, 23)
  await grow(old.id, 25)
  assert.equal((await failureOf(bytesOf(old.id))).code, Code.NotFound)
  assert.deepEqual((await keys()).length, 2)
  await deleteExpired.run(at.ctx, {}, signal, 1)
  assert.deepEqual(await keys(), [`exports/${young.id}`])
  assert.equal((await bytesOf(young.id)).length, young.sizeBytes)
  await grow(young.id, 25)
  await deleteExpired.run(at.ctx, {}, signal, 1)
  assert.deepEqual(await keys(), [])
})

test('a purged story leaves no export, and another one keeps its own', async () => {
  const other = await at.create({ name: 'Autumn' })
  const kept = await write()
  const gone = [await write(other.id), await write(other.id)]
  at.catalog.purgeable.push(other.id)
  await purgeDeleted.run(at.ctx, {}, signal, 1)
  assert.deepEqual(await keys(), [`exports/${kept.id}`])
  for (const { id } of gone) assert.equal(await findExport(at.ctx.db, id, day), undefined)
  await grow(kept.id, 25)
  await deleteExpired.run(at.ctx, {}, signal, 1)
})

test('an object without a row is deleted, and one with a row or of another service is not', async () => {
  const kept = await write()
  const bytes = async function* () {
    yield Buffer.from('x')
  }
  const foreign = [`exports/${randomUUID()}/x`, 'exports/note.txt']
  for (const key of [`exports/${randomUUID()}`, ...foreign]) await at.ctx.objects.put(key, bytes())
  await deleteExpired.run(at.ctx, {}, signal, 1)
  assert.deepEqual((await keys()).sort(), [`exports/${kept.id}`, ...foreign].sort())
  await at.ctx.objects.delete([...foreign])
  await grow(kept.id, 25)
  await deleteExpired.run(at.ctx, {}, signal, 1)
})

test('an export that expires while it is made leaves no object', async () => {
  const row = await inserted()
  await sql`delete from story_export where id = ${row.id}`.execute(at.ctx.db)
  await assert.rejects(writeExport(at.ctx, row, { signal, progress: () => {} }), TaskFailed)
  assert.deepEqual(await keys(), [])
})

test('an export that is too large fails with the maximum, and leaves no object', async () => {
  const slides = { slides: [{ type: 7, content: 'x'.repeat(30_000) }] }
  const { id } = await at.create({ slides })
  await assert.rejects(write(id), (error) => {
    return error instanceof TaskFailed && error.message.includes('20480 bytes')
  })
  assert.deepEqual(await keys(), [])
})

test('an export that was cancelled stops, and leaves no object', async () => {
  const row = await inserted()
  const cancelled = AbortSignal.abort()
  await assert.rejects(writeExport(at.ctx, row, { signal: cancelled, progress: () => {} }))
  assert.deepEqual(await keys(), [])
})

test('a user can have a limited number of exports', async () => {
  await sql`delete from story_export`.execute(at.ctx.db)
  const request = { storyId, format: ExportFormat.MARKDOWN }
  const all = await Promise.all(
    Array.from({ length: 6 }, () =>
      at.stories.exportStory(request, ann).then(
        () => 'made',
        () => 'refused',
      ),
    ),
  )
  assert.equal(all.filter((one) => one === 'made').length, 3, 'also at the same time')
  const failure = await failureOf(at.stories.exportStory(request, ann))
  assert.deepEqual([failure.code, failure.error], [Code.ResourceExhausted, 'too_many_exports'])
})

test('names of files have no special characters', () => {
  const names: [string, string][] = [
    ['Spring 2026', 'Spring-2026'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\x\0y', 'C-x-y'],
    ['-rf *', 'rf'],
    ['Été à Köln', 'Été-à-Köln'],
    ['\u202egnp.exe', 'gnp-exe'],
    ['NUL', 'figure'],
    ['…', 'figure'],
    ['a'.repeat(200), 'a'.repeat(60)],
  ]
  for (const [name, safe] of names) assert.equal(safeName(name, 'figure'), safe)
})
