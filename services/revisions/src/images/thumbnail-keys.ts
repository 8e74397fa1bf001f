/** Where the thumbnails of a revision are, in the default storage. */
export const thumbnailsOf = (revisionId: string): string => `thumbnails/${revisionId}/`

/** Of the picture with this digest, as it was made; or in a step of the ladder of sizes. */
export const thumbnailKey = (revisionId: string, digest: string, stepPx?: number): string =>
  `${thumbnailsOf(revisionId)}${digest}${stepPx ? `-${stepPx}` : ''}.png`
