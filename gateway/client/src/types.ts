import type { components, paths } from './api.js'
import type { QueryValue } from './urls.js'

export type Schemas = components['schemas']
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: { responses: unknown } } ? P : never
}[keyof paths] &
  string

type Operation<P, M extends Method> = P extends keyof paths
  ? M extends keyof paths[P]
    ? paths[P][M]
    : never
  : never

/** What every request may have. */
export type RequestOptions = {
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
  /** Limit of each attempt, in milliseconds. */
  timeoutMs?: number | undefined
  retriesMax?: number | undefined
  /** By default, a new key for each POST that creates. */
  idempotencyKey?: string
}

type PathValues<O> = O extends { parameters: { path: infer T } } ? { path: T } : unknown
// Pages are read with `list`; `shallow` would make the type of the answer a guess, and `fields` is better.
type QueryOf<O> = O extends { parameters: { query?: infer Q } }
  ? { query?: Omit<NonNullable<Q>, 'page_size' | 'cursor' | 'shallow'> }
  : O extends { parameters: { query: infer Q } }
    ? { query: Q }
    : unknown
type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { body?: B }
    : unknown

export type InitOf<P, M extends Method> = RequestOptions &
  PathValues<Operation<P, M>> &
  QueryOf<Operation<P, M>> &
  BodyOf<Operation<P, M>>

/** The last argument may be left out if it has no required member. */
export type InitArgument<P, M extends Method> =
  Record<never, never> extends InitOf<P, M> ? [init?: InitOf<P, M>] : [init: InitOf<P, M>]

type JsonOf<R> = R extends { content: { 'application/json': infer J } } ? J : undefined
// Beside a 200, a 202 says that a picture is not ready, and a plain call asks for none.
type SuccessStatus<R> = 200 extends keyof R ? 200 | 201 | 204 : 201 | 202 | 204
type SuccessOf<O> = O extends { responses: infer R }
  ? { [S in keyof R]: S extends SuccessStatus<R> ? JsonOf<R[S]> : never }[keyof R]
  : never

/** A list answers an array; only `list` asks it for pages. */
type WithoutPages<T> = [Extract<T, readonly unknown[]>] extends [never]
  ? T
  : Extract<T, readonly unknown[]>

/** Whether one of `All` has all members of `T`, and more. */
type HasNarrower<T, All> = true extends (All extends T ? (T extends All ? false : true) : false)
  ? true
  : false
/** A document is answered in full. */
type Fullest<T, All = T> = T extends unknown
  ? HasNarrower<T, All> extends true
    ? never
    : T
  : never

export type ResultOf<P, M extends Method> = Fullest<WithoutPages<SuccessOf<Operation<P, M>>>>

/** The paths that have pages, and their items. */
export type ListPath = {
  [P in PathOf<'get'>]: Operation<P, 'get'> extends { parameters: { query?: { cursor?: unknown } } }
    ? P
    : never
}[PathOf<'get'>]
type PageOf<T> = Extract<T, { items?: readonly unknown[] | undefined; next: unknown }>
export type ItemOf<P> =
  PageOf<SuccessOf<Operation<P, 'get'>>> extends { items?: readonly (infer I)[] | undefined }
    ? I
    : never

/** The members that the implementation of a request reads. */
export type AnyInit = RequestOptions & {
  path?: Record<string, string | number>
  query?: Record<string, QueryValue>
  body?: unknown
}
