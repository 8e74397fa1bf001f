import { createHash } from 'node:crypto'

/** Of an array. */
const itemsMax = 100
/** Of an object that is indexed. */
const tokensMax = 500
/** Longer keys and values cannot be searched for. */
export const metadataKeyCharsMax = 200
export const metadataValueCharsMax = 500

/** What stands for a value of the metadata in an index: the same length for all, and no character of the value. */
export const metadataToken = (key: string, value: string): string =>
  createHash('sha256')
    .update(JSON.stringify([key.normalize(), value.normalize()]))
    .digest('hex')
    .slice(0, 32)

/** The tokens of the texts, numbers and truth values in JSON, each once. */
export function metadataTokens(json: string): string[] {
  const tokens = new Set<string>()
  const pending: { key: string; value: unknown }[] = [{ key: '', value: parsed(json) }]
  while (pending.length > 0 && tokens.size < tokensMax) {
    const { key, value } = pending.pop() ?? { key: '', value: null }
    if (key.length > metadataKeyCharsMax) continue
    if (Array.isArray(value)) {
      for (const item of value.slice(0, itemsMax).reverse()) pending.push({ key, value: item })
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value).reverse())
        pending.push({ key: key ? `${key}.${name}` : name, value: member })
    } else if (value !== null && value !== undefined && key) {
      const text = String(value)
      if (text.length <= metadataValueCharsMax) tokens.add(metadataToken(key, text))
    }
  }
  return [...tokens]
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
