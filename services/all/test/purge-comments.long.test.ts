import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Author, program } from './support/author.js'
import { beginJob, inDatabase } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = { LOG_LEVEL: 'fatal', DELETED_RETENTION: '0s' }

test('purges comments with their target, also after a kill', async () => {
  const dataDir = await bench.dir()
  const author = new Author(await bench.start({ dataDir, env }))
  await author.signUp()
  const say = async (target_type: string, target_id: string, parent_comment_id?: string) => {
    const body = { target_type, target_id, content: 'A comment', parent_comment_id }
    return (await author.json<{ id: string }>('POST', 'comment/', body)).id
  }
  const [kept, figure] = [await author.newFigure(), await author.newFigure()]
  const { api_id: revision } = await author.publish(figure)
  await say('figure', kept)
  await say('figure', figure)
  // A batch deletes comments without replies: this takes three batches.
  const answer = await say('figure_revision', revision, await say('figure_revision', revision))
  const emoji = '👍'
  await author.json('POST', 'reaction/', {
    comment_id: await say('figure_revision', revision, answer),
    emoji,
  })
  const left = () =>
    inDatabase(dataDir, 'comments', async (client) => {
      const { rows } = await client.query(`select (select count(*)::int from target) as targets,
        (select count(*)::int from comment) as comments, (select count(*)::int from reaction) as reactions`)
      return rows[0]
    })
  assert.deepEqual(await left(), { targets: 3, comments: 5, reactions: 1 })
  assert.equal((await author.request('DELETE', `figure/${figure}/`)).status, 204)
  assert.equal(await author.launched.stop(), 0)

  const dying = await bench.start({ dataDir, env: { ...env, FAIL_AT: 'comments.write.after:2' } })
  await beginJob(dataDir, 'comments', 'purge-deleted')
  await until(() => dying.hasEnded(), 'the process to be killed')
  assert.equal(await dying.ended, 'SIGKILL')

  // The queue retries the job.
  author.launched = await bench.start({ dataDir, env })
  await until(async () => (await left()).targets === 1, 'the comments to be purged')
  assert.deepEqual(await left(), { targets: 1, comments: 1, reactions: 0 })
  const path = `comment/?target_type=figure&target_id=${kept}`
  assert.equal((await author.json<unknown[]>('GET', path)).length, 1)
  assert.equal(await author.launched.stop(), 0)
})
