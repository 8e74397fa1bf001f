import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { Code, ConnectError } from '@connectrpc/connect'
import { eventOf } from '@figbase/kit/events'
import { NodeType } from '@figbase/proto/catalog'
import { FigureStaleSchema, NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentChangedSchema } from '@figbase/proto/comments/events'
import { RevisionProcessedSchema } from '@figbase/proto/revisions/events'
import { WebhookDeliveryState, WebhookFormat, WebhookPayload } from '@figbase/proto/webhooks'
import { sql } from 'kysely'
import {
  areDelivered,
  type Hooks,
  type Received,
  type Receiver,
  startHooks,
  startReceiver,
  verify,
} from './support/hooks.js'
import { ann, bob, nobody } from './support/started.js'

let at: Hooks
before(async () => {
  at = await startHooks()
})
after(() => at[Symbol.asyncDispose]())

const { PENDING, FAILED } = WebhookDeliveryState

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
  const [delivery] = await at.until(webhook.id, areDelivered(1))
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
  await at.until(id, areDelivered(1))
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
  await at.until(webhook.id, areDelivered(3))
  // Both workspaces move.
  inside.parentId = ''
  outside.parentId = organization.id
  const into = { workspaceId: outside.id, organizationId: organization.id }
  await change('WORKSPACE', 'MOVE', into, outside.id)
  await change('WORKSPACE', 'MOVE', { workspaceId: inside.id }, inside.id)
  await comment(inside.id)
  await comment(outside.id)
  const deliveries = await at.until(webhook.id, areDelivered(5))
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
  await at.until(webhook.id, (all) => all.filter(({ state }) => state === FAILED).length === 2)
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
