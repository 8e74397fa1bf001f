import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { type WebhookDelivery, WebhookDeliveryState } from '@figbase/proto/webhooks'
import { sql } from 'kysely'
import { checkOrder } from './support/check-order.js'
import { areDelivered, type Hooks, startHooks, startReceiver, verify } from './support/hooks.js'
import { ann } from './support/started.js'

let at: Hooks
before(async () => {
  at = await startHooks()
})
after(() => at[Symbol.asyncDispose]())

const { PENDING, DELIVERED, FAILED } = WebhookDeliveryState

test('a failed delivery is sent again with its id, before later ones of its object', async () => {
  let failures = 3
  await using receiver = await startReceiver((response) => {
    response.writeHead(failures-- > 0 ? 500 : 204).end()
  })
  const { webhook, secret } = await at.create(receiver)
  const figureId = await at.update(webhook.placeId)
  await at.update(webhook.placeId, figureId)
  await at.update(webhook.placeId)
  const deliveries = await at.until(webhook.id, areDelivered(3))
  const [first, second] = deliveries.toReversed()
  const ofFigure = receiver.received.filter(({ json }) => JSON.stringify(json).includes(figureId))
  assert.equal(ofFigure.at(-1)?.id, second?.id)
  assert.ok(ofFigure.slice(0, -1).every(({ id }) => id === first?.id))
  for (const request of receiver.received) verify(request, secret)
  assert.equal(receiver.received.length, 6)
  const { webhook: healthy } = await at.client.getWebhook({ id: webhook.id }, ann)
  assert.equal(healthy?.failingSince, undefined)
})

test('redirects, slow and long responses, and private addresses fail or are cut', async () => {
  await using hooks = await startHooks({
    WEBHOOK_TIMEOUT: '200ms',
    WEBHOOK_RESPONSE_BYTES_MAX: '10B',
  })
  await using receiver = await startReceiver((response, _, path) => {
    if (path === '/slow') return
    if (path === '/moved') response.writeHead(302, { location: '/elsewhere' }).end()
    else response.end('0123456789abc')
  })
  const attemptTo = async (url: string) => {
    const { webhook } = await hooks.create({ url, placeId: hooks.addNode().id })
    await hooks.client.testWebhook({ id: webhook.id }, ann)
    const isOver = ([one]: WebhookDelivery[]) => one?.state !== PENDING
    const [delivery] = await hooks.until(webhook.id, isOver)
    return [delivery?.state, delivery?.lastAttempt?.error, delivery?.lastAttempt?.responseBody]
  }
  const timedOut = 'timed out after 200 ms'
  assert.deepEqual(await attemptTo(`${receiver.url}/slow`), [FAILED, timedOut, ''])
  assert.deepEqual(await attemptTo(`${receiver.url}/moved`), [FAILED, 'HTTP status 302', ''])
  assert.deepEqual(await attemptTo(receiver.url), [DELIVERED, '', '0123456789'])
  const [state, error] = await attemptTo(receiver.url.replace('127.0.0.1', 'localhost'))
  assert.deepEqual([state, error], [FAILED, 'localhost is not on the public Internet'])
  assert.equal(receiver.received.length, 3)
})

test('a receiver that does not answer holds back no other', async () => {
  await using hooks = await startHooks({ WEBHOOK_CONCURRENCY: '5' })
  await using slow = await startReceiver(() => {})
  await using fast = await startReceiver()
  const placeId = hooks.addNode().id
  await hooks.create({ url: slow.url, placeId })
  const { webhook } = await hooks.create({ url: fast.url, placeId })
  for (let number = 0; number < 20; number++) await hooks.update(placeId)
  await hooks.until(webhook.id, areDelivered(20))
  // At most WEBHOOK_CONCURRENCY_PER_WEBHOOK.
  assert.ok(slow.received.length <= 4)
})

for (const [reason, env, status] of [
  ['failing', { WEBHOOK_RETRY_PERIOD: '50ms', WEBHOOK_RETRY_DELAY_MAX: '60ms' }, 500],
  ['gone', {}, 410],
] as const) {
  test(`a webhook that is ${reason} is deactivated with a mail, and goes on when it is activated`, async () => {
    await using hooks = await startHooks(env)
    let accepts = false
    await using receiver = await startReceiver((response) => {
      response.writeHead(accepts ? 204 : status).end()
    })
    const { webhook } = await hooks.create(receiver)
    const { id } = webhook
    // The limit ends the attempts of one delivery, too.
    for (let current = webhook; current.isActive; ) {
      await hooks.update(webhook.placeId)
      const answer = await hooks.client.getWebhook({ id }, ann)
      assert.ok(answer.webhook)
      current = answer.webhook
    }
    const { webhook: inactive } = await hooks.client.getWebhook({ id }, ann)
    assert.equal(inactive?.deactivationReason, reason)
    let mails = await hooks.mails()
    while (mails.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      mails = await hooks.mails()
    }
    assert.equal(mails.length, 1)
    assert.match(mails[0] ?? '', /To: ann@example\.org/)
    assert.match(mails[0] ?? '', /was deactivated/)
    const [newest] = await hooks.deliveries(id)
    await assert.rejects(
      hooks.client.redeliverWebhookDelivery({ id: newest?.id ?? '' }, ann),
      (error) => error instanceof ConnectError && error.code === Code.FailedPrecondition,
    )
    accepts = true
    const { webhook: active } = await hooks.client.updateWebhook({ id, isActive: true }, ann)
    assert.deepEqual([active?.isActive, active?.deactivationReason], [true, ''])
    const isDone = (all: WebhookDelivery[]) => all.every(({ state }) => state !== PENDING)
    await hooks.until(id, isDone)
    await hooks.update(webhook.placeId)
    await hooks.until(id, ([one]) => one?.state === DELIVERED)
  })
}

test('an attempt that began before a webhook was activated again does not deactivate it', async () => {
  let isUp = false
  const answers: (() => void)[] = []
  await using receiver = await startReceiver((response) => {
    const answer = (status: number) => () => void response.writeHead(status).end()
    if (receiver.received.length === 1) answers.push(answer(410))
    else if (receiver.received.length === 2) answer(500)()
    else if (isUp) answer(204)()
    else answers.push(answer(204))
  })
  const { webhook } = await at.create(receiver)
  const { id } = webhook
  await at.update(webhook.placeId)
  await receiver.until(1)
  for (const isActive of [false, true]) await at.client.updateWebhook({ id, isActive }, ann)
  await at.until(id, ([one]) => one?.lastAttempt?.responseStatus === 500)
  answers.shift()?.()
  await at.until(id, ([one]) => one?.lastAttempt?.responseStatus === 410)
  isUp = true
  for (const answer of answers) answer()
  await at.update(webhook.placeId)
  await at.until(id, areDelivered(2))
  const { webhook: active } = await at.client.getWebhook({ id }, ann)
  assert.equal(active?.isActive, true)
})

test('an attempt of a process that ends is made again by another, with the same id', async () => {
  await using receiver = await startReceiver((response) => {
    if (receiver.received.length > 1) response.writeHead(204).end()
  })
  await using first = await startHooks()
  await using second = await startHooks({}, first.databaseUrl)
  const { webhook } = await first.create(receiver)
  second.addNode({ id: webhook.placeId })
  await first.update(webhook.placeId)
  await receiver.until(1)
  await first.ctx.sender[Symbol.asyncDispose]()
  // The lease ends.
  await sql`update webhook_queue set due_on = now()`.execute(second.ctx.db)
  second.ctx.sender.wake()
  await second.until(webhook.id, areDelivered(1))
  assert.equal(receiver.received.length, 2)
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1)
})

test('of a receiver that fails a third, each object gets its deliveries in order', async () => {
  await checkOrder({ objects: 20, deliveriesOfEach: 10 })
})
