import { AsyncLocalStorage } from 'node:async_hooks'
import { errorTypeOf } from './error-type.js'
import type { Attributes, Span, SpanKind } from './span.js'

/** What is worked on: a request, a call, an event, a job. */
export type Scope = { requestId: string; span?: Span | undefined }

const scopes = new AsyncLocalStorage<Scope>()

export const currentScope = (): Scope | undefined => scopes.getStore()

export const inScope = <T>(scope: Scope, work: () => T): T => scopes.run(scope, work)

/** For what a request sets in motion and does not wait for. */
export const outOfScope = <T>(work: () => T): T => scopes.exit(work)

/** What continues the current trace elsewhere, if there is one. */
export const currentTraceparent = (): string | undefined => currentScope()?.span?.traceparent

/** Does the work as an operation of the current trace, if there is one. */
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

/** Ends the span with the work. */
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
