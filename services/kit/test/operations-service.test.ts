import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code } from '@connectrpc/connect'
import { type FieldViolation, FieldViolationSchema } from '@figbase/proto/common'
import { StaffActionKind, StaffService } from '@figbase/proto/identity/staff'
import { DeadKind, OperationsService } from '@figbase/proto/operations'
import { detailOf } from '../src/errors/index.js'
import { defineConsumer, defineEvent, on } from '../src/events/index.js'
import { defineJob } from '../src/jobs/index.js'
import { actAs, user } from '../src/rpc/index.js'
import { defineService, type Kit } from '../src/service/index.js'
import { startTestService } from '../src/testing/service.js'
import { failureOf } from './failure-of.js'

const staff = actAs(user('root', true))
const service = 'catalog'
const changed = defineEvent({
  name: 'catalog.thing.changed.v1',
  schema: FieldViolationSchema,
  key: (payload: FieldViolation) => payload.field,
})

async function until(isSo: () => Promise<boolean>) {
  while (!(await isSo())) await sleep(20)
}

/** A service whose consumer and whose job fail until it is repaired; what is recorded of staff. */
async function startBroken() {
  const state = { isBroken: true, handled: [] as string[] }
  const recorded: { kind: StaffActionKind; target: string }[] = []
  let kit: Kit<unknown> | undefined
  const work = async (name: string) => {
    if (state.isBroken) throw new Error(`no ${name}`)
    state.handled.push(name)
  }
  const job = defineJob<Kit<unknown>, { name: string }>({
    name: 'work',
    attemptsMax: 1,
    timeoutMs: 10_000,
    run: (_ctx, { name }) => work(name),
  })
  const handler = on(changed, (_: Kit<unknown>, _tx, { payload }) => work(payload.field))
  const definition = defineService<object, unknown, Kit<unknown>>({
    name: service,
    config: () => ({}),
    migrations: [],
    context: (given) => {
      kit = given
      return given
    },
    routes: () => () => {},
    publishes: [changed],
    consumers: [defineConsumer({ name: 'note', handlers: [handler] })],
    jobs: [job],
  })
  const running = await startTestService(definition, {
    transport: 'local',
    env: { EVENT_ATTEMPTS_MAX: '1', EVENT_RETRY_DELAY_MIN: '10ms', LOG_LEVEL: 'silent' },
    peers: (router) =>
      router.service(StaffService, {
        recordStaffAction({ kind, target }) {
          recorded.push({ kind, target })
          return {}
        },
      }),
  })
  const operations = running.client(OperationsService)
  const listed = async (kind: DeadKind) =>
    (await operations.listDead({ service, kind }, staff)).items
  await kit?.transact(async (tx) => {
    for (const field of ['a', 'b']) {
      await kit?.publish(tx, changed, { field })
      await kit?.enqueue(tx, job, { name: field })
    }
  })
  await until(async () => (await listed(DeadKind.EVENT)).length === 2)
  await until(async () => (await listed(DeadKind.JOB)).length === 2)
  return {
    ...state,
    state,
    recorded,
    operations,
    listed,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}

test('staff list, retry and drop what is dead, which is recorded first', async () => {
  await using at = await startBroken()
  const { operations, state, listed } = at
  const answer = await operations.getState({ service }, staff)
  assert.match(answer.version, /^\d+\.\d+\.\d+/)
  assert.deepEqual(answer.dependencies.at(0)?.name, 'database')
  assert.equal(answer.dependencies.at(0)?.isAvailable, true)
  assert.deepEqual(
    [...answer.consumers, ...answer.jobs].map(({ name, dead }) => [name, dead]),
    [
      ['note', 2],
      ['work', 2],
    ],
  )
  state.isBroken = false
  for (const [kind, noun] of [
    [DeadKind.EVENT, 'event'],
    [DeadKind.JOB, 'job'],
  ] as const) {
    const first = await operations.listDead({ service, kind, pageSize: 1 }, staff)
    const { nextPageToken: pageToken } = first
    const second = await operations.listDead({ service, kind, pageSize: 1, pageToken }, staff)
    assert.equal(second.nextPageToken, '')
    const items = [...first.items, ...second.items]
    assert.deepEqual(items, await listed(kind))
    assert.deepEqual(
      items.map(({ error }) => error).sort(),
      ['Error: no a', 'Error: no b'].map((text) => (kind === DeadKind.JOB ? text.slice(7) : text)),
    )
    const [one, other] = items.map(({ id }) => id)
    assert.equal((await operations.dropDead({ service, kind, id: one ?? '' }, staff)).count, 1)
    const again = operations.retryDead({ service, kind, id: one ?? '' }, staff)
    assert.equal((await failureOf(again)).code, Code.NotFound)
    assert.equal((await operations.retryDead({ service, kind }, staff)).count, 1)
    assert.deepEqual(await listed(kind), [])
    assert.deepEqual(at.recorded.splice(0), [
      { kind: StaffActionKind.DROP_DEAD, target: `catalog ${noun} ${one}` },
      { kind: StaffActionKind.RETRY_DEAD, target: `catalog ${noun} ${one}` },
      { kind: StaffActionKind.RETRY_DEAD, target: `catalog ${noun} all` },
    ])
    assert.ok(other)
  }
  await until(async () => state.handled.length === 2)
})

test('others, other services and wrong input are refused', async () => {
  await using at = await startBroken()
  const { operations } = at
  const kind = DeadKind.JOB
  for (const call of [
    operations.getState({ service }, actAs(user('ann'))),
    operations.listDead({ service, kind }, actAs(user('ann'))),
    operations.retryDead({ service, kind }, actAs(user('ann'))),
    operations.dropDead({ service, kind }, actAs(user('ann'))),
  ]) {
    assert.equal((await failureOf(call)).code, Code.PermissionDenied)
  }
  const elsewhere = operations.getState({ service: 'search' }, staff)
  assert.equal((await failureOf(elsewhere)).code, Code.NotFound)
  for (const [call, field] of [
    [operations.listDead({ service }, staff), 'kind'],
    [operations.listDead({ service, kind, pageToken: 'x' }, staff), 'page_token'],
    [operations.listDead({ service, kind: DeadKind.EVENT, pageToken: 'x' }, staff), 'page_token'],
    [operations.dropDead({ service, kind, id: 'x' }, staff), 'id'],
    [operations.dropDead({ service, kind: DeadKind.EVENT, id: 'x' }, staff), 'id'],
  ] as const) {
    const { fields = [] } = detailOf(await failureOf(call)) ?? {}
    assert.deepEqual(
      fields.map((one) => one.field),
      [field],
    )
  }
  assert.equal((await at.listed(kind)).length, 2)
})
