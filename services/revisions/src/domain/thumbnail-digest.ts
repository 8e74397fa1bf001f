/** The part of the digest of a thumbnail that identifies its picture. */
export const digestOf = (digest: string): string => digest.slice(0, 32)
