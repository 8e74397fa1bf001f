import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Author, type Created, program } from './support/author.js'
import { around, createCrashAt, transaction } from './support/crash-at.js'
import { inDatabase } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the process while data of a figure is published, and while the links of a figure change. The figure is stale if
 * its links and the revisions of the asset say so, and each new revision of the asset is announced once.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())
const crashAt = createCrashAt(bench)

type Figure = Created & { is_stale: boolean }
type Revision = Created & { assets: { asset_revision: string }[] }

const linkTo = (id: string) => ({ assets: [{ asset_revision: id, use_type: 'direct' }] })

/** A figure that uses the first revision of an asset. */
async function prepare(author: Author, analysis: string, dataDir: string) {
  const { workspace } = await author.json<{ workspace: string }>('GET', `analysis/${analysis}/`)
  const { api_id: asset } = await author.json<Created>('POST', 'asset/', { name: 'd', workspace })
  const first = (await author.json<Created>('POST', 'asset_revision/', { asset })).api_id
  const figure = await author.json<Created>('POST', 'figure/', { name: randomUUID(), analysis })
  const body = { figure: figure.api_id, data: [], ...linkTo(first) }
  const revision = (await author.json<Created>('POST', 'revision/', body)).api_id
  return { asset, first, figure: figure.api_id, revision, dataDir }
}

const isStale = async (author: Author, figure: string) =>
  (await author.json<Figure>('GET', `figure/${figure}/`)).is_stale

/** How often the figure was announced, when no job is left. */
const announced = (dataDir: string, figure: string) =>
  inDatabase(dataDir, 'catalog', async (client) => {
    const left = "select from job where name = 'tell-stale'"
    await until(async () => (await client.query(left)).rowCount === 0, 'the announcement')
    const { rowCount } = await client.query(
      `select from (select message from outbox union all select message from outbox_sent) sent
        where message ->> 'name' = 'catalog.figure.stale.v1' and message ->> 'key' = $1`,
      [figure],
    )
    return rowCount
  })

for (const point of [
  ...around('revisions.write'),
  ...around('revisions.Activate'),
  ...around('catalog.write', 2),
  ...around('catalog.tell-stale'),
  ...transaction('catalog'),
]) {
  test(`a figure becomes stale although a process is killed at ${point}`, async () => {
    const client_id = randomUUID()
    await crashAt(
      point,
      prepare,
      async (author, { asset, dataDir, figure }) => {
        await author.json('POST', 'asset_revision/', { asset, client_id })
        await announced(dataDir, figure)
      },
      async (author, { asset, figure, dataDir }) => {
        await until(async () => {
          const { status } = await author.request('POST', 'asset_revision/', { asset, client_id })
          if (status === 201) return true
          assert.equal(status, 409)
          return (await author.request('GET', `asset_revision/${client_id}/`)).status === 200
        }, 'the reservation to be settled')
        assert.equal(await isStale(author, figure), true)
        assert.equal(await announced(dataDir, figure), 1)
      },
    )
  })
}

for (const point of [
  ...transaction('revisions'),
  ...around('revisions.ActivateUpdate'),
  ...transaction('catalog'),
]) {
  test(`a figure is as stale as its links say after a kill at ${point}`, async () => {
    await crashAt(
      point,
      async (author, analysis, dataDir) => {
        const place = await prepare(author, analysis, dataDir)
        const { asset } = place
        const second = (await author.json<Created>('POST', 'asset_revision/', { asset })).api_id
        await announced(dataDir, place.figure)
        return { ...place, second }
      },
      async (author, { revision, second }) =>
        void (await author.json('PATCH', `revision/${revision}/`, linkTo(second))),
      async (author, { revision, first, second, figure }, acknowledged) => {
        const { assets } = await author.json<Revision>('GET', `revision/${revision}/`)
        const used = assets[0]?.asset_revision
        assert.ok(used === second || (used === first && !acknowledged))
        await until(
          async () => (await isStale(author, figure)) === (used === first),
          'the links in catalog',
        )
      },
    )
  })
}
