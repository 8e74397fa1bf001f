import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf, failure, failureWith } from '@figbase/kit/errors'

export const aiFailed = () =>
  failure(Code.Aborted, 'ai_failed', 'the language model failed; try again')
export const aiTimedOut = () =>
  failure(Code.DeadlineExceeded, 'ai_timeout', 'the language model did not respond in time')
export const aiOverloaded = (retryAfterSeconds: number) =>
  failureWith(Code.Unavailable, 'the language model is overloaded; try again later', {
    error: 'ai_overloaded',
    retryAfterSeconds,
  })

const tooLong = 'ai_too_long'
/** Not a failure of the provider: it was sending, or its reader was slow. */
export const aiTookTooLong = () =>
  failure(Code.DeadlineExceeded, tooLong, 'the answer of the language model took too long')
export const isTooLong = (error: unknown) =>
  error instanceof ConnectError && detailOf(error)?.error === tooLong
