import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf } from '@figbase/kit/errors'

export type Expected = { code?: keyof typeof Code; error?: string; field?: string; reason?: string }

/** The call fails with this error. Only the given members are compared. */
export async function failsWith(call: Promise<unknown>, expected: Expected): Promise<void> {
  let failure: unknown
  try {
    await call
  } catch (error) {
    failure = error
  }
  if (!(failure instanceof ConnectError)) assert.fail(`not refused: ${String(failure)}`)
  const detail = detailOf(failure)
  const actual: Record<string, unknown> = {
    code: Code[failure.code],
    error: detail?.error,
    field: detail?.fields[0]?.field,
    reason: detail?.fields[0]?.reason,
  }
  const compared = Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key]]))
  assert.deepEqual(compared, expected, failure.message)
}

/** Retries a check that becomes true shortly after the call. */
export async function settled(check: () => Promise<void>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await check()
      return
    } catch {
      await sleep(20)
    }
  }
  await check()
}
