import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Author, type Created, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { inDatabase } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process at each step of the creation and of an update of a story. After a restart there is no story or a
 * complete one, versions that were acknowledged are present, catalog has the name and the size of the current version,
 * and nothing stays pending.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())
const crashAt = createCrashAt(bench)

type Story = Created & { name: string; slides: { content: string }[]; size_bytes: number }
type Place = { dataDir: string; workspace: string }

async function newPlace(author: Author, _: string, dataDir: string): Promise<Place> {
  const { api_id: workspace } = await author.json<Created>('POST', 'workspace/', { name: 'W' })
  return { dataDir, workspace }
}

/** Runs `settle-story` now instead of 20 s after the request. */
const soon = `update job set run_at = now() where name = 'settle-story' and run_at > now()`

const pending = `
  select (select count(*) from "stories-ai".job where name = 'settle-story')
       + (select count(*) from "stories-ai".story_update)
       + (select count(*) from "stories-ai".story where not is_activated)
       + (select count(*) from catalog.node where type = 'story' and state = 'pending')
       + (select count(*) from catalog.update_hold) as count`

// Catalog counts updates only.
const different = `
  select s.id from "stories-ai".story s
    join "stories-ai".story_version v on v.story_id = s.id and v.version = s.version
    full join (select * from catalog.node where type = 'story') n on n.id = s.id
   where s.id is null or n.id is null or n.deleted_on is not null
      or (n.name, n.size_bytes, greatest(n.content_version, 1)) is distinct from (v.name, s.size_bytes, s.version::bigint)
      or s.size_bytes <> (select sum(size_bytes) from "stories-ai".story_version where story_id = s.id)`

/** Waits until nothing is pending; then catalog and the service have the same stories. */
async function settle({ dataDir }: Place) {
  await inDatabase(dataDir, 'stories-ai', async (client) => {
    await until(async () => {
      await client.query(soon)
      return Number((await client.query(pending)).rows[0]?.count) === 0
    }, 'the stories to be settled')
    assert.deepEqual((await client.query(different)).rows, [])
  })
}

const slides = (content: string) => [{ slide_type: 'custom', content }]
const contents = (story: Story) => story.slides.map(({ content }) => content)
const read = (author: Author, id: string) => author.json<Story>('GET', `story/${id}/`)

async function storiesIn(author: Author, { workspace }: Place) {
  return author.json<{ stories: Created[]; size_bytes: number }>('GET', `workspace/${workspace}/`)
}

/** Until the process is killed, because the job has no request. */
async function runsUntilKilled(author: Author, { dataDir }: Place, point: string) {
  if (!point.includes('settle-story')) return
  await inDatabase(dataDir, 'stories-ai', (client) => client.query(soon))
  await author.launched.ended
}

for (const point of [
  ...around('stories-ai.CheckAccess'),
  ...around('stories-ai.Reserve'),
  ...transaction('stories-ai'),
  ...around('stories-ai.Activate'),
  ...around('catalog.write', 2),
  ...around('stories-ai.write'),
  ...around('stories-ai.settle-story'),
]) {
  test(`creating a story survives a kill at ${point}`, async () => {
    const client_id = randomUUID()
    let isCreated = false
    const create = (author: Author, { workspace }: Place) =>
      author.request('POST', 'story/', { name: 'S', workspace, slides: slides('one'), client_id })
    await crashAt(
      point,
      newPlace,
      async (author, place) => {
        isCreated = (await create(author, place)).status === 201
        await runsUntilKilled(author, place, point)
      },
      async (author, place) => {
        const { status } = await author.request('GET', `story/${client_id}/`)
        assert.ok(status === 200 || (status === 404 && !isCreated), String(status))
        // Retries like a client without a response.
        await until(async () => {
          const { status } = await create(author, place)
          if (status === 201) return true
          assert.equal(status, 409)
          return (await author.request('GET', `story/${client_id}/`)).status === 200
        }, 'the reservation to be settled')
        await settle(place)
        const story = await read(author, client_id)
        assert.deepEqual([story.name, contents(story)], ['S', ['one']])
        const workspace = await storiesIn(author, place)
        assert.deepEqual(
          [workspace.stories.map(({ api_id }) => api_id), workspace.size_bytes],
          [[client_id], story.size_bytes],
        )
      },
    )
  })
}

for (const point of [
  ...around('stories-ai.ReserveUpdate'),
  ...transaction('stories-ai'),
  ...around('stories-ai.ActivateUpdate'),
  ...transaction('catalog'),
  ...around('stories-ai.write'),
  ...around('stories-ai.settle-story'),
]) {
  test(`updating a story survives a kill at ${point}`, async () => {
    let isUpdated = false
    await crashAt(
      point,
      async (author, analysis, dataDir) => {
        const place = await newPlace(author, analysis, dataDir)
        const body = { name: 'before', workspace: place.workspace, slides: slides('before') }
        const { api_id: id } = await author.json<Story>('POST', 'story/', body)
        await settle(place)
        return { ...place, id }
      },
      async (author, { id, ...place }) => {
        const body = { name: 'after', slides: slides('after') }
        isUpdated = (await author.request('PATCH', `story/${id}/`, body)).ok
        await runsUntilKilled(author, place, point)
      },
      async (author, { id, ...place }) => {
        const story = await read(author, id)
        const current = contents(story)[0]
        assert.ok(current === 'after' || (current === 'before' && !isUpdated), current)
        await settle(place)
        const settled = await read(author, id)
        assert.deepEqual([settled.name, contents(settled)], [current, [current]])
        const versions = await author.json<unknown[]>('GET', `story/${id}/history/`)
        assert.equal(versions.length, current === 'after' ? 2 : 1)
        const { stories, size_bytes } = await storiesIn(author, place)
        assert.deepEqual([stories.length, size_bytes], [1, settled.size_bytes])
      },
    )
  })
}
