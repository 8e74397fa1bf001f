import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { actAsSystem, defineService, type Kit, type Periodic } from '../src/index.js'
import { createLogger } from '../src/log.js'
import { startPeriodic } from '../src/periodic.js'
import { startTestService } from '../src/testing/index.js'
import { createRecord } from './queue.js'
import { forEver, watchRests } from './rests.js'

const log = createLogger('test', 'silent')
const everyMs = 10
const idleMsMax = 3_600_000

/** A work that runs as soon as may be; what it finds is for each run to say, counted from 1. */
function start(found: (run: number) => unknown, more: Partial<Periodic<object>> = {}) {
  const runs = createRecord<number>()
  const run = async () => {
    const count = runs.items.length + 1
    runs.add(count)
    return found(count)
  }
  const running = startPeriodic({ name: 'look', everyMs, idleMsMax, run, ...more }, {}, log)
  return { ...running, ...runs }
}

const nothing = () => false

test('a work that finds nothing runs less and less often; no other does', async () => {
  await using idle = start(nothing)
  await using silent = start(() => undefined)
  await using finding = start(() => true)
  await using failing = start(() => {
    throw new Error('broken')
  })
  await using bounded = start(nothing, { idleMsMax: everyMs })
  await Promise.all([silent, finding, failing, bounded].map((one) => one.reach(60)))
  // Twice as long each time: a run more takes as long as all before it.
  assert.ok(idle.items.length < 30, `${idle.items.length} runs that found nothing`)
})

test('each rest of what finds nothing is twice the last one, up to the longest', async (t) => {
  const rests = watchRests(t, () => 0)
  await using _idle = start(nothing, { idleMsMax: 100 })
  await rests.reach(5)
  // Before each run it waits for `everyMs` as well: what was just written may not be all.
  assert.deepEqual(rests.items.slice(0, 5), [10, 30, 70, 90, 90])
})

test('after a find the rests are short again', async (t) => {
  const rests = watchRests(t, () => 0)
  await using _finding = start((run) => run === 4)
  await rests.reach(4)
  assert.deepEqual(rests.items.slice(0, 4), [10, 30, 10, 30])
})

test('a work that is woken starts at once, however long it would rest', async (t) => {
  const rests = watchRests(t, forEver)
  await using idle = start(nothing)
  await rests.reach(1)
  assert.equal(idle.items.length, 2)
  idle.wake()
  await idle.reach(3)
  // The rests are short again, too: the first is that of the second run.
  await rests.reach(2)
  assert.deepEqual([idle.items.length, rests.items], [4, [10, 10]])
})

test('a work that is woken while it runs runs once more: it may have looked before', async (t) => {
  watchRests(t, forEver)
  await using idle = start((run) => {
    if (run === 2) idle.wake()
    return false
  })
  await idle.reach(3)
})

test('the end does not wait for a rest', async (t) => {
  const rests = watchRests(t, forEver)
  await using _idle = start(nothing)
  await rests.reach(1)
})

type Ctx = Kit<{ thing: { id: string } }>

/** A service whose RPC writes a row in one of two ways, and that looks for rows. */
function serviceThatLooks(run: () => Promise<unknown>) {
  return defineService<object, { thing: { id: string } }, Ctx>({
    name: 'revisions',
    config: () => ({}),
    migrations: [{ name: '0001-thing', sql: 'create table thing (id text)' }],
    context: (kit) => kit,
    routes: (ctx) => (router) =>
      router.service(RevisionsService, {
        findExisting: async ({ ids: [how = ''] }) => {
          const insert = (db: Pick<Ctx['db'], 'insertInto'>) =>
            db.insertInto('thing').values({ id: how }).execute()
          if (how === 'transact') await ctx.transact(insert)
          else await ctx.write(insert)
          return {}
        },
      }),
    periodic: [{ name: 'look', everyMs, idleMsMax, run }],
  })
}

test('what rests in a service starts when that service writes, in whichever way', async (t) => {
  watchRests(t, forEver)
  const runs = createRecord<string>()
  const service = serviceThatLooks(async () => {
    runs.add('look')
    return false
  })
  await using at = await startTestService(service, { transport: 'local' })
  for (const [index, how] of ['transact', 'write'].entries()) {
    // Of each two runs the second one rests until somebody writes.
    await runs.reach(2 * (index + 1))
    await at.client(RevisionsService).findExisting({ ids: [how] }, actAsSystem())
    await runs.reach(2 * (index + 1) + 1)
  }
})
