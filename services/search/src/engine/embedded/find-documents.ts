import type { Db } from '../../db/schema.js'
import type { TextQuery } from '../../text/query.js'
import { snippetsOf } from '../../text/snippets.js'
import { type Wanted, wantedOf } from '../../text/wanted.js'
import { type Filter, type FindOptions, fieldNames, type TextHit } from '../port.js'
import { compileAll, compileEach } from './compile-query.js'
import { findCorrections } from './corrections.js'
import { findAll, findAny, type RankedId, readTexts } from './find.js'
import { unpackTexts } from './texts.js'

export type FindLimits = {
  /** Documents that are ranked. Of more, the newest are. */
  rankedMax: number
  /** Documents that are ranked for each term, if one of the terms is enough. */
  candidatesMax: number
  /** Words that are taken for a mistyped one. */
  correctionsMax: number
}

export const findLimits: FindLimits = { rankedMax: 2000, candidatesMax: 1000, correctionsMax: 10 }

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
  if (wanted.terms.length === 0) return []
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
  { rankedMax, candidatesMax }: FindLimits,
): Promise<RankedId[]> {
  if (match === 'any' && wanted.terms.length > 1) {
    return findAny(db, compileEach(wanted, isCorrected), filter, page, candidatesMax)
  }
  return findAll(db, compileAll(wanted, isCorrected), filter, page, rankedMax)
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
    return { id, score: scoreOf(rank), highlights }
  })
}

/** The rank of a document whose score is 0.5. */
const middleRank = 0.1

/** More than 0, less than 1; it grows with the rank. */
const scoreOf = (rank: number) => rank / (rank + middleRank)
