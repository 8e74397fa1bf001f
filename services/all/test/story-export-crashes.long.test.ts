import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Author, type Created, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { beginJob, inDatabase, runJob } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process at each step of an export of a story, and of the deletion of exports. After a restart the task is
 * made again and succeeds, or says that it failed; no object is without a row, and no temporary directory is left.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())
const temporary = bench.dir()
const crashAt = createCrashAt(bench, { TMPDIR: await temporary })

type Place = { dataDir: string; story: string }
type Task = { status: string; error: string | null; result: { url: string; size_bytes: number } }

const circle =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><circle cx="30" cy="20" r="9"/></svg>'

/** A story of two figures, one of them with an SVG only. */
async function newStory(author: Author, analysis: string, dataDir: string): Promise<Place> {
  const place = await author.json<{ workspace: string }>('GET', `analysis/${analysis}/`)
  const figure = await author.json<Created>('POST', 'figure/', { name: 'F', analysis })
  const first = await author.publish(figure.api_id)
  const svg = {
    name: 'figure',
    type: 'image',
    metadata: { format: 'svg' },
    data: Buffer.from(circle).toString('base64'),
  }
  const second = await author.json<Created>('POST', 'revision/', {
    figure: figure.api_id,
    data: [svg],
  })
  await author.isIntact(first)
  const slides = [first, second].map(({ api_id }) => ({
    slide_type: 'figure',
    revision_id: api_id,
    content: 'x',
  }))
  const body = { name: 'S', workspace: place.workspace, slides }
  const { api_id: story } = await author.json<Created>('POST', 'story/', body)
  await expire(dataDir)
  return { dataDir, story }
}

/** Deletes the exports of the tests before. */
async function expire(dataDir: string) {
  await setRows(dataDir, aged)
  await runJob(dataDir, 'stories-ai', 'delete-expired-exports')
}

const aged = `update story_export set created_on = now() - interval '2 days'`
const setRows = (dataDir: string, sql: string) =>
  inDatabase(dataDir, 'stories-ai', (client) => client.query(sql))

const taskOf = (author: Author, id: string) => author.json<Task>('GET', `tasks/${id}/`)

const start = async (author: Author, story: string, format: string) =>
  (await author.json<{ task_id: string }>('POST', `story/${story}/export/`, { format })).task_id

async function finished(author: Author, id: string): Promise<Task> {
  await until(async () => {
    const { status } = await taskOf(author, id)
    return status !== 'PENDING' && status !== 'STARTED'
  }, 'the end of the export')
  return taskOf(author, id)
}

async function isDownloaded(author: Author, { result }: Task) {
  const response = await fetch(new URL(result.url, author.launched.url), {
    headers: { authorization: `Bearer ${author.token}`, connection: 'close' },
  })
  assert.equal(response.status, 200)
  assert.equal((await response.arrayBuffer()).byteLength, result.size_bytes)
}

const objectsIn = (dataDir: string) => readdir(join(dataDir, 'objects', 'exports')).catch(() => [])

/** Objects are those of the rows, and nothing else is left. */
async function isTidy({ dataDir }: Place, { leavesRows }: { leavesRows: boolean }) {
  await inDatabase(dataDir, 'stories-ai', async (client) => {
    await until(async () => {
      const { rowCount } = await client.query(`select from job where name = 'export-story'`)
      return rowCount === 0
    }, 'no export to be left in the queue')
    const { rows } = await client.query('select id, size_bytes from story_export order by id')
    const ids = rows.map(({ id }) => String(id))
    assert.deepEqual((await objectsIn(dataDir)).sort(), ids)
    assert.ok(rows.every(({ size_bytes }) => size_bytes !== null))
    assert.equal(ids.length > 0, leavesRows)
  })
  const left = (await readdir(await temporary)).filter((name) => name.startsWith('figbase-export'))
  assert.deepEqual(left, [])
}

// The first calls of the service are those of the request and of the story; then two figures are read.
const steps = [
  ...around('stories-ai.CheckAccess'),
  ...transaction('stories-ai'),
  ...around('stories-ai.StartTask'),
  ...around('stories-ai.export-story'),
  ...around('stories-ai.GetRevision', 2),
  ...around('stories-ai.ReadThumbnail', 2),
  ...around('stories-ai.put'),
  ...around('stories-ai.write'),
]

for (const format of ['pptx', 'markdown']) {
  for (const point of steps) {
    test(`an export as ${format} survives a kill at ${point}`, async () => {
      let task: string | undefined
      await crashAt(
        point,
        newStory,
        async (author, { story }) => {
          task = await start(author, story, format)
          await author.launched.ended
        },
        async (author, place) => {
          // A client without a response asks again.
          const isLost = task === undefined
          task ??= await start(author, place.story, format)
          const done = await finished(author, task)
          assert.equal(done.status, 'SUCCESS', done.error ?? '')
          await isDownloaded(author, done)
          await until(async () => {
            const sizes = await setRows(place.dataDir, 'select size_bytes from story_export')
            return sizes.rows.every(({ size_bytes }) => size_bytes !== null)
          }, 'an export whose client is gone')
          await isTidy(place, { leavesRows: true })
          if (!isLost) assert.equal((await objectsIn(place.dataDir)).length, 1)
        },
      )
    })
  }
}

for (const point of [
  ...around('stories-ai.delete-expired-exports'),
  ...around('stories-ai.delete'),
  ...around('stories-ai.write'),
]) {
  test(`expired exports are deleted after a kill at ${point}`, async () => {
    await crashAt(
      point,
      async (author, analysis, dataDir) => {
        const place = await newStory(author, analysis, dataDir)
        for (const format of ['pptx', 'markdown']) {
          await finished(author, await start(author, place.story, format))
        }
        await setRows(dataDir, aged)
        return place
      },
      async (author, { dataDir }) => {
        await beginJob(dataDir, 'stories-ai', 'delete-expired-exports')
        await author.launched.ended
      },
      async (_, place) => {
        await runJob(place.dataDir, 'stories-ai', 'delete-expired-exports')
        await isTidy(place, { leavesRows: false })
      },
    )
  })
}

test('an export whose process is killed three times says that it failed', async () => {
  // The last attempt ends the process as the ones before did.
  const dataDir = await bench.dir()
  const env = { LOG_LEVEL: 'fatal', ACCESS_TOKEN_LIFETIME: '1d', TMPDIR: await temporary }
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const figure = await author.json<{ analysis: string }>(
    'GET',
    `figure/${await author.newFigure()}/`,
  )
  const place = await newStory(author, figure.analysis, dataDir)
  assert.equal(await author.launched.stop(), 0)
  let task = ''
  for (let kills = 1; kills <= 3; kills++) {
    const launched = bench.launch({ dataDir, env: { ...env, FAIL_AT: 'stories-ai.put.after' } })
    author.launched = launched
    await until(() => launched.output.includes('Figbase is ready') || launched.hasEnded(), 'ready')
    if (!launched.hasEnded() && !task) task = await start(author, place.story, 'pptx')
    assert.equal(await launched.ended, 'SIGKILL')
  }
  author.launched = await bench.start({ dataDir, env })
  const { status, error } = await finished(author, task)
  assert.equal(status, 'FAILURE')
  assert.match(error ?? '', /its process ended/)
  await expire(dataDir)
  await isTidy(place, { leavesRows: false })
  assert.equal(await author.launched.stop(), 0)
})
