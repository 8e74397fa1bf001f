import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  Code,
  ConnectError,
  createContextValues,
  type StreamRequest,
  type UnaryRequest,
} from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import type { Logger } from '../log.js'
import { type Caller, type CallerKeys, callerKey } from './caller.js'
import { serverInterceptor } from './interceptors.js'
import { system } from './principal.js'

const caller: Caller = {
  principal: system,
  requestId: 'r-1',
  address: '',
  keyedRequest: '',
  isPeer: true,
}
const reset = new ConnectError('http/2 stream closed with error code INTERNAL_ERROR', Code.Internal)

/** Calls a server stream that yields `first` and then fails with `end`; returns its messages and what was logged. */
async function stream(signal: AbortSignal, end: unknown) {
  const errors: unknown[] = []
  const log = { error: (entry: unknown) => errors.push(entry), warn() {}, debug() {} }
  const interceptor = serverInterceptor({} as CallerKeys, log as unknown as Logger, {})
  async function* messages() {
    yield 'first'
    throw end
  }
  const req = {
    stream: true,
    service: RevisionsService,
    method: RevisionsService.method.readData,
    header: new Headers(),
    contextValues: createContextValues().set(callerKey, caller),
    signal,
  } as unknown as StreamRequest & UnaryRequest
  const next = async () => ({ stream: true, message: messages() })
  const res = await interceptor(next as never)(req)
  const [iterator] = [(res.message as AsyncIterable<string>)[Symbol.asyncIterator]()]
  await iterator.next()
  return { iterator, errors }
}

for (const reason of [reset, new Error('the task was cancelled')]) {
  test(`a caller that leaves is no error of the service: ${reason.message}`, async () => {
    const { iterator, errors } = await stream(AbortSignal.abort(reason), reason)
    await assert.rejects(iterator.next(), { code: Code.Canceled })
    assert.deepEqual(errors, [])
  })
}

test('a deadline keeps its code', async () => {
  const late = new ConnectError('the operation timed out', Code.DeadlineExceeded)
  const { iterator } = await stream(AbortSignal.abort(late), late)
  await assert.rejects(iterator.next(), { code: Code.DeadlineExceeded })
})

test('a message that cannot be written is no error of the service', async () => {
  const { iterator, errors } = await stream(new AbortController().signal, undefined)
  const written = iterator.throw?.(new Error('The stream has been destroyed'))
  await assert.rejects(written ?? Promise.resolve(), { code: Code.Canceled })
  assert.deepEqual(errors, [])
})

test('an error of the handler is logged, also if the caller has disconnected', async () => {
  const { iterator, errors } = await stream(AbortSignal.abort(reset), new Error('a bug'))
  await assert.rejects(iterator.next(), { code: Code.Internal })
  assert.equal(errors.length, 1)
})
