import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import type { Client, ConnectRouter } from '@connectrpc/connect'
import { denied, notFound } from '@figbase/kit/errors'
import { eventOf } from '@figbase/kit/events'
import type { Service } from '@figbase/kit/service'
import { startTestService } from '@figbase/kit/testing'
import { CatalogService, NodeType, Permission } from '@figbase/proto/catalog'
import { NodeChangedSchema } from '@figbase/proto/catalog/events'
import { CommentsService } from '@figbase/proto/comments'
import { AccountsService } from '@figbase/proto/identity/accounts'
import { SiteService } from '@figbase/proto/identity/site'
import {
  type CreateWebhookRequestSchema,
  type Webhook,
  type WebhookDelivery,
  WebhookDeliveryState,
  WebhooksService,
} from '@figbase/proto/webhooks'
import { Webhook as Verifier } from 'standardwebhooks'
import type { Ctx } from '../../src/context.js'
import { tasks } from '../../src/index.js'
import { receiveEvent } from './receive.js'
import { ann } from './started.js'

export type Received = {
  id: string
  headers: Record<string, string>
  body: string
  json: JsonObject
}

export type Receiver = AsyncDisposable & {
  url: string
  received: Received[]
  /** Resolves when so many requests have arrived. */
  until(count: number): Promise<void>
}

/** A receiver of webhooks; answers 204 unless `answer` does something else. */
export async function startReceiver(
  answer: (response: ServerResponse, request: Received, path: string) => unknown = (response) =>
    response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = []
  const arrivals = new EventEmitter()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const headers = singleHeaders(request.headers)
    const one = { id: headers['webhook-id'] ?? '', headers, body, json: JSON.parse(body) }
    received.push(one)
    arrivals.emit('arrival')
    await answer(response, one, request.url ?? '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async until(count) {
      while (received.length < count) await once(arrivals, 'arrival')
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const singleHeaders = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

type FakeNode = { id: string; type: NodeType; workspaceId: string; parentId: string; name: string }

export type Hooks = AsyncDisposable & {
  client: Client<typeof WebhooksService>
  ctx: Ctx
  /** The texts of comments, by their id. */
  contents: Map<string, string>
  databaseUrl: string
  /** Adds a node to the stand-in for catalog. Ann manages everything, bob may view it. */
  addNode(node?: Partial<FakeNode>): FakeNode
  /** Creates a webhook of ann; of a new workspace, unless it names one. */
  create(request: MessageInitShape<typeof CreateWebhookRequestSchema>): Promise<Created>
  /** Stores an event as the consumer does, caused by bob. */
  receive(event: { name: string }, payload: JsonObject): Promise<void>
  /** Stores the event of an update of a figure; returns the id of the figure. */
  update(workspaceId: string, figureId?: string): Promise<string>
  deliveries(webhookId: string): Promise<WebhookDelivery[]>
  /** Resolves when the deliveries of the webhook meet the condition. */
  until(
    webhookId: string,
    isMet: (deliveries: WebhookDelivery[]) => boolean,
  ): Promise<WebhookDelivery[]>
  /** The mails that were sent. */
  mails(): Promise<string[]>
}

/** Throws if the signature is wrong. */
export const verify = ({ body, headers }: Received, secret: string): unknown =>
  new Verifier(secret).verify(body, headers)

/** A run that is stuck ends. */
const waitMsMax = 60_000

export const areDelivered = (count: number) => (deliveries: WebhookDelivery[]) =>
  deliveries.filter(({ state }) => state === WebhookDeliveryState.DELIVERED).length === count

export type Created = { webhook: Webhook; secret: string }

/** Starts the service with stand-ins for its peers; receivers on this machine are allowed. */
export async function startHooks(
  env: Record<string, string> = {},
  databaseUrl?: string,
): Promise<Hooks> {
  const nodes = new Map<string, FakeNode>()
  const contents = new Map<string, string>()
  const mailDir = await mkdtemp(join(tmpdir(), 'figbase-mails-'))
  let ctx: Ctx | undefined
  const observed: Service = {
    ...tasks,
    context: (kit, cfg) => {
      ctx = tasks.context(kit, cfg)
      return ctx
    },
  }
  const started = await startTestService(observed, {
    transport: 'local',
    peers: (router) => addPeers(router, nodes, contents),
    env: {
      OUTBOUND_HOSTS_ALLOWED: '127.0.0.1',
      PUBLIC_URL: 'https://figbase.example.org',
      WEBHOOK_RETRY_DELAY_MIN: '20ms',
      MAIL_DIR: mailDir,
      ...env,
    },
    ...(databaseUrl && { databaseUrl }),
  })
  if (!ctx) throw new Error('the service created no context')
  const opened = ctx
  const client = started.client(WebhooksService)

  const receive = (event: { name: string }, payload: JsonObject) =>
    receiveEvent(opened, event, payload)
  const addNode = (node: Partial<FakeNode> = {}) => {
    const { id = randomUUID(), type = NodeType.WORKSPACE, workspaceId = '', ...rest } = node
    const added = { id, type, workspaceId, parentId: '', name: 'Cells', ...rest }
    nodes.set(id, added)
    return added
  }
  const listDeliveries = async (webhookId: string) =>
    (await client.listWebhookDeliveries({ webhookId }, ann)).deliveries
  return {
    client,
    ctx,
    contents,
    databaseUrl: started.databaseUrl,
    addNode,
    receive,
    async create(request) {
      const placeId = request.placeId ?? addNode().id
      const answer = await client.createWebhook(
        { placeType: NodeType.WORKSPACE, events: ['*'], isActive: true, ...request, placeId },
        ann,
      )
      assert.ok(answer.webhook)
      return { webhook: answer.webhook, secret: answer.secret }
    },
    async update(workspaceId, figureId = addNode({ type: NodeType.FIGURE, workspaceId }).id) {
      const change = { action: 'NODE_ACTION_UPDATE', type: 'NODE_TYPE_FIGURE', name: 'Cells' }
      await receive(eventOf(NodeChangedSchema), { nodeId: figureId, workspaceId, ...change })
      return figureId
    },
    deliveries: listDeliveries,
    async until(webhookId, isMet) {
      const late = AbortSignal.timeout(waitMsMax)
      for (;;) {
        const deliveries = await listDeliveries(webhookId)
        if (isMet(deliveries)) return deliveries
        late.throwIfAborted()
        await sleep(10)
      }
    },
    async mails() {
      // Others are still being written.
      const names = (await readdir(mailDir)).filter((name) => name.endsWith('.eml'))
      return Promise.all(names.map((name) => readFile(join(mailDir, name), 'utf8')))
    },
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]()
      await rm(mailDir, { recursive: true, force: true })
    },
  }
}

function addPeers(
  router: ConnectRouter,
  nodes: Map<string, FakeNode>,
  contents: Map<string, string>,
) {
  router.service(CatalogService, {
    checkAccess({ id, permission }, { requestHeader }) {
      const username = callerOf(requestHeader)
      if (!nodes.has(id) || !['ann', 'bob'].includes(username)) throw notFound('this object')
      if (username !== 'ann') throw denied(Permission[permission])
      return {}
    },
    listViewers: ({ nodeIds, usernames }) => ({
      nodes: nodeIds.map((nodeId) => ({ nodeId, usernames })),
    }),
    readPlaces: ({ ids }) => ({
      nodes: ids.flatMap((id) => {
        const node = nodes.get(id)
        return node ? [{ node }] : []
      }),
    }),
    listChildren: ({ parentId }) => ({
      nodes: [...nodes.values()].filter((node) => node.parentId === parentId),
    }),
  })
  router.service(AccountsService, {
    listRecipients: ({ usernames }) => ({
      recipients: usernames.map((username) => ({ username, email: `${username}@example.org` })),
    }),
  })
  router.service(CommentsService, {
    async *readComments({ ids }) {
      for (const id of ids)
        if (contents.has(id)) yield { comment: { id, content: contents.get(id) ?? '' } }
    },
  })
  router.service(SiteService, { getPublicSettings: () => ({ siteName: 'Lab' }) })
}

function callerOf(header: Headers): string {
  const [, claims = ''] = (header.get('figbase-principal') ?? '').split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).u
}
