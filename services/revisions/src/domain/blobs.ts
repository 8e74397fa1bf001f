export type StagedBytes = { key: string; digest: string; size: bigint }

export type BlobClaim = { digest: string; key: string; size: bigint; refs: number }

/** The blobs that an upload needs: one for equal bytes, in the order in which they are locked. */
export function blobClaims(staged: StagedBytes[]): BlobClaim[] {
  const claims = new Map<string, BlobClaim>()
  for (const { digest, key, size } of staged) {
    const known = claims.get(digest)
    if (known) known.refs++
    else claims.set(digest, { digest, key, size, refs: 1 })
  }
  return [...claims.values()].sort((a, b) => (a.digest < b.digest ? -1 : 1))
}
