import type { IncomingHttpHeaders } from 'node:http'
import type { CallOptions, Client } from '@connectrpc/connect'
import type { ReadSite } from '@figbase/kit/rpc'
import type { UsageService } from '@figbase/proto/ai-usage'
import type { CatalogService, NodeType, Permission } from '@figbase/proto/catalog'
import type { BillingService } from '@figbase/proto/catalog/billing'
import type { PeopleService } from '@figbase/proto/catalog/people'
import type { PlansService } from '@figbase/proto/catalog/plans'
import type { CodeEditorService } from '@figbase/proto/code-editor'
import type { CommentsService } from '@figbase/proto/comments'
import type { ComputeService } from '@figbase/proto/compute'
import type { GitService } from '@figbase/proto/git'
import type { IdentityService } from '@figbase/proto/identity'
import type { AccountsService } from '@figbase/proto/identity/accounts'
import type { DeviceLoginService } from '@figbase/proto/identity/device-login'
import type { KeyedRequestsService } from '@figbase/proto/identity/keyed-requests'
import type { SignInService } from '@figbase/proto/identity/sign-in'
import type { SiteService } from '@figbase/proto/identity/site'
import type { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import type { StaffService } from '@figbase/proto/identity/staff'
import type { InsightService } from '@figbase/proto/insight'
import type { NotificationsService } from '@figbase/proto/notifications'
import type { OperationsService } from '@figbase/proto/operations'
import type { RevisionsService } from '@figbase/proto/revisions'
import type { SearchService } from '@figbase/proto/search'
import type { StoriesService } from '@figbase/proto/stories'
import type { StoryWriterService } from '@figbase/proto/story-writer'
import type { TasksService } from '@figbase/proto/tasks'
import type { WebhooksService } from '@figbase/proto/webhooks'
import { z } from 'zod'
import type { Config } from './config.js'
import type { Content } from './http/content.js'
import type { ErrorAnswer } from './http/errors.js'
import type { UploadEvent } from './http/json/upload-scanner.js'
import type { BatchRead, BatchReply } from './http/read-in-batch.js'
import type { ResponseHeader } from './openapi/headers.js'
import type { FrameInput } from './pages/frame.js'
import type { ParquetPool } from './pages/tables/parquet-pool.js'
import type { Version } from './versions.js'

export type Services = {
  identity: Client<typeof IdentityService>
  site: Client<typeof SiteService>
  catalog: Client<typeof CatalogService>
  plans: Client<typeof PlansService>
  billing: Client<typeof BillingService>
  revisions: Client<typeof RevisionsService>
  git: Client<typeof GitService>
  comments: Client<typeof CommentsService>
  compute: Client<typeof ComputeService>
  search: Client<typeof SearchService>
  stories: Client<typeof StoriesService>
  insight: Client<typeof InsightService>
  storyWriter: Client<typeof StoryWriterService>
  codeEditor: Client<typeof CodeEditorService>
  aiUsage: Client<typeof UsageService>
  tasks: Client<typeof TasksService>
  webhooks: Client<typeof WebhooksService>
  notifications: Client<typeof NotificationsService>
  accounts: Client<typeof AccountsService>
  people: Client<typeof PeopleService>
  signIn: Client<typeof SignInService>
  deviceLogin: Client<typeof DeviceLoginService>
  sshKeys: Client<typeof SshKeysService>
  keyedRequests: Client<typeof KeyedRequestsService>
  staff: Client<typeof StaffService>
  /** The operations of each service, by its name. */
  operations: Record<string, Client<typeof OperationsService>>
}

export type ServerSentEvent = { id?: string; event: string; data: unknown }

/** Server-sent events. They are sent until they end, `end` is aborted or the credentials of the client become invalid. */
export type EventStream = {
  events: AsyncIterable<ServerSentEvent>
  end: AbortController
  /** Whether the credentials are still valid; called at each heartbeat. */
  isAllowed(): Promise<boolean>
  heartbeatMs: number
  /** How long a browser waits before it connects again; undefined: it must not. */
  retryMs?: number
}

/**
 * A response: JSON (`http/json/json-writer.ts` lists the values that stream), bytes, text or chunks of another type,
 * immutable content that supports range requests, or server-sent events. `cookies` are `Set-Cookie` values.
 */
export type Reply = { status: number; headers?: Record<string, string>; cookies?: string[] } & (
  | { body: unknown }
  | { bytes: Uint8Array; type: string }
  | { text: string; type: string }
  | { chunks: AsyncIterable<string>; type: string }
  | { page: (frame: FrameInput) => string }
  | { content: Content }
  | { empty: true }
  | EventStream
)

/** A reply whose page, if it is one, has been rendered to text. */
export type Rendered = Exclude<Reply, { page: unknown }>

export type Input<Body = unknown, Query = unknown> = {
  params: Record<string, string>
  query: Query
  body: Body
  headers: IncomingHttpHeaders
  /** The requested address, without scheme and host. */
  url: string
  /** The request is a HEAD. */
  isHead: boolean
  version: Version
  /** Empty when the caller is anonymous. */
  username: string
  services: Services
  /** Options for every RPC: principal, deadline, abort signal. */
  call: CallOptions
  /** The same without a deadline, for streaming RPCs. */
  streamCall: CallOptions
  cfg: Config
  /** Reads Parquet tables for pages. */
  parquet: ParquetPool
  /** The public settings of the site, cached for a second. */
  readSite: ReadSite
  startedOn: Date
  clientAddress: string
  /** Aborted when the client closes the connection. */
  clientGone: AbortSignal
  /** Handles a GET of the same caller. */
  readInBatch(read: BatchRead): Promise<BatchReply>
  /** The body as a stream, for routes with a `bytesType`. */
  bytes(): AsyncGenerator<Uint8Array>
  /** Whether the client's credentials are still valid; for long-lived responses. */
  isAllowed(): Promise<boolean>
  /** Aborted when the gateway begins to stop; for long-lived responses. */
  stopping: AbortSignal
}

/** The permission that the route needs. It is checked before an invalid body is reported. */
export type Guard = { id: string; permission: Permission; type: NodeType }

/** What the OpenAPI document says about a route of the API, other than what the gateway itself checks. */
export type Documentation = {
  /** A verb and an object: `listFigures`. */
  operationId: string
  /** One sentence, without its period. */
  summary: string
  /** Sentences that add to the summary. */
  description: string
  idempotent: boolean
  responses: Record<number, z.ZodType | null>
  /** The type of a 200 response that is not JSON, if the client asks for it. */
  mediaType?: string
  /** Each event, if that type is `text/event-stream`. */
  events?: z.ZodType
  /** The handler checks these headers itself. */
  requestHeaders?: z.ZodObject
  /** The headers of successful responses that depend on the route. */
  responseHeaders?: ResponseHeader[]
  /** The `error` values that the route responds with, beside those that follow from its declaration. */
  errors?: Record<number, string[]>
}

type Common = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/api/{version}`, unless it begins with `/api` or belongs to an HTML page. Parameters are `:name`. */
  path: string
  since: Version
  /** `optional`: anonymous requests are allowed. `none`: credentials are ignored. */
  auth: 'required' | 'optional' | 'none'
  /** Maximum size of the body; default `UPLOAD_BODY_BYTES_MAX` if it is streamed, else `JSON_BODY_BYTES_MAX`. */
  bodyBytesMax?(cfg: Config): number
  /** Accepts the session cookie of a browser in place of credentials; only for pages, and forms with a token. */
  acceptsSession?: boolean
  /**
   * For a POST that is not idempotent: what `Idempotency-Key` does. `supported`: a repetition gets the same answer;
   * `secret`: a 400, because the answer contains a secret, which is not stored; else no effect, with the reason.
   */
  idempotencyKey?: 'supported' | 'secret' | `no effect: ${string}`
  /** The response may take longer than a connection may be idle. */
  isLong?: boolean
  /** Sent with every response, errors included. */
  headers?: Record<string, string>
  /** The body has this type, and the handler reads it as a stream. */
  bytesType?: string
  /** Additional headers of the response to OPTIONS. */
  optionsHeaders?(cfg: Config): Record<string, string>
  /** Also accepts a POST with `X-HTTP-Method-Override`. */
  allowsMethodOverride?: boolean
}

/** A route of the API or an HTML page. */
export type Route = Common & {
  body?: z.ZodType
  query?: z.ZodType
  /** Also accepts a URL-encoded form. */
  acceptsForm?: boolean
  /** Also accepts a form with files (multipart), which are Buffers in the body. */
  acceptsFiles?: boolean
  /** A missing body counts as an empty object. */
  isBodyOptional?: boolean
  guard?(params: Record<string, string>, body: unknown): Guard | undefined
  /** Makes the response to an error, if it is not JSON. */
  errorReply?(answer: ErrorAnswer, request: Pick<Input, 'url' | 'headers'>): Reply
  /** The handler reads the body as a stream. */
  upload?: boolean
  handle(input: Input, upload: AsyncIterable<UploadEvent>): Promise<Reply>
}

/** A route of the API. */
export type Endpoint = Route & Documentation

type DeclaredRoute<Body extends z.ZodType, Query extends z.ZodType> = Omit<
  Route,
  'body' | 'query' | 'upload' | 'handle'
> & {
  body?: Body
  query?: Query
  handle(input: Input<z.output<Body>, z.output<Query>>): Promise<Reply>
}

/** Declares a route whose handler gets the validated body and query. */
export function route<Body extends z.ZodType, Query extends z.ZodType>(
  declared: DeclaredRoute<Body, Query>,
): Route {
  return declared as unknown as Route
}

/** Declares a route of the API. The router, validation, 405 responses and the OpenAPI document all use this value. */
export function endpoint<Body extends z.ZodType, Query extends z.ZodType>(
  declared: DeclaredRoute<Body, Query> & Documentation,
): Endpoint {
  return withKeyHeader(declared as unknown as Endpoint)
}

/** Adds the header `Idempotency-Key` to the OpenAPI document. */
function withKeyHeader(declared: Endpoint): Endpoint {
  if (declared.idempotencyKey !== 'supported') return declared
  const { requestHeaders = z.object({}) } = declared
  const key = z.string().min(1).max(257).optional()
  return { ...declared, requestHeaders: requestHeaders.extend({ 'Idempotency-Key': key }) }
}

type DeclaredUpload = Common &
  Documentation & {
    upload: true
    query?: z.ZodType
    /** Only for the OpenAPI document: the scanner and the handler check the body. */
    body: z.ZodType
    handle(input: Input, upload: AsyncIterable<UploadEvent>): Promise<Reply>
  }

export const uploadEndpoint = (declared: DeclaredUpload): Endpoint => withKeyHeader(declared)

export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 200,
  body,
  ...(headers && { headers }),
})
export const created = (body: unknown, headers?: Record<string, string>): Reply => ({
  status: 201,
  body,
  ...(headers && { headers }),
})
export const noContent: Reply = { status: 204, empty: true }
