import assert from 'node:assert/strict'
import { ConnectError } from '@connectrpc/connect'

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.ok(outcome instanceof ConnectError, `expected a failure, got ${String(outcome)}`)
  return outcome
}
