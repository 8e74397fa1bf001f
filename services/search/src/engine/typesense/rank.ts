import type { Level } from './compile-query.js'
import { weightMax } from './fields.js'
import type { Hit, SearchResult } from './multi-search.js'

/** What one search of a condition found. */
export type Found = SearchResult & { level: Level }

export type RankedHit = { id: string; score: number; hit: Hit }

/** A word as written in an unimportant field weighs like another form of it in an important one. */
const levelFactors: Record<Level, number> = { exact: 1, loose: 0.75, corrected: 0.5 }
const leastFieldFactor = 0.5

type Match = { hit: Hit; quality: number; order: bigint }

/**
 * The hits of all conditions by descending score, then by Typesense's own order of the matches, newer documents first,
 * and then by id. A condition with few hits weighs more than one with many.
 */
export function rank(conditions: Found[][]): RankedHit[] {
  const ranked = new Map<string, RankedHit & { order: bigint }>()
  const weights = conditions.map(weightOf)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  for (const [at, condition] of conditions.entries()) {
    for (const [id, { hit, quality, order }] of bestMatches(condition)) {
      const known = ranked.get(id) ?? { id, score: 0, hit, order: 0n }
      known.score += (quality * (weights[at] ?? 0)) / total
      // The orders of different words cannot be compared.
      if (conditions.length === 1) known.order = order
      ranked.set(id, known)
    }
  }
  return [...ranked.values()]
    .map(({ score, ...rest }) => ({ ...rest, score: Math.min(1, rounded(score)) }))
    .sort(byRank)
    .map(({ id, score, hit }) => ({ id, score, hit }))
}

/** Sums in another order differ in their last digits. */
const rounded = (score: number) => Number(score.toPrecision(12))

const weightOf = (condition: Found[]) =>
  1 / (1 + Math.log2(1 + Math.max(0, ...condition.map(({ found }) => found))))

/** By id. */
function bestMatches(condition: Found[]): Map<string, Match> {
  const best = new Map<string, Match>()
  for (const { level, hits } of condition) {
    for (const hit of hits) {
      const quality = qualityOf(hit, level)
      const known = best.get(hit.document.id)
      if (known && known.quality >= quality) continue
      best.set(hit.document.id, { hit, quality, order: orderOf(hit) })
    }
  }
  return best
}

/** More than 0, at most 1. */
function qualityOf({ text_match_info: info }: Hit, level: Level): number {
  const weight = Math.min(weightMax, Math.max(0, info?.best_field_weight ?? 0))
  const field = leastFieldFactor + ((1 - leastFieldFactor) * weight) / weightMax
  return levelFactors[level] * field
}

function orderOf({ text_match_info: info }: Hit): bigint {
  return info?.score && /^\d+$/.test(info.score) ? BigInt(info.score) : 0n
}

type Ordered = RankedHit & { order: bigint }

function byRank(a: Ordered, b: Ordered): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.order !== b.order) return a.order < b.order ? 1 : -1
  const newer = (b.hit.document.created_on ?? 0) - (a.hit.document.created_on ?? 0)
  if (newer !== 0) return newer
  return a.id < b.id ? -1 : Number(a.id > b.id)
}
