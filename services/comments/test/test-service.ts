import { randomUUID } from 'node:crypto'
import { fromJson } from '@bufbuild/protobuf'
import { type Code, ConnectError, type ConnectRouter } from '@connectrpc/connect'
import { denied, detailOf, notFound, unauthenticated } from '@figbase/kit/errors'
import { actAs, anonymous, user } from '@figbase/kit/rpc'
import type { Service } from '@figbase/kit/service'
import { startTestService, type TestService } from '@figbase/kit/testing'
import { CatalogService, NodeType, type Permission } from '@figbase/proto/catalog'
import { type Comment, CommentsService } from '@figbase/proto/comments'
import { CommentAction, CommentChangedSchema } from '@figbase/proto/comments/events'
import jwt from 'jsonwebtoken'
import { sql } from 'kysely'
import type { Ctx } from '../src/context.js'
import { comments } from '../src/index.js'

export type Transport = 'local' | 'http2'

export const as = (username: string) => actAs(user(username))
export const ann = as('ann')
export const bob = as('bob')
export const eve = as('eve')
export const nobody = actAs(anonymous)

/** Targets in one workspace. Eve may view none of them; anonymous callers may view the public figure. */
export const figure = { targetId: randomUUID(), targetType: NodeType.FIGURE }
export const publicFigure = { targetId: randomUUID(), targetType: NodeType.FIGURE }
export const revision = { targetId: randomUUID(), targetType: NodeType.FIGURE_REVISION }
export const workspaceId = randomUUID()

const types = new Map<string, NodeType>(
  [figure, publicFigure, revision].map(({ targetId, targetType }) => [targetId, targetType]),
)

export type AccessCheck = { username: string; id: string; permission: Permission }

/** A stub of catalog. */
const catalog = (accessChecks: AccessCheck[]) => (router: ConnectRouter) =>
  router.service(CatalogService, {
    checkAccess({ id, type, permission }, { requestHeader }) {
      const claims = jwt.decode(requestHeader.get('figbase-principal') ?? '', { json: true })
      const username = String(claims?.u ?? '')
      accessChecks.push({ username, id, permission })
      const exists = types.has(id) && types.get(id) === type
      if (exists && (id === publicFigure.targetId || ['ann', 'bob'].includes(username))) {
        return { type, workspaceId }
      }
      if (!username) throw unauthenticated('not_authenticated', 'sign in first')
      throw exists ? denied('COMMENT') : notFound('this object')
    },
  })

export type Started = Omit<TestService, 'client'> & {
  client: ReturnType<typeof clientOf>
  ctx: Ctx
  /** The number of statements executed outside transactions. */
  statements(): number
  /** The calls to catalog, in order. */
  accessChecks: AccessCheck[]
  /** Creates a comment by ann on the figure. */
  write(content?: string, parentCommentId?: string): Promise<Comment>
  list(target?: typeof figure): Promise<Comment[]>
  /** The published events, in order. */
  published(): Promise<string[]>
}

const clientOf = (started: TestService) => started.client(CommentsService)

export async function start(
  transport: Transport,
  env: Record<string, string> = {},
): Promise<Started> {
  let ctx: Ctx | undefined
  const accessChecks: AccessCheck[] = []
  let statements = 0
  const observed: Service = {
    ...comments,
    context: (kit, cfg) => {
      ctx = comments.context({ ...kit, db: counting(kit.db, () => statements++) }, cfg)
      return ctx
    },
    // mail-mention.test.ts tests the mail.
    jobs: comments.jobs?.map((job) => ({ ...job, run: async () => {} })) ?? [],
  }
  const started = await startTestService(observed, { transport, env, peers: catalog(accessChecks) })
  if (!ctx) throw new Error('the service did not create a context')
  const client = clientOf(started)
  const { db } = ctx
  return {
    ...started,
    client,
    ctx,
    accessChecks,
    statements: () => statements,
    async write(content = 'Hello', parentCommentId = '') {
      const { comment } = await client.createComment({ ...figure, content, parentCommentId }, ann)
      if (!comment) throw new Error('the response has no comment')
      return comment
    },
    async list(target = figure) {
      const all: Comment[] = []
      for await (const part of client.listComments(target, ann)) all.push(...part.comments)
      return all
    },
    async published() {
      const { rows } = await sql<{ message: { actor: string; payload: object } }>`
        select message from (
          select message, 1 as later from outbox union all select message, 0 from outbox_sent
        ) m order by later, message->>'id'`.execute(db)
      return rows.map(({ message: { actor, payload } }) => {
        const { commentId, action } = fromJson(CommentChangedSchema, payload as never)
        return `${actor} ${CommentAction[action]} ${commentId}`
      })
    },
  }
}

/** The database, calling `onStatement` for each executed statement. */
const counting = <T extends object>(db: T, onStatement: () => void): T =>
  new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'executeQuery') onStatement()
        return value.apply(target, args)
      }
    },
  })

export type Failure = { code: Code; error: string | undefined; fields: string[] }

/** The error of a call that must fail: its code, the API's `error`, and the fields that it names. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof ConnectError)) throw new Error(`expected a failure, got ${String(error)}`)
  const detail = detailOf(error)
  const fields = detail?.fields.map(({ field }) => field) ?? []
  return { code: error.code, error: detail?.error, fields }
}
