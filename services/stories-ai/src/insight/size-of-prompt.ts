import { estimateTokens, pictureTokens } from '../model/estimate-tokens.js'
import type { Prompt } from '../prompts/prompt.js'

/** About as many tokens as a prompt has for its provider. */
export function sizeOfPrompt({ system, messages }: Prompt<unknown>, pictureSizePx: number): number {
  let tokens = estimateTokens(system)
  for (const { content } of messages) {
    if (typeof content === 'string') {
      tokens += estimateTokens(content)
      continue
    }
    for (const part of content) {
      if (part.type === 'image') tokens += pictureTokens(pictureSizePx)
      else tokens += estimateTokens(part.type === 'text' ? part.text : JSON.stringify(part))
    }
  }
  return tokens
}
