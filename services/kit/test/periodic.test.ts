import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RevisionsService } from '@figbase/proto/revisions'
import { startPeriodic } from '../src/lifecycle/periodic.js'
import { createLogger } from '../src/log.js'
import { actAsSystem } from '../src/rpc/index.js'
import { defineService, type Kit, type Periodic } from '../src/service/index.js'
import { startTestService } from '../src/testing/index.js'
import { createRecord } from './queue.js'
import { forEver, watchRests } from './rests.js'

const log = createLogger('test', 'silent')
const everyMs = 10
const idleMsMax = 3_600_000

/** Work with a minimal interval; `run` gets the number of the run, from 1, and returns whether it found something. */
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

test('work that finds nothing runs less and less often', async () => {
  await using idle = start(nothing)
  await using silent = start(() => undefined)
  await using finding = start(() => true)
  await using failing = start(() => {
    throw new Error('broken')
  })
  await using bounded = start(nothing, { idleMsMax: everyMs })
  await Promise.all([silent, finding, failing, bounded].map((one) => one.waitForCount(60)))
  // The interval doubles: one more run takes as long as all before it.
  assert.ok(idle.items.length < 30, `${idle.items.length} runs that found nothing`)
})

test('the interval of work that finds nothing doubles up to the maximum', async (t) => {
  const rests = watchRests(t, () => 0)
  await using _idle = start(nothing, { idleMsMax: 100 })
  await rests.waitForCount(5)
  // Before each run it also waits for `everyMs`, because further writes may follow.
  assert.deepEqual(rests.items.slice(0, 5), [10, 30, 70, 90, 90])
})

test('the interval starts over after work was found', async (t) => {
  const rests = watchRests(t, () => 0)
  await using _finding = start((run) => run === 4)
  await rests.waitForCount(4)
  assert.deepEqual(rests.items.slice(0, 4), [10, 30, 10, 30])
})

test('woken work starts at once', async (t) => {
  const rests = watchRests(t, forEver)
  await using idle = start(nothing)
  await rests.waitForCount(1)
  assert.equal(idle.items.length, 2)
  idle.wake()
  await idle.waitForCount(3)
  // The interval starts over, too: the first is that of the second run.
  await rests.waitForCount(2)
  assert.deepEqual([idle.items.length, rests.items], [4, [10, 10]])
})

test('work that is woken while it runs runs once more', async (t) => {
  watchRests(t, forEver)
  await using idle = start((run) => {
    if (run === 2) idle.wake()
    return false
  })
  await idle.waitForCount(3)
})

test('disposal does not wait for the interval', async (t) => {
  const rests = watchRests(t, forEver)
  await using _idle = start(nothing)
  await rests.waitForCount(1)
})

type Ctx = Kit<{ thing: { id: string } }>

/** A service with an RPC that writes a row in one of two ways, and periodic work that looks for rows. */
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

test('any write of a service wakes its periodic work', async (t) => {
  watchRests(t, forEver)
  const runs = createRecord<string>()
  const service = serviceThatLooks(async () => {
    runs.add('look')
    return false
  })
  await using at = await startTestService(service, { transport: 'local' })
  for (const [index, how] of ['transact', 'write'].entries()) {
    // Every second run waits until there is a write.
    await runs.waitForCount(2 * (index + 1))
    await at.client(RevisionsService).findExisting({ ids: [how] }, actAsSystem())
    await runs.waitForCount(2 * (index + 1) + 1)
  }
})
