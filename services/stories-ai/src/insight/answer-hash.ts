import { createHash } from 'node:crypto'
import type { ModelMessage } from 'ai'
import type { Prompt } from '../prompts/prompt.js'

/** Names everything that a model gets, so that equal hashes mean equal requests. */
export function answerHash(prompt: Prompt<unknown>, model: string): string {
  const { name, version, system } = prompt
  const messages = prompt.messages.map(withHashedPictures)
  return sha256(JSON.stringify({ name, version, model, system, messages }))
}

function withHashedPictures({ role, content }: ModelMessage) {
  if (typeof content === 'string') return { role, content }
  const parts = content.map((part) =>
    part.type === 'image' ? { type: part.type, hash: sha256(part.image as Uint8Array) } : part,
  )
  return { role, content: parts }
}

const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex')
