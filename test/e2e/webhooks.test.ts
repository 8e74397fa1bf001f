import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Refusal } from '../src/client.js'
import { newAnalysis, newFigure, newOrganization, newWorkspace } from '../src/publish.js'
import { signUp, type TestUser } from '../src/users.js'
import { newWebhook, type Webhook, webhookToSend } from '../src/webhooks.js'

interface Delivery {
  api_id: string
  event: string
  status: string
  attempts: number
  last_attempt: { request_body: string; error: string | null } | null
}

let alice: TestUser
before(async () => {
  alice = await signUp()
})

/** Polls until a delivery was attempted. */
async function attempted(id: string, isIt: (one: Delivery) => boolean): Promise<Delivery> {
  for (;;) {
    const { body } = await alice.api.get<Delivery[]>(`webhook/${id}/delivery/`)
    const found = body.find((one) => isIt(one) && one.last_attempt)
    if (found) return found
  }
}

test('what happens in a workspace reaches its webhook, by what the events say', async () => {
  // A workspace without earlier events, which might still reach the webhook.
  const workspace = (await newWorkspace(alice.api)).api_id
  const { secret, ...created } = await newWebhook(
    alice.api,
    { workspace },
    { events: ['figure.*'] },
  )
  assert.match(secret, /^whsec_/)
  const id = created.api_id
  assert.deepEqual((await alice.api.get(`webhook/${id}/`)).body, created)
  assert.deepEqual((await alice.api.get(`workspace/${workspace}/webhook/`)).body, [created])
  const analysis = await newAnalysis(alice.api, workspace)
  const figure = await newFigure(alice.api, analysis.api_id)
  // The private address of the receiver is refused, with the request that would have been sent.
  const delivery = await attempted(id, ({ event }) => event === 'figure.created')
  const sent = JSON.parse(delivery.last_attempt?.request_body ?? '')
  assert.deepEqual(
    [sent.type, sent.data.object.api_id, sent.data.workspace, sent.data.actor],
    ['figure.created', figure.api_id, workspace, alice.username],
  )
  assert.match(delivery.last_attempt?.error ?? '', /not on the public Internet/)
  assert.equal(delivery.status, 'pending')
  const page = await alice.api.get<{ items: Delivery[] }>(`webhook/${id}/delivery/?page_size=1`)
  assert.equal(page.body.items.length, 1)
})

test('a webhook is tested, changed, given a new secret, sent again, and deleted', async () => {
  const { api_id: organization } = await newOrganization(alice.api)
  const path = `organization/${organization}/webhook/`
  const { body: webhook } = await alice.api.post<Webhook>(path, webhookToSend(), 201)
  const own = `webhook/${webhook.api_id}/`
  const { body: begun } = await alice.api.post<Delivery>(`${own}test/`, {}, 201)
  const tested = await attempted(webhook.api_id, ({ api_id }) => api_id === begun.api_id)
  assert.deepEqual([tested.event, tested.status, tested.attempts], ['webhook.test', 'failed', 1])
  const { body: rotated } = await alice.api.post<Webhook>(`${own}rotate_secret/`, {}, 200)
  assert.notEqual(rotated.secret, webhook.secret)
  await alice.api.post(`webhook_delivery/${begun.api_id}/redeliver/`, {}, 200)
  const { body: changed } = await alice.api.patch<Webhook>(own, { active: false, format: 'slack' })
  assert.equal(changed.active, false)
  const { body: refusal } = await alice.api.post<Refusal>(
    `webhook_delivery/${begun.api_id}/redeliver/`,
    {},
    409,
  )
  assert.equal(refusal.error, 'webhook_inactive')
  await alice.api.delete(own, 204)
  await alice.api.get(own, 404)
})

test('wrong values are refused with the name of their member', async () => {
  const path = `workspace/${(await newWorkspace(alice.api)).api_id}/webhook/`
  for (const [member, value] of Object.entries({
    url: 'http://10.0.0.1/',
    events: ['figure.exploded'],
    objects: ['x'],
    format: 'pigeon',
    payload: 'fat',
    active: 1,
    retries: 3,
  })) {
    const { body } = await alice.api.post<Refusal>(
      path,
      { ...webhookToSend(), [member]: value },
      400,
    )
    assert.match(JSON.stringify(body), new RegExp(member))
  }
})
