import { setImmediate } from 'node:timers/promises'
import { estimateTokens } from '../model/estimate-tokens.js'
import type { DataPart } from '../prompts/figure-data.js'

/** The share of each kind of what is left; what a kind does not need goes to the next ones. */
const shares: [kind: string, share: number][] = [
  ['about', 0.1],
  ['code', 0.5],
  ['table', 0.5],
  ['metadata', 0.4],
  ['text', 0.6],
  ['picture_text', 1],
]

type Fitted = { parts: DataPart[]; omissions: string[] }

/** Cuts parts so that they have about `tokensMax` tokens, and says what it cut. */
export async function withinBudget(parts: DataPart[], tokensMax: number): Promise<Fitted> {
  let left = tokensMax
  const fitted: Fitted = { parts: [], omissions: [] }
  for (const [kind, share] of shares) {
    let leftOfKind = Math.floor(left * share)
    for (const part of parts.filter((one) => one.kind === kind)) {
      const { text, tokens } = await firstTokens(part.text, leftOfKind)
      leftOfKind -= tokens
      left -= tokens
      if (text) fitted.parts.push({ ...part, text })
      if (text.length < part.text.length) fitted.omissions.push(omissionOf(part, text))
    }
  }
  return fitted
}

function omissionOf(part: DataPart, kept: string): string {
  return kept
    ? `${labelOf(part)}: only the first ${kept.length} of ${part.text.length} characters`
    : `${labelOf(part)}: left out`
}

const labelOf = ({ kind, name }: Pick<DataPart, 'kind' | 'name'>): string =>
  [kind.replaceAll('_', ' '), name].filter(Boolean).join(' ')

const sliceChars = 512

/** The longest beginning with at most `tokensMax` tokens, up to a slice. Lets other requests run in between. */
async function firstTokens(text: string, tokensMax: number) {
  let tokens = 0
  let end = 0
  while (end < text.length) {
    const next = Math.min(text.length, end + sliceChars)
    const more = estimateTokens(text.slice(end, next))
    if (tokens + more > tokensMax) break
    tokens += more
    end = next
    await setImmediate()
  }
  return { text: text.slice(0, end), tokens }
}
