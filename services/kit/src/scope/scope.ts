import { AsyncLocalStorage } from 'node:async_hooks'
import { errorTypeOf } from './error-type.js'
import type { Attributes, Span, SpanKind } from './span.js'

/** The current operation: a request, call, event or job. */
export type Scope = { requestId: string; span?: Span | undefined }

const scopes = new AsyncLocalStorage<Scope>()

export const currentScope = (): Scope | undefined => scopes.getStore()

export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

/** For work that a request starts without waiting for it. */
export const outOfScope = <T>(work: () => T): T => scopes.exit(work)

/** The `traceparent` by which another process continues the current trace, if any. */
export const currentTraceparent = (): string | undefined => currentScope()?.span?.traceparent

/** Runs work as a child span of the current trace, if any. */
export async function traced<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const scope = currentScope()
  if (!scope?.span?.isRecorded) return work()
  const span = scope.span.child(name, kind, attributes)
  return ending(span, inScope({ ...scope, span }, work))
}

/** Ends the span when the work settles. */
export async function ending<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    const result = await work
    span.end()
    return result
  } catch (error) {
    span.end(errorTypeOf(error))
    throw error
  }
}
