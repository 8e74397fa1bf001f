export type FindLimits = {
  /** Documents that are ranked. Of more, the newest are. */
  rankedMax: number
  /** Matching documents whose places are read. */
  matchedMax: number
  /** If more match: the newest documents that the filter allows, whose words are read. */
  newestMax: number
  /** If fewer of these match and there are older ones, more of the matching documents are looked up. */
  enoughMax: number
  /** Matching documents that are looked up then. */
  lookedUpMax: number
  /** Documents that are ranked for each term, if one of the terms is enough. */
  candidatesMax: number
  /** Words that are taken for a mistyped one. */
  correctionsMax: number
}

export const findLimits: FindLimits = {
  rankedMax: 1000,
  matchedMax: 20_000,
  newestMax: 5000,
  enoughMax: 100,
  lookedUpMax: 1_000_000,
  candidatesMax: 200,
  correctionsMax: 10,
}
