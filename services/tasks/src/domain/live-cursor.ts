/** Position of a follower: id and time of the last event that it received. */
export type LiveCursor = { id: bigint; atMs: number }

const pattern = /^(\d{1,18})-(\d{1,15})$/

export const encodeLiveCursor = ({ id, atMs }: LiveCursor): string => `${id}-${Math.floor(atMs)}`

/** Undefined when malformed. */
export function decodeLiveCursor(text: string): LiveCursor | undefined {
  const [, id, atMs] = pattern.exec(text) ?? []
  return id && atMs ? { id: BigInt(id), atMs: Number(atMs) } : undefined
}
