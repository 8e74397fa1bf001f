export type ScoredHit = {
  id: string
  /** More is better. Only scores of the same list can be compared. */
  score: number
}

/** Less than the weight of the words, which is 1: see `fuseHits`. */
const vectorWeight = 0.4

/**
 * One list of two: figures found by words, and figures whose vectors are near that of the query, each best first. A
 * figure of both lists is one hit. At most `limit` hits, best first, ties in the order of the lists; scores are between
 * 0 and 1.
 *
 * The scores of each list are scaled: words by their best hit, vectors between the last and the first hit. Therefore
 * the best hit of the words comes before everything that is found by its vector alone, however near that is.
 */
export function fuseHits(words: ScoredHit[], vectors: ScoredHit[], limit: number): ScoredHit[] {
  const scores = new Map<string, number>()
  const add = (id: string, score: number) => scores.set(id, (scores.get(id) ?? 0) + score)

  const bestWord = words[0]?.score ?? 0
  for (const { id, score } of words) add(id, bestWord > 0 ? score / bestWord : 1)

  const nearest = vectors[0]?.score ?? 0
  const range = nearest - (vectors.at(-1)?.score ?? 0)
  for (const { id, score } of vectors) {
    const nearness = range > 0 ? 1 - (nearest - score) / range : 1
    add(id, vectorWeight * nearness)
  }
  return [...scores]
    .map(([id, score]) => ({ id, score: score / (1 + vectorWeight) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}
