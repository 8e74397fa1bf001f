/** Where a follower is: the last event that it has, and when that was. */
export type LiveCursor = { id: bigint; atMs: number }

const pattern = /^(\d{1,18})-(\d{1,15})$/

export const encodeLiveCursor = ({ id, atMs }: LiveCursor): string => `${id}-${Math.floor(atMs)}`

/** Undefined when it is none of ours. */
export function decodeLiveCursor(text: string): LiveCursor | undefined {
  const [, id, atMs] = pattern.exec(text) ?? []
  return id && atMs ? { id: BigInt(id), atMs: Number(atMs) } : undefined
}
