import type { IncomingHttpHeaders } from 'node:http'
import type { CallOptions, Client } from '@connectrpc/connect'
import type { Site } from '@figbase/kit'
import type { CatalogService, NodeType, Permission } from '@figbase/proto/catalog'
import type { PeopleService } from '@figbase/proto/catalog/people'
import type { PlansService } from '@figbase/proto/catalog/plans'
import type { CommentsService } from '@figbase/proto/comments'
import type { IdentityService } from '@figbase/proto/identity'
import type { AccountsService } from '@figbase/proto/identity/accounts'
import type { SignInService } from '@figbase/proto/identity/sign-in'
import type { SiteService } from '@figbase/proto/identity/site'
import type { SshKeysService } from '@figbase/proto/identity/ssh-keys'
import type { RevisionsService } from '@figbase/proto/revisions'
import type { TasksService } from '@figbase/proto/tasks'
import type { z } from 'zod'
import type { Config } from './config.js'
import type { Content } from './http/content.js'
import type { ErrorAnswer } from './http/errors.js'
import type { UploadEvent } from './http/json/upload-scanner.js'
import type { Version } from './versions.js'

export type Services = {
  identity: Client<typeof IdentityService>
  site: Client<typeof SiteService>
  catalog: Client<typeof CatalogService>
  plans: Client<typeof PlansService>
  revisions: Client<typeof RevisionsService>
  comments: Client<typeof CommentsService>
  tasks: Client<typeof TasksService>
  accounts: Client<typeof AccountsService>
  people: Client<typeof PeopleService>
  signIn: Client<typeof SignInService>
  sshKeys: Client<typeof SshKeysService>
}

export type ServerSentEvent = { id: string; event: string; data: unknown }

/** Events as they happen; sent until `end` is aborted, or the caller may not have them any more. */
export type EventStream = {
  events: AsyncIterable<ServerSentEvent>
  end: AbortController
  /** Looked at with each heartbeat. */
  isAllowed(): Promise<boolean>
  heartbeatMs: number
}

/**
 * An answer: JSON (see `http/json/json-writer.ts` for what streams), bytes or text of another type, immutable
 * content of which parts may be asked for, or server-sent events. `cookies` are whole `Set-Cookie` values.
 */
export type Reply = { status: number; headers?: Record<string, string>; cookies?: string[] } & (
  | { body: unknown }
  | { bytes: Uint8Array; type: string }
  | { text: string; type: string }
  | { page: (site: Site) => string }
  | { content: Content }
  | { empty: true }
  | EventStream
)

/** With the text of a page. */
export type Rendered = Exclude<Reply, { page: unknown }>

export type Input<Body = unknown, Query = unknown> = {
  params: Record<string, string>
  query: Query
  body: Body
  headers: IncomingHttpHeaders
  version: Version
  /** Empty when the caller is anonymous. */
  username: string
  services: Services
  /** Passed to every call of a service: principal, deadline, abort. */
  call: CallOptions
  /** The same without the deadline, for what streams. */
  streamCall: CallOptions
  cfg: Config
  startedOn: Date
  clientAddress: string
  /** The body as it comes, for routes that say so (`bytesType`). */
  bytes(): AsyncGenerator<Uint8Array>
  /** Whether the caller's credentials are still good: for answers that last. */
  isAllowed(): Promise<boolean>
  /** Fires when the gateway begins to stop: for answers that last. */
  stopping: AbortSignal
}

/** What the caller needs a permission on; checked before a body that is odd in shape is refused. */
export type Guard = { id: string; permission: Permission; type: NodeType }

type Common = {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/{version}`, parameters as `:name`; a root path begins with `/api`, one of a page need not. */
  path: string
  since: Version
  /** `optional`: who signs in may do more. `none`: credentials are not even looked at. */
  auth: 'required' | 'optional' | 'none'
  /** Who sends no credentials may be known by the session of the browser: for pages, which change nothing. */
  takesSession?: boolean
  /** Whether sending the request twice does the same as once. */
  idempotent: boolean
  summary: string
  responses: Record<number, z.ZodType | null>
  /** What else than JSON a 200 may be, when the caller asks for it. */
  mediaType?: string
  /** On every answer, refusals too. */
  headers?: Record<string, string>
  /** What else a request carries, for the documentation: the handler checks it. */
  requestHeaders?: z.ZodObject
  /** The body is bytes of this type, which the handler reads while they come. */
  bytesType?: string
  /** What OPTIONS tells of the path. */
  optionsHeaders?(cfg: Config): Record<string, string>
  /** The request may also come as a POST with `X-HTTP-Method-Override`. */
  isOverriding?: boolean
}

export type Endpoint = Common & {
  body?: z.ZodType
  query?: z.ZodType
  /** The body may also come as a form. */
  acceptsForm?: boolean
  /** Without one the body is an empty object. */
  isBodyOptional?: boolean
  guard?(params: Record<string, string>, body: unknown): Guard | undefined
  /** How a refusal is answered, where not as the API's JSON; `path` is what was asked for. */
  refusal?(answer: ErrorAnswer, path: string): Reply
  /** The body is read by the handler while it comes. */
  upload?: boolean
  /** Of such a body; without it `UPLOAD_BODY_BYTES_MAX`. */
  bodyBytesMax?(cfg: Config): number
  handle(input: Input, upload: AsyncIterable<UploadEvent>): Promise<Reply>
}

type Declared<Body extends z.ZodType, Query extends z.ZodType> = Common & {
  body?: Body
  query?: Query
  acceptsForm?: boolean
  isBodyOptional?: boolean
  guard?(params: Record<string, string>, body: unknown): Guard | undefined
  handle(input: Input<z.output<Body>, z.output<Query>>): Promise<Reply>
}

/** Declares a route; the router, the validation, the 405s and OpenAPI are all made of this value. */
export function endpoint<Body extends z.ZodType, Query extends z.ZodType>(
  declared: Declared<Body, Query>,
): Endpoint {
  return declared as unknown as Endpoint
}

type DeclaredUpload = Common & {
  upload: true
  bodyBytesMax?(cfg: Config): number
  query?: z.ZodType
  /** For the documentation: the scanner and the handler check what comes. */
  body: z.ZodType
  handle(input: Input, upload: AsyncIterable<UploadEvent>): Promise<Reply>
}

export const uploadEndpoint = (declared: DeclaredUpload): Endpoint => declared

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
