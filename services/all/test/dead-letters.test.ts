import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { defineConsumer, defineEvent, on } from '@figbase/kit/events'
import { defineService, type Kit } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { type FieldViolation, FieldViolationSchema } from '@figbase/proto/common'
import { parseArguments } from '../src/arguments.js'
import { runCommand } from './support/command.js'
import { Bench, until } from './support/launched.js'

const bench = new Bench()
after(() => bench[Symbol.asyncDispose]())

const changed = defineEvent({
  name: 'catalog.thing.changed.v1',
  schema: FieldViolationSchema,
  key: (payload: FieldViolation) => payload.field,
})

/** A service of the product whose only consumer fails; publishes one event. */
async function startFailingConsumer(
  databaseUrl: string,
  handled: (payload: FieldViolation) => void,
) {
  let kit: Kit<unknown> | undefined
  const handler = on(changed, async (_: unknown, _tx, { payload }) => handled(payload))
  const service = defineService<object, unknown, Kit<unknown>>({
    name: 'catalog',
    config: () => ({}),
    migrations: [],
    context: (given) => {
      kit = given
      return given
    },
    routes: () => () => {},
    publishes: [changed],
    consumers: [defineConsumer({ name: 'note', handlers: [handler] })],
  })
  const running = await startTestService(service, {
    transport: 'local',
    env: {
      DATABASE_URL: databaseUrl,
      EVENT_ATTEMPTS_MAX: '2',
      EVENT_RETRY_DELAY_MIN: '10ms',
      LOG_LEVEL: 'silent',
    },
  })
  return {
    publish: async (payload: { field: string }) =>
      kit?.transact(async (tx) => kit?.publish(tx, changed, payload)),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}

test('lists, shows and replays dead letters, whether or not Figbase runs', async () => {
  const dataDir = await bench.dir()
  const run = (...args: string[]) => runCommand(dataDir, ['dead-letters', ...args])
  const none = await run('list')
  assert.equal(none.code, 1)
  assert.match(none.output, /no Figbase installation found in/)

  const figbase = await bench.start({ dataDir })
  assert.deepEqual(await run('list'), { code: 0, output: 'no dead letters' })
  let mayWork = false
  const handled: FieldViolation[] = []
  const socketDir = encodeURIComponent(join(dataDir, 'postgres'))
  const databaseUrl = `postgres://figbase@localhost/figbase?host=${socketDir}`
  const service = await startFailingConsumer(databaseUrl, (payload) => {
    if (!mayWork) throw new Error('it is broken')
    handled.push(payload)
  })
  await service.publish({ field: 'thing a' })
  await service.publish({ field: 'thing b' })
  await until(async () => (await run('list')).output.split('\n').length === 2, 'two dead letters')
  const { output } = await run('list')
  assert.match(
    output,
    /catalog\.note {2}catalog\.thing\.changed\.v1 \(thing a\) {2}2 attempts: Error: it is broken/,
  )
  const [id = ''] = output.split(' ')
  const shown = await run('show', id)
  assert.equal(JSON.parse(shown.output)[0].event.id, id)

  mayWork = true
  assert.deepEqual(await run('replay', id), { code: 0, output: 'replaying 1 now' })
  await until(() => handled.length === 1, 'the replayed event')
  const gone = await run('show', id)
  assert.equal(gone.code, 1)
  assert.match(gone.output, /dead letter \S+ not found/)
  await service[Symbol.asyncDispose]()
  await figbase.stop()

  assert.match((await run('list')).output, /catalog\.thing\.changed\.v1/)
  const replayed = { code: 0, output: 'replaying 1 when Figbase starts' }
  assert.deepEqual(await run('replay', '--all'), replayed)
  assert.deepEqual(await run('list'), { code: 0, output: 'no dead letters' })
})

test('rejects invalid arguments', () => {
  const cases: [string[], RegExp][] = [
    [['dead-letter'], /Unknown command 'dead-letter'/],
    [['--all'], /Unknown command '--all'/],
    [['dead-letters'], /dead-letters takes list/],
    [['dead-letters', 'replay'], /dead-letters takes list/],
    [['dead-letters', 'list', '--all'], /dead-letters takes list/],
    [['dead-letters', 'show', 'x'], /'x' is not an id/],
  ]
  for (const [args, expected] of cases) assert.throws(() => parseArguments(args), expected)
})
