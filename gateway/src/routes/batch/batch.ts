import { invalid, invalidAll, type Violation } from '@figbase/kit/errors'
import { withDeadline } from '@figbase/kit/timing'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, ok } from '../../endpoint.js'
import type { BatchRead, BatchReply } from '../../http/read-in-batch.js'
import { closedBody } from '../body-members.js'

const one = z
  .strictObject({
    path: z
      .string('must be a string')
      .min(1, 'must not be empty')
      .describe('Relative to this version, or beginning with `/api/`.'),
    headers: z
      .record(z.string(), z.string('must be a string'))
      .optional()
      .describe('`Accept` and `If-None-Match` only.'),
  })
  .meta({ id: 'BatchRead', description: 'A GET in a batch.' })
type One = z.output<typeof one>

export const batch: Endpoint = endpoint({
  method: 'POST',
  path: '/batch/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'readBatch',
  summary: 'Read several paths with GET in one request',
  description:
    'Each read is checked and counted like a request by itself. The responses have the order of the requests.',
  body: closedBody({
    requests: z
      .array(one)
      .min(1, 'must not be empty')
      .describe('At most `BATCH_REQUESTS_MAX`, by default 100.'),
  }).meta({ id: 'Batch', description: 'Several reads.' }),
  responses: {
    200: z
      .object({
        responses: z
          .array(
            z
              .object({
                status: z.int().describe('The HTTP status.'),
                headers: z.record(z.string(), z.string()).describe('By name in lower case.'),
                body: z.unknown().describe('The JSON of the response; null without a body.'),
              })
              .meta({ id: 'BatchResponse', description: 'The response to a GET in a batch.' }),
          )
          .describe('In the order of the requests.'),
      })
      .meta({ id: 'BatchResponses', description: 'The responses to a batch.' }),
  },
  async handle(input) {
    const { cfg, body, clientGone } = input
    const reads = checkedReads(input, body.requests)
    const responses = await withDeadline(clientGone, cfg.batchTimeoutMs, (signal) =>
      readAll(input, reads, signal),
    )
    return ok({ responses })
  },
})

async function readAll(input: Input, reads: Checked[], signal: AbortSignal): Promise<BatchReply[]> {
  const replies: BatchReply[] = []
  const room = { bytes: input.cfg.batchAnswerBytesMax }
  let next = 0
  const work = async () => {
    for (let index = next++; index < reads.length; index = next++) {
      const read = { path: '', headers: {}, ...reads[index], signal, room }
      replies[index] = await input.readInBatch(read)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return replies
}

/** Of one batch, so that it does not delay the requests of others. */
const concurrency = 4

type Checked = Pick<BatchRead, 'path' | 'headers'>

function checkedReads({ cfg, version }: Input, requests: One[]): Checked[] {
  const { batchRequestsMax: max } = cfg
  if (requests.length > max) throw invalid('requests', `must have at most ${max} elements`)
  const violations: Violation[] = []
  const reads = requests.map(({ path, headers = {} }, index) => {
    const whole = path.startsWith('/api/') ? path : `/api/${version}/${path.replace(/^\//, '')}`
    const field = `requests[${index}]`
    if (isBatch(whole)) violations.push({ field: `${field}.path`, reason: 'must not be a batch' })
    if (!pathPattern.test(whole)) {
      violations.push({
        field: `${field}.path`,
        reason: 'must be a path, with special characters encoded',
      })
    }
    const own: Record<string, string> = {}
    for (const [name, value] of Object.entries(headers)) {
      if (allowedHeaders.includes(name.toLowerCase())) own[name.toLowerCase()] = value
      else violations.push({ field: `${field}.headers.${name}`, reason: `must be ${allowed}` })
    }
    return { path: whole, headers: own }
  })
  const [first, ...others] = violations
  if (first) throw invalidAll([first, ...others])
  return reads
}

const allowedHeaders = ['accept', 'if-none-match']
const allowed = 'Accept or If-None-Match'

const pathPattern = /^[\x21-\x7e]{1,8000}$/

const isBatch = (path: string) => /^\/api\/[^/]+\/batch\/?(\?|$)/i.test(path)
