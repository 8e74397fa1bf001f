import { createRequire } from 'node:module'

type Tokenizer = typeof import('gpt-tokenizer/encoding/o200k_base')

// Loaded with the first text: it takes half a second of CPU time, and 70 MB.
let tokenizer: Tokenizer | undefined
function countTokens(text: string): number {
  tokenizer ??= createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as Tokenizer
  return tokenizer.countTokens(text, { disallowedSpecial: new Set() })
}

/** The tokenizer takes time in the square of the length of a text without spaces. */
const sliceChars = 512

/** Of a longer text, the beginning stands for the rest, so that the estimate takes no more than some milliseconds. */
const countedCharsMax = 64 * 1024

/** About as many tokens as a text has; models have their own tokenizers. */
export function estimateTokens(text: string): number {
  const end = Math.min(text.length, countedCharsMax)
  let tokens = 0
  for (let at = 0; at < end; at += sliceChars) {
    tokens += countTokens(text.slice(at, Math.min(at + sliceChars, end)))
  }
  return end < text.length ? Math.ceil((tokens * text.length) / end) : tokens
}

/** Providers take about this much for a picture. Source: documents of both, for pictures of about 1024 px. */
export const pictureTokens = (sizePx: number): number => Math.ceil((sizePx * sizePx) / 750)
