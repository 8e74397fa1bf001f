import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Author, type Created, program } from './support/author.js'
import { runCommand } from './support/command.js'
import { inDatabase, runJob } from './support/in-database.js'
import { Bench, until } from './support/launched.js'

/**
 * Kills the garbage collection at each step. No row loses its object, and the next collection completes the work.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const env = {
  LOG_LEVEL: 'fatal',
  ACCESS_TOKEN_LIFETIME: '1d',
  COLLECT_GRACE: '0s',
  DATA_RETENTION: '0s',
  DELETED_RETENTION: '0s',
}

/** The first occurrence deletes blobs, the second thumbnails of a changed revision. */
const points = ['delete.before', 'delete.after']
  .flatMap((point) => [`${point}:1`, `${point}:2`])
  .concat(['write.before', 'write.after', 'tx.begun', 'tx.committing', 'tx.committed'])

const another = 'R0lGODlhAQABAIAAAP8AAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const place = bench.dir()
let author: Author | undefined
let figure = ''

for (const point of points) {
  test(`a collection killed at revisions.${point} loses no object and leaves no garbage`, async () => {
    const dataDir = await place
    const launched = await bench.start({ dataDir, env })
    author ??= new Author(launched)
    author.launched = launched
    if (!figure) {
      await author.signUp()
      figure = await author.newFigure()
    }
    const kept = await author.publish(figure)
    const changed = await author.publish(figure)
    const deleted = await author.publish(figure)
    for (const one of [kept, changed, deleted]) await author.isIntact(one)
    const data = [{ name: 'image', type: 'image', data: another }]
    const path = `revision/${changed.api_id}/`
    await author.json('PUT', path, { data })
    const processed = async () => !(await author?.json<Created>('GET', path))?.is_processing
    await until(processed, 'the end of the processing')
    assert.equal((await author.request('DELETE', `revision/${deleted.api_id}/`)).status, 204)
    await runJob(dataDir, 'revisions', 'purge-detached')
    const isGone = () =>
      inDatabase(dataDir, 'revisions', async (client) => {
        const { rowCount } = await client.query('select from revision where id = $1', [
          deleted.api_id,
        ])
        return rowCount === 0
      })
    // Retries: an older open transaction defers the purge.
    await until(async () => {
      await runJob(dataDir, 'revisions', 'purge-deleted')
      return isGone()
    }, 'the deleted revision to be purged')
    assert.equal(await launched.stop(), 0)

    const died = bench.launch({
      dataDir,
      args: ['collect'],
      env: { ...env, FAIL_AT: `revisions.${point}` },
    })
    assert.equal(await died.ended, 'SIGKILL', died.output)
    const checked = async () => {
      const { code, output } = await runCommand(dataDir, ['fsck', '--verify', '--json'], env)
      assert.equal(code, 0, output)
      return JSON.parse(output).storages[0]
    }
    await checked()
    const { code, output } = await runCommand(dataDir, ['collect'], env)
    assert.equal(code, 0, output)
    const { dead, orphans, verified, blobs } = await checked()
    assert.deepEqual([dead, orphans, verified], [0, 0, blobs])

    author.launched = await bench.start({ dataDir, env })
    await author.isIntact(kept)
    assert.equal(await author.launched.stop(), 0)
  })
}
