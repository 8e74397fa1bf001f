import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Answer, AskRequestSchema, AskResponse } from '@figbase/proto/insight'
import { z } from 'zod'
import { type Input, ok, type Reply, type ServerSentEvent } from '../../endpoint.js'
import { abortedWith } from '../../http/aborted-with.js'
import { answerTo, errorSchema, serverError } from '../../http/errors.js'
import { required } from '../../required.js'
import { idText } from '../body-members.js'

/** The body of an answer that is not streamed. */
export const answerSchema = z
  .object({
    response: z.string(),
    model: z.string(),
    is_cached: z.boolean(),
    omissions: z.array(z.string()),
  })
  .meta({ id: 'InsightAnswer', description: 'The answer of a language model.' })

const streamed = <Name extends string>(event: Name, data: z.ZodType) =>
  z.object({ event: z.literal(event), data })

/** The events of an answer that is streamed. */
export const answerEventSchema = z
  .union([
    streamed('delta', z.object({ text: z.string() })),
    streamed(
      'usage',
      z.object({ input_tokens: z.int(), output_tokens: z.int(), is_estimate: z.boolean() }),
    ),
    streamed('done', answerSchema),
    streamed('error', errorSchema),
  ])
  .meta({ id: 'InsightEvent', description: 'An event of a streamed answer of a language model.' })

/** The body of routes about one figure revision. */
export const figureBody = z
  .object({ figure_revision: idText })
  .meta({ id: 'FigureRevisionReference', description: 'A figure revision.' })

/** Of every question: whether the answer is streamed, and by which model. */
export const answerMembers = {
  stream: z.boolean('must be true or false').nullish(),
  model: z.string('must be a string').nullish(),
}

type Question = MessageInitShape<typeof AskRequestSchema>

/** The answer to a question: as JSON, or as server-sent events if the body has `stream: true`. */
export async function askReply(
  input: Input<{ stream?: boolean | null | undefined; model?: string | null | undefined }>,
  question: Question['question'],
): Promise<Reply> {
  const { services, streamCall, isAllowed, cfg, body } = input
  const end = abortedWith(streamCall.signal)
  const request = { question, model: body.model ?? '' } as Question
  const stream = services.insight.ask(request, { ...streamCall, signal: end.signal })
  if (!body.stream) return ok(await wholeOf(stream))
  const responses = stream[Symbol.asyncIterator]()
  // An error before the request is accepted gets an error response.
  const first = await responses.next()
  const events = toEvents(first, responses)
  return { status: 200, events, end, isAllowed, heartbeatMs: cfg.eventHeartbeatMs }
}

async function wholeOf(responses: AsyncIterable<AskResponse>) {
  let answer: Answer | undefined
  // Up to the end, so that the call ends.
  for await (const { event } of responses) if (event.case === 'done') answer = event.value
  const { response, model, isCached, omissions } = required<Answer>(answer)
  return { response, model, is_cached: isCached, omissions }
}

/** `delta`, `usage` and `done`; or `error` at the end in place of `done`. */
async function* toEvents(
  first: IteratorResult<AskResponse>,
  rest: AsyncIterator<AskResponse>,
): AsyncGenerator<ServerSentEvent> {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const event = eventOf(next.value)
      if (event) yield event
    }
  } catch (error) {
    const { body } = answerTo(error) ?? serverError
    yield { event: 'error', data: body }
  }
}

function eventOf({ event }: AskResponse): ServerSentEvent | undefined {
  if (event.case === 'delta') return { event: 'delta', data: { text: event.value } }
  if (event.case === 'usage') {
    const { inputTokens, outputTokens, isEstimate } = event.value
    const data = { input_tokens: inputTokens, output_tokens: outputTokens, is_estimate: isEstimate }
    return { event: 'usage', data }
  }
  if (event.case !== 'done') return undefined
  const { response, model, isCached, omissions } = event.value
  return { event: 'done', data: { response, model, is_cached: isCached, omissions } }
}
