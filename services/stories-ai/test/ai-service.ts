import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
import { denied, invalid } from '@figbase/kit/errors'
import { actAs, user } from '@figbase/kit/rpc'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { CatalogService, NodeType, Permission } from '@figbase/proto/catalog'
import { PlansService, type PlanTermsSchema } from '@figbase/proto/catalog/plans'
import { SiteService } from '@figbase/proto/identity/site'
import { type AskResponse, InsightService } from '@figbase/proto/insight'
import { DataType, RevisionsService } from '@figbase/proto/revisions'
import jwt from 'jsonwebtoken'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import { storiesAi } from '../src/index.js'
import { settleExpiredRequests } from '../src/periodic/settle-expired-requests.js'
import { type ModelServer, startModelServer } from './model-server/model-server.js'

export type Protocol = 'openai' | 'anthropic'
export const protocols: Protocol[] = ['openai', 'anthropic']

export const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => actAs(user(name))) as [
  ReturnType<typeof actAs>,
  ReturnType<typeof actAs>,
  ReturnType<typeof actAs>,
]

/** One figure revision in a workspace: ann manages it, bob may comment, eve may only view. */
export class Peers {
  readonly revisionId = randomUUID()
  readonly workspaceId = randomUUID()
  readonly organizationId = randomUUID()
  terms: MessageInitShape<typeof PlanTermsSchema> = {}
  site = { aiEnabled: true, aiModel: 'small' }
  figureName = 'Monthly means'
  codeName = 'plot.py'
  readonly granted = { ann: Permission.MANAGE, bob: Permission.COMMENT, eve: Permission.VIEW }

  readonly routes = (router: ConnectRouter) =>
    router
      .service(CatalogService, {
        checkAccess: ({ id, permission }, { requestHeader }) => {
          const claims = jwt.decode(requestHeader.get('figbase-principal') ?? '', { json: true })
          const known: string[] = [this.revisionId, this.workspaceId, this.organizationId]
          if (!known.includes(id)) throw invalid('id', 'does not exist')
          const order = [Permission.VIEW, Permission.COMMENT, Permission.MANAGE]
          const has = order.indexOf(this.granted[claims?.u as keyof Peers['granted']])
          if (has < order.indexOf(permission)) throw denied(Permission[permission])
          return { type: NodeType.FIGURE_REVISION, workspaceId: this.workspaceId }
        },
        readPlaces: ({ ids }) => {
          const { workspaceId, organizationId } = this
          const types = new Map<string, NodeType>([
            [workspaceId, NodeType.WORKSPACE],
            [organizationId, NodeType.ORGANIZATION],
          ])
          return {
            nodes: ids
              .filter((id) => types.has(id))
              .map((id) => ({ node: { id, type: types.get(id) } })),
          }
        },
      })
      .service(PlansService, {
        getPlanTerms: () => {
          const { workspaceId: holderId, organizationId, terms } = this
          return { holderId, organizationId, terms }
        },
      })
      .service(SiteService, { getPublicSettings: () => this.site })
      .service(RevisionsService, {
        getRevision: ({ id }) => {
          const data = [
            { id: randomUUID(), name: this.codeName, type: DataType.CODE, sizeBytes: 11n },
          ]
          return { revision: { node: { id }, parent: { name: this.figureName }, data } }
        },
        readThumbnail: () => ({ png: new Uint8Array() }),
        async *readData() {
          yield { part: { case: 'chunk', value: Buffer.from('plot(means)') } }
        },
        // The data has no extracted texts.
        async *readTexts() {},
      })
}

export type UsageRow = {
  username: string
  model: string
  route: string
  month: string
  requests: number
  input: number
  output: number
  estimated: number
}

export type AiService = AsyncDisposable & {
  service: TestService
  ctx: Ctx
  peers: Peers
  model: ModelServer
  insight: ReturnType<typeof insightOf>
  /** All parts of the answer to a question. */
  ask(prompt: string, as?: typeof ann, signal?: AbortSignal): Promise<AskResponse[]>
  usage(): Promise<UsageRow[]>
  open(): Promise<{ id: string; input_tokens: number; output_tokens: number }[]>
  quota(): Promise<{ used: number; reserved: number }>
  /** Runs the job that settles requests of processes that ended, as if their time had passed. */
  settleExpired(): Promise<void>
}

const insightOf = (service: TestService) => service.client(InsightService)

type Options = {
  protocol?: Protocol
  transport?: 'local' | 'http2'
  env?: Record<string, string>
  databaseUrl?: string
  model?: ModelServer
  peers?: Peers
}

/** The service with a scripted model and stubs of the other services. */
export async function startAi(options: Options = {}): Promise<AiService> {
  const { protocol = 'openai', transport = 'local', env = {}, databaseUrl } = options
  const model = options.model ?? (await startModelServer())
  const peers = options.peers ?? new Peers()
  let ctx: Ctx | undefined
  const observed = {
    ...storiesAi,
    context: (kit: never, cfg: never) => {
      ctx = storiesAi.context(kit, cfg)
      return ctx
    },
  }
  const service = await startTestService(observed, {
    transport,
    ...(databaseUrl && { databaseUrl }),
    env: {
      AI_PROVIDER: protocol,
      AI_BASE_URL: protocol === 'openai' ? model.openaiUrl : model.anthropicUrl,
      AI_API_KEY: model.apiKey,
      AI_MODELS: 'small, large',
      AI_RETRIES_MAX: '0',
      ...env,
    },
    peers: (router) => void peers.routes(router),
  }).catch(async (error: unknown) => {
    if (!options.model) await model[Symbol.asyncDispose]()
    throw error
  })
  if (!ctx) throw new Error('the service did not create a context')
  const { db } = ctx
  const started = ctx
  const insight = insightOf(service)
  return {
    service,
    ctx,
    peers,
    model,
    insight,
    async ask(prompt, as = ann, signal) {
      const question = { case: 'figure' as const, value: { revisionId: peers.revisionId, prompt } }
      const parts: AskResponse[] = []
      for await (const part of insight.ask({ question }, { ...as, ...(signal && { signal }) })) {
        parts.push(part)
      }
      return parts
    },
    async usage() {
      const { rows } = await sql<UsageRow>`
        select username, model, route, month::text, requests::int, input_tokens::int as input,
               output_tokens::int as output, estimated_tokens::int as estimated
          from ai_usage order by username, model, route`.execute(db)
      return rows
    },
    async open() {
      const { rows } = await sql<{ id: string; input_tokens: number; output_tokens: number }>`
        select id, input_tokens, output_tokens from ai_request`.execute(db)
      return rows
    },
    async quota() {
      const { rows } = await sql<{ used: number; reserved: number }>`
        select coalesce(sum(used_tokens), 0)::int as used, coalesce(sum(reserved_tokens), 0)::int as reserved
          from ai_quota`.execute(db)
      return rows[0] ?? { used: 0, reserved: 0 }
    },
    async settleExpired() {
      await sql`update ai_request set expires_on = now() - interval '1 s'`.execute(db)
      await settleExpiredRequests.run(started, new AbortController().signal)
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      if (!options.model) await model[Symbol.asyncDispose]()
    },
  }
}

export const deltasIn = (parts: AskResponse[]): string[] =>
  parts.flatMap(({ event }) => (event.case === 'delta' ? [event.value] : []))

export function usageIn(parts: AskResponse[]) {
  for (const { event } of parts) {
    if (event.case !== 'usage') continue
    const { inputTokens: input, outputTokens: output, isEstimate } = event.value
    return { input, output, isEstimate }
  }
  return undefined
}

export const doneIn = (parts: AskResponse[]) =>
  parts.flatMap(({ event }) => (event.case === 'done' ? [event.value] : []))[0]

/** Waits until a condition is true. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  ms = 5000,
): Promise<void> {
  const end = performance.now() + ms
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
