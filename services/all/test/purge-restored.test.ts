import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Author, program } from './support/author.js'
import { inDatabase, runJob } from './support/in-database.js'
import { Bench } from './support/launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

test('never purges restored figures, and does not restore purged ones', async () => {
  const dataDir = await bench.dir()
  const author = new Author(await bench.start({ dataDir, env: { LOG_LEVEL: 'fatal' } }))
  await author.signUp()
  const figures = [await author.newFigure(), await author.newFigure()]
  const [kept = '', gone = ''] = figures
  const revisions = [await author.publish(kept), await author.publish(gone)]
  const [safe, lost] = revisions
  assert.ok(safe && lost)
  const path = (figure: string) => `comment/?target_type=figure&target_id=${figure}`
  for (const figure of figures) {
    const comment = { target_type: 'figure', target_id: figure, content: 'A comment' }
    await author.json('POST', 'comment/', comment)
    assert.equal((await author.request('DELETE', `figure/${figure}/`)).status, 204)
  }
  const comments = async () => {
    const sql = 'select target_id from comment order by created_on'
    const { rows } = await inDatabase(dataDir, 'comments', (client) => client.query(sql))
    return rows.map((row) => row.target_id)
  }
  const purge = async () => {
    await runJob(dataDir, 'revisions', 'purge-deleted')
    await runJob(dataDir, 'comments', 'purge-deleted')
  }
  // The retention of one figure is over; it can no longer be restored.
  const expire = (figure: string) =>
    inDatabase(dataDir, 'catalog', (client) =>
      client.query(
        `update tombstone set deleted_on = deleted_on - interval '31 days' where node_id = $1`,
        [figure],
      ),
    )
  await expire(gone)
  await purge()
  assert.deepEqual(await comments(), [kept])
  const refusal = await author.request('POST', `figure/${gone}/restore/`)
  assert.deepEqual(
    [refusal.status, ((await refusal.json()) as { error: string }).error],
    [409, 'already_purged'],
  )
  await author.json('POST', `figure/${kept}/restore/`)
  await purge()
  await author.isIntact(safe)
  assert.equal((await author.json<unknown[]>('GET', path(kept))).length, 1)
  const rows = await inDatabase(dataDir, 'revisions', (client) =>
    client.query<{ id: string }>('select id from revision'),
  )
  assert.deepEqual(
    rows.rows.map(({ id }) => id),
    [safe.api_id],
  )
  assert.equal(await author.launched.stop(), 0)
})
