import type { Embedder } from './port.js'

/**
 * An embedder that keeps the vectors of the last `textsMax` different texts: revisions of a figure often have the same
 * texts, and queries are repeated. A failed call keeps nothing. The vectors are shared: do not change them.
 */
export function remembering(embedder: Embedder, textsMax: number): Embedder {
  /** The longest unused text comes first. */
  const known = new Map<string, Float32Array>()

  function keep(text: string, vector: Float32Array) {
    known.delete(text)
    known.set(text, vector)
    const oldest = known.size > textsMax ? known.keys().next() : undefined
    if (oldest?.value !== undefined) known.delete(oldest.value)
  }

  return {
    ...embedder,
    async embedTexts(texts, signal) {
      signal.throwIfAborted()
      const vectors = new Map<string, Float32Array>()
      for (const text of texts) {
        const vector = known.get(text)
        if (vector) vectors.set(text, vector)
      }
      const unknown = [...new Set(texts)].filter((text) => !vectors.has(text))
      const embedded = unknown.length > 0 ? await embedder.embedTexts(unknown, signal) : []
      for (const [n, vector] of embedded.entries()) vectors.set(unknown[n] ?? '', vector)
      for (const [text, vector] of vectors) keep(text, vector)
      return texts.flatMap((text) => vectors.get(text) ?? [])
    },
    [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose](),
  }
}
