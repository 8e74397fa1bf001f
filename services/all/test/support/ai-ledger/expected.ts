import { estimateTokens, pictureTokens } from '@figbase/stories-ai/testing/estimate-tokens'
import type { ModelRequest, Outcome, Reply } from '@figbase/stories-ai/testing/model-server'
import { type Ask, partsBeforeLeaving } from './asks.js'
import type { Orphan } from './orphans.js'

export type Cost = { requests: number; input: number; output: number; estimated: number }

/** A request that the model got. */
export type Sent = { username: string; ask: Ask; request: ModelRequest; reply: Reply }

const free: Cost = { requests: 0, input: 0, output: 0, estimated: 0 }
/** The default of AI_PICTURE_SIZE_PX. */
const pictureSizePx = 1024

/**
 * What a request costs that its process settled:
 * - a complete answer: what the model reported, and the estimate of what it did not report;
 * - a failure or silence of the model: nothing;
 * - one that its client left: what the model reported until then, and the estimate of the rest.
 */
export function costOf({ ask, request, reply }: Sent, outcome: Outcome | undefined): Cost {
  const { usage = 'none' } = reply
  if (outcome === 'completed') return counted(request, usage, textOf(reply))
  if (outcome === 'failed' || ask.kind === 'silent') return free
  if (outcome !== 'aborted' || ask.kind !== 'left') throw new Error(`${ask.kind} is ${outcome}`)
  if (reply.stallMs) return counted(request, 'none', '')
  const received = textOf(reply, partsBeforeLeaving)
  // Anthropic reports its input with the first event, OpenAI with the last one.
  const isEarly = request.protocol === 'anthropic' && usage !== 'none'
  return counted(request, isEarly ? { input: usage.input } : 'none', received)
}

type Reported = { input: number; output?: number } | 'none'

function counted(request: ModelRequest, usage: Reported, text: string): Cost {
  const reported: { input?: number; output?: number } = usage === 'none' ? {} : usage
  const input = reported.input ?? inputEstimate(request)
  const output = reported.output ?? estimateTokens(text)
  const estimated =
    (reported.input === undefined ? input : 0) + (reported.output === undefined ? output : 0)
  return { requests: 1, input, output, estimated }
}

const textOf = ({ text, json }: Reply, parts?: number) =>
  json === undefined ? [text ?? []].flat().slice(0, parts).join('') : JSON.stringify(json)

/** An orphan is counted as its row says, all of it as an estimate. */
export const costOfOrphan = ({ input_tokens: input, output_tokens: output }: Orphan): Cost => ({
  requests: 1,
  input,
  output,
  estimated: input + output,
})

/** The tokenizer's count of each text that was sent, and a constant for each picture. */
export function inputEstimate({ system, body, images }: ModelRequest): number {
  const texts = body.messages
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .flatMap(({ content }) =>
      typeof content === 'string' ? [content] : (content ?? []).map(textIn),
    )
  const all = [system, ...texts].reduce((tokens, text) => tokens + estimateTokens(text), 0)
  return all + images.length * pictureTokens(pictureSizePx)
}

const textIn = (part: object) => ('text' in part && typeof part.text === 'string' ? part.text : '')

/** The most that the row of a request can say about its output. */
export const outputMax = ({ reply }: Sent): number => estimateTokens(textOf(reply))
