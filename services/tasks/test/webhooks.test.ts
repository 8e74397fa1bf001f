import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { eventOf } from '@figbase/kit/events'
import { NodeType } from '@figbase/proto/catalog'
import { FigureStaleSchema, NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'
import {
  type WebhookDelivery,
  WebhookDeliveryState,
  WebhookFormat,
  WebhookPayload,
} from '@figbase/proto/webhooks'
import { sql } from 'kysely'
import { Webhook as Verifier } from 'standardwebhooks'
import { checkOrder } from './support/check-order.js'
import {
  type Hooks,
  type Received,
  type Receiver,
  startHooks,
  startReceiver,
} from './support/hooks.js'
import { ann, bob, nobody } from './support/started.js'

let at: Hooks
before(async () => {
  at = await startHooks()
})
after(() => at[Symbol.asyncDispose]())

const { PENDING, DELIVERED, FAILED } = WebhookDeliveryState

/** A run that is stuck ends. */
const waitMsMax = 60_000

/** Resolves when a delivery of the webhook meets the condition, which is checked as soon as something is recorded. */
async function until(
  webhookId: string,
  isMet: (deliveries: WebhookDelivery[]) => boolean,
  hooks: Hooks = at,
): Promise<WebhookDelivery[]> {
  const late = AbortSignal.timeout(waitMsMax)
  for (;;) {
    const deliveries = await hooks.deliveries(webhookId)
    if (isMet(deliveries)) return deliveries
    late.throwIfAborted()
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const areDelivered = (count: number) => (deliveries: WebhookDelivery[]) =>
  deliveries.filter(({ state }) => state === DELIVERED).length === count

const verify = ({ body, headers }: Received, secret: string) =>
  new Verifier(secret).verify(body, headers)

const updates = ({ received }: Receiver) => received.map(({ json }) => json.type)

test('an event is delivered to the webhooks of its place, signed, and logged', async () => {
  await using receiver = await startReceiver((response) => response.writeHead(202).end('thanks'))
  const { url } = receiver
  const { webhook, secret } = await at.create({ url: `${url}/here`, events: ['figure.*'] })
  const { webhook: other } = await at.create({ url: `${url}/other-place` })
  await at.create({ url: `${url}/inactive`, placeId: webhook.placeId, isActive: false })
  await at.create({
    url: `${url}/other-event`,
    placeId: webhook.placeId,
    events: ['figure.created'],
  })
  await at.create({ url: `${url}/else`, placeId: webhook.placeId, objectIds: [randomUUID()] })
  const figureId = await at.update(webhook.placeId)
  const [delivery] = await until(webhook.id, areDelivered(1))
  assert.equal(receiver.received.length, 1)
  const [request] = receiver.received as [Received]
  assert.deepEqual(verify(request, secret), request.json)
  assert.throws(() => verify({ ...request, body: `${request.body} ` }, secret))
  assert.equal(request.id, delivery?.id)
  const { timestamp, ...body } = request.json
  assert.ok(Math.abs(Date.parse(String(timestamp)) - Date.now()) < 3_600_000)
  const base = 'https://figbase.example.org'
  assert.deepEqual(body, {
    type: 'figure.updated',
    data: {
      actor: 'bob',
      workspace: webhook.placeId,
      object: { api_id: figureId, type: 'figure' },
      links: { api: `${base}/api/v1/figure/${figureId}/`, page: `${base}/figure/${figureId}/` },
    },
  })
  const { lastAttempt } = delivery ?? {}
  assert.equal(delivery?.attempts, 1)
  assert.deepEqual(
    [
      lastAttempt?.requestBody,
      lastAttempt?.responseStatus,
      lastAttempt?.responseBody,
      lastAttempt?.error,
    ],
    [request.body, 202, 'thanks', ''],
  )
  assert.deepEqual(await at.deliveries(other.id), [])
})

test('a failed delivery is sent again with its id, before later ones of its object', async () => {
  let failures = 3
  await using receiver = await startReceiver((response) => {
    response.writeHead(failures-- > 0 ? 500 : 204).end()
  })
  const { webhook, secret } = await at.create(receiver)
  const figureId = await at.update(webhook.placeId)
  await at.update(webhook.placeId, figureId)
  await at.update(webhook.placeId)
  const deliveries = await until(webhook.id, areDelivered(3))
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
    const [delivery] = await until(webhook.id, isOver, hooks)
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
  await until(webhook.id, areDelivered(20), hooks)
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
    await until(id, isDone, hooks)
    await hooks.update(webhook.placeId)
    await until(id, ([one]) => one?.state === DELIVERED, hooks)
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
  await until(id, ([one]) => one?.lastAttempt?.responseStatus === 500)
  answers.shift()?.()
  await until(id, ([one]) => one?.lastAttempt?.responseStatus === 410)
  isUp = true
  for (const answer of answers) answer()
  await at.update(webhook.placeId)
  await until(id, areDelivered(2))
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
  await until(webhook.id, areDelivered(1), second)
  assert.equal(receiver.received.length, 2)
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1)
})

test('of a receiver that fails a third, each object gets its deliveries in order', async () => {
  await checkOrder({ objects: 20, deliveriesOfEach: 10 })
})

test('secrets rotate with an overlap', async () => {
  await using receiver = await startReceiver()
  const { webhook, secret } = await at.create(receiver)
  const { id } = webhook
  const rotated = await at.client.rotateWebhookSecret({ id }, ann)
  assert.ok(rotated.webhook?.previousSecretUntil)
  assert.notEqual(rotated.secret, secret)
  await at.client.testWebhook({ id }, ann)
  await receiver.until(1)
  for (const one of [secret, rotated.secret]) verify(receiver.received[0] as Received, one)
  await sql`update webhook set previous_secret_until = now() where id = ${id}`.execute(at.ctx.db)
  await at.client.testWebhook({ id }, ann)
  await receiver.until(2)
  verify(receiver.received[1] as Received, rotated.secret)
  assert.throws(() => verify(receiver.received[1] as Received, secret))
})

test('a delivery is sent again on request, and a test says so', async () => {
  await using receiver = await startReceiver()
  const { webhook } = await at.create({ url: receiver.url, isActive: false })
  const { id } = webhook
  const { delivery } = await at.client.testWebhook({ id }, ann)
  await until(id, areDelivered(1))
  assert.deepEqual(updates(receiver), ['webhook.test'])
  await at.client.updateWebhook({ id, isActive: true }, ann)
  const again = await at.client.redeliverWebhookDelivery({ id: delivery?.id ?? '' }, ann)
  assert.equal(again.delivery?.state, PENDING)
  await receiver.until(2)
  assert.deepEqual(
    receiver.received.map((one) => one.id),
    [delivery?.id, delivery?.id],
  )
  assert.equal(receiver.received[0]?.body, receiver.received[1]?.body)
})

test('a full payload and messages say the name; names mention nobody', async () => {
  await using receiver = await startReceiver()
  const workspaceId = at.addNode().id
  const name = '<!here> *Cells* @all'
  const figure = at.addNode({ type: NodeType.FIGURE, workspaceId, name })
  for (const format of [
    WebhookFormat.JSON,
    WebhookFormat.SLACK,
    WebhookFormat.MATTERMOST,
    WebhookFormat.TEAMS,
  ]) {
    await at.create({
      url: `${receiver.url}/${WebhookFormat[format]}`,
      placeId: workspaceId,
      payload: WebhookPayload.FULL,
      format,
    })
  }
  await at.update(workspaceId, figure.id)
  await receiver.until(4)
  const page = `https://figbase.example.org/figure/${figure.id}/`
  const bodies = receiver.received.map(({ json }) => json)
  const full = bodies.find(({ data }) => data) as { data: { object: object } } | undefined
  assert.deepEqual(full?.data.object, {
    ...{ api_id: figure.id, type: 'figure', name, description: null, created_by: '' },
    ...{ created_on: null, updated_by: null, updated_on: null },
  })
  const texts = bodies.map(({ text }) => text)
  assert.ok(texts.includes(`bob updated the figure <${page}|&lt;!here&gt; *Cells* @all>`))
  assert.ok(
    texts.includes(`bob updated the figure [\\<\\!here\\> \\*Cells\\* @\u200ball](${page})`),
  )
  const card = JSON.stringify(bodies.find(({ attachments }) => attachments))
  assert.ok(card.includes('AdaptiveCard') && card.includes(page))
})

test('a full payload of a comment has its text, until it is deleted', async () => {
  await using receiver = await startReceiver()
  const workspaceId = at.addNode().id
  const figure = at.addNode({ type: NodeType.FIGURE, workspaceId })
  const { url } = receiver
  for (const payload of [WebhookPayload.FULL, WebhookPayload.THIN])
    await at.create({ url, placeId: workspaceId, events: ['comment.*'], payload })
  const commentId = randomUUID()
  at.contents.set(commentId, 'Two *peaks*')
  const change = { targetId: figure.id, targetType: 'NODE_TYPE_FIGURE', commentId, workspaceId }
  const send = (action: string) =>
    at.receive(eventOf(CommentChangedSchema), { ...change, action: `COMMENT_ACTION_${action}` })
  await send('CREATE')
  await receiver.until(2)
  at.contents.delete(commentId)
  await send('DELETE')
  await receiver.until(4)
  const contents = receiver.received.map(({ json }) => (json.data as { content?: string }).content)
  assert.deepEqual(
    contents.filter((content) => content !== undefined),
    ['Two *peaks*'],
  )
})

test('the event of a stale figure does not name the asset, which its reader may not view', async () => {
  await using receiver = await startReceiver()
  const { url } = receiver
  const { webhook } = await at.create({
    url,
    events: ['figure.stale'],
    payload: WebhookPayload.FULL,
  })
  const { placeId: workspaceId } = webhook
  await at.create({ url, placeId: workspaceId, events: ['figure.*'], format: WebhookFormat.SLACK })
  const figure = at.addNode({ type: NodeType.FIGURE, workspaceId, name: 'Rain' })
  const [analysisId, assetId] = [randomUUID(), randomUUID()]
  const ids = { figureId: figure.id, workspaceId, analysisId, assetId }
  await at.receive(eventOf(FigureStaleSchema), { ...ids, figureName: 'Rain' })
  await receiver.until(2)
  const bodies = receiver.received.map(({ body }) => body)
  for (const body of bodies) assert.ok(!body.includes(assetId), body)
  const full = receiver.received.find(({ json }) => json.type === 'figure.stale')?.json.data
  assert.equal((full as { analysis?: string }).analysis, analysisId)
  const page = `https://figbase.example.org/figure/${figure.id}/`
  const text = `An asset has a newer revision than the one used by the figure <${page}|Rain>`
  assert.ok(bodies.includes(JSON.stringify({ text })), bodies.join())
})

test('the webhook of an organization gets what happens in its workspaces while they are there', async () => {
  await using receiver = await startReceiver()
  const organization = at.addNode({ type: NodeType.ORGANIZATION })
  const inside = at.addNode({ parentId: organization.id })
  const outside = at.addNode()
  const { webhook } = await at.create({
    ...{ url: receiver.url, placeId: organization.id, placeType: NodeType.ORGANIZATION },
  })
  const comment = async (workspaceId: string) => {
    const figure = at.addNode({ type: NodeType.FIGURE, workspaceId })
    await at.receive(eventOf(CommentChangedSchema), {
      ...{ targetId: figure.id, targetType: 'NODE_TYPE_FIGURE', commentId: randomUUID() },
      ...{ action: 'COMMENT_ACTION_CREATE', workspaceId },
    })
  }
  const change = (
    type: string,
    action: string,
    place: { workspaceId?: string; organizationId?: string },
    nodeId: string,
  ) =>
    at.receive(eventOf(NodeChangedSchema), {
      ...{ nodeId, type: `NODE_TYPE_${type}`, action: `NODE_ACTION_${action}`, name: 'x' },
      ...place,
    })
  await comment(inside.id)
  await comment(outside.id)
  await change('ORGANIZATION', 'UPDATE', { organizationId: organization.id }, organization.id)
  await change(
    'ANALYSIS',
    'CREATE',
    { workspaceId: inside.id, organizationId: organization.id },
    randomUUID(),
  )
  // The place is that of the time of sending.
  await until(webhook.id, areDelivered(3))
  // Both workspaces move.
  inside.parentId = ''
  outside.parentId = organization.id
  const into = { workspaceId: outside.id, organizationId: organization.id }
  await change('WORKSPACE', 'MOVE', into, outside.id)
  await change('WORKSPACE', 'MOVE', { workspaceId: inside.id }, inside.id)
  await comment(inside.id)
  await comment(outside.id)
  const deliveries = await until(webhook.id, areDelivered(5))
  assert.deepEqual(deliveries.map(({ event }) => event).sort(), [
    ...['analysis.created', 'comment.created', 'comment.created', 'organization.updated'],
    'workspace.moved',
  ])
})

test('an event of an object that is no longer in the place is not sent', async () => {
  await using receiver = await startReceiver()
  const { webhook } = await at.create(receiver)
  const revision = at.addNode({ type: NodeType.FIGURE_REVISION, workspaceId: at.addNode().id })
  await at.receive(eventOf(RevisionProcessedSchema), {
    ...{ revisionId: revision.id, parentId: randomUUID(), type: 'NODE_TYPE_FIGURE_REVISION' },
    workspaceId: webhook.placeId,
  })
  const moved = at.addNode({ type: NodeType.FIGURE, workspaceId: at.addNode().id })
  const place = { workspaceId: webhook.placeId, analysisId: randomUUID(), assetId: randomUUID() }
  await at.receive(eventOf(FigureStaleSchema), { figureId: moved.id, figureName: 'x', ...place })
  await until(webhook.id, (all) => all.filter(({ state }) => state === FAILED).length === 2)
  assert.deepEqual(receiver.received, [])
})

test('only who may manage the place sees a webhook; values are checked', async () => {
  const url = 'https://hooks.example.org/x'
  const { webhook } = await at.create({ url })
  const { id, placeId } = webhook
  const codeOf = async (answer: Promise<unknown>) => {
    const error = await answer.then(
      () => undefined,
      (failure: unknown) => failure,
    )
    assert.ok(error instanceof ConnectError)
    return `${Code[error.code]}: ${error.rawMessage}`
  }
  assert.match(await codeOf(at.client.getWebhook({ id }, bob)), /^PermissionDenied/)
  assert.match(await codeOf(at.client.getWebhook({ id }, nobody)), /^Unauthenticated/)
  assert.match(await codeOf(at.client.getWebhook({ id: randomUUID() }, ann)), /^NotFound/)
  const { webhooks } = await at.client.listWebhooks({ placeId, placeType: NodeType.WORKSPACE }, ann)
  assert.deepEqual(webhooks, [webhook])
  const refused = (change: object) => codeOf(at.client.updateWebhook({ id, ...change }, ann))
  assert.match(await refused({ url: 'ftp://x' }), /^InvalidArgument: url/)
  assert.match(await refused({ url: 'https://a:b@x.org' }), /^InvalidArgument: url/)
  assert.match(await refused({ url: 'http://10.0.0.1/' }), /^InvalidArgument: url/)
  assert.match(
    await refused({ events: { names: ['figure.exploded'] } }),
    /^InvalidArgument: events/,
  )
  assert.match(await refused({ objects: { ids: ['x'] } }), /^InvalidArgument: objects/)
  for (let count = 1; count < at.ctx.cfg.webhooksMax; count++) await at.create({ url, placeId })
  assert.match(
    await codeOf(at.create({ url, placeId })),
    /^FailedPrecondition: there are already 20/,
  )
  await at.client.deleteWebhook({ id }, ann)
  assert.match(await codeOf(at.client.getWebhook({ id }, ann)), /^NotFound/)
})
