import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hasBody } from '@figbase/kit/http'
import type { Logger } from '@figbase/kit/log'
import { setKeyedRequest } from '@figbase/kit/rpc'
import type { Input, Reply, Route } from '../endpoint.js'
import { boundedBytes } from './body.js'
import type { BodyReader } from './body-reader.js'
import { type Answer, answerOf, replyOf } from './keyed-answer.js'
import { readAndHandle } from './run-endpoint.js'

export type KeyedRun = {
  key: string
  endpoint: Route
  input: Input
  req: IncomingMessage
  bodyReader: BodyReader
  log: Logger
}

/**
 * Runs an endpoint once for each key: a repetition gets the stored answer. The request is recorded with its hash when
 * the body has been received, before the first effect. If the process ends before the answer is stored, the repetition
 * runs again, and the services find the effects of the first attempt (`once` of the kit).
 */
export async function runOnce(run: KeyedRun): Promise<Reply> {
  const { key, endpoint, input, req, bodyReader } = run
  const hash = createHash('sha256').update(`${req.method} ${req.url}\n`)
  const begin = async (fingerprint: Uint8Array) => {
    const { keyedRequests } = input.services
    const { id, answer } = await keyedRequests.beginKeyedRequest({ key, fingerprint }, input.call)
    setKeyedRequest(input.call, id)
    return { id, answer }
  }
  let id = ''
  const received = async () => {
    const begun = await begin(hash.copy().digest())
    if (begun.answer) throw new Finished(begun.answer)
    id = begun.id
  }
  try {
    let reply: Reply
    if (!endpoint.upload || !hasBody(req)) {
      reply = await readAndHandle(endpoint, input, req, hashing(bodyReader, hash), received)
    } else {
      // The handler passes the body on while it is received, so the services must know the request before.
      const { answer } = await begin(new Uint8Array())
      const reader = hashing(bodyReader, hash, received)
      if (answer) await discard(run, reader)
      reply = await readAndHandle(endpoint, input, req, reader)
    }
    return await store(run, id, reply)
  } catch (error) {
    if (error instanceof Finished) return replyOf(error.answer, { 'idempotent-replayed': 'true' })
    throw error
  }
}

/** Thrown instead of running a finished request again. */
class Finished extends Error {
  constructor(readonly answer: Answer) {
    super('the request is finished')
  }
}

/** Hashes the bodies that it reads. `received` is called at the end of a complete body. */
const hashing = (reader: BodyReader, hash: Hash, received?: () => Promise<void>): BodyReader => ({
  ...reader,
  async *chunksOf(req) {
    for await (const chunk of reader.chunksOf(req)) {
      hash.update(chunk)
      yield chunk
    }
    if (req.complete) await received?.()
  },
})

/** Reads a body only for its hash. */
async function discard({ endpoint, input: { cfg }, req }: KeyedRun, reader: BodyReader) {
  const bytesMax = endpoint.bodyBytesMax?.(cfg) ?? cfg.uploadBodyBytesMax
  for await (const _ of boundedBytes(req, bytesMax, reader));
}

/** Stores a success; an error is not stored, so that the repetition tries again. */
async function store({ input, log }: KeyedRun, id: string, reply: Reply): Promise<Reply> {
  const answer = answerOf(reply, input.cfg.keyedAnswerBytesMax)
  if (!answer) return reply
  try {
    const { keyedRequests } = input.services
    const stored = await keyedRequests.finishKeyedRequest({ id, answer }, input.call)
    // Of simultaneous attempts, all get the answer of the first one.
    return replyOf(stored.answer ?? answer)
  } catch (err) {
    log.warn({ err }, 'storing the answer of a keyed request failed')
    return replyOf(answer)
  }
}
