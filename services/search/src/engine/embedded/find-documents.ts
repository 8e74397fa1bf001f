import type { Db } from '../../db/schema.js'
import type { TextQuery } from '../../text/query.js'
import { snippetsOf } from '../../text/snippets.js'
import { type Wanted, wantedOf } from '../../text/wanted.js'
import { type Filter, type FindOptions, fieldNames, type TextHit } from '../port.js'
import { compileAll, compileEach } from './compile-query.js'
import { findCorrections } from './corrections.js'
import { findAll } from './find-all.js'
import { findAny } from './find-any.js'
import type { FindLimits } from './limits.js'
import type { RankedId } from './rank.js'
import { readTexts } from './read.js'
import { unpackTexts } from './texts.js'

/**
 * The best documents. Typing errors are looked for only if nothing that the filter allows matches: so the result does
 * not depend on the words of other documents.
 */
export async function findDocuments(
  db: Db,
  query: TextQuery,
  filter: Filter,
  page: FindOptions,
  limits: FindLimits,
): Promise<TextHit[]> {
  if (filter.roots.length + filter.recent.length === 0 || page.limit === 0) return []
  const rank = (wanted: Wanted, isCorrected: boolean, part = page) =>
    rankedIds(db, wanted, isCorrected, query.match, filter, part, limits)
  const wanted = wantedOf(query)
  if (wanted.terms.length === 0) {
    if (!filter.metadata?.length || query.without.length > 0) return []
    return hitsOf(db, await rank(wanted, false), wanted, page)
  }
  const found = await rank(wanted, false)
  if (found.length > 0) return hitsOf(db, found, wanted, page)
  if (page.offset > 0 && (await rank(wanted, false, { ...page, offset: 0, limit: 1 })).length > 0)
    return []
  const corrections = await findCorrections(db, wanted, limits.correctionsMax)
  if (corrections.size === 0) return []
  const corrected = wantedOf(query, corrections)
  return hitsOf(db, await rank(corrected, true), corrected, page)
}

async function rankedIds(
  db: Db,
  wanted: Wanted,
  isCorrected: boolean,
  match: TextQuery['match'],
  filter: Filter,
  page: FindOptions,
  limits: FindLimits,
): Promise<RankedId[]> {
  if (match === 'any' && wanted.terms.length > 1) {
    return findAny(db, compileEach(wanted, isCorrected, filter.metadata), filter, page, limits)
  }
  return findAll(db, compileAll(wanted, isCorrected, filter.metadata), filter, page, limits)
}

async function hitsOf(
  db: Db,
  found: RankedId[],
  wanted: Wanted,
  { withHighlights }: FindOptions,
): Promise<TextHit[]> {
  const texts = withHighlights
    ? await readTexts(
        db,
        found.map(({ id }) => id),
      )
    : new Map()
  const words = wanted.terms.flat()
  return found.map(({ id, rank }) => {
    const packed = texts.get(id)
    const fields = packed ? unpackTexts(packed) : {}
    const highlights = fieldNames.flatMap((field) => {
      const snippets = snippetsOf(fields[field] ?? '', words)
      return snippets.length > 0 ? [{ field, snippets }] : []
    })
    return { id, score: words.length > 0 ? scoreOf(rank) : 1, highlights }
  })
}

/** The rank of a document whose score is 0.5. */
const middleRank = 0.1

/** More than 0, less than 1; it grows with the rank. */
const scoreOf = (rank: number) => rank / (rank + middleRank)
