import { open, truncate } from 'node:fs/promises'

const bytesMax = 2 ** 20
const endBytes = 500

/** Empties the log if it is too long; its writers go on at the new end. */
export async function shortenLog(path: string): Promise<void> {
  if ((await sizeOf(path)) > bytesMax) await truncate(path)
}

/** The last lines. */
export async function endOfLog(path: string): Promise<string> {
  await using file = await open(path)
  const { size } = await file.stat()
  const from = Math.max(0, size - endBytes)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(endBytes), 0, endBytes, from)
  return buffer.toString('utf8', 0, bytesRead).trim() || 'it wrote no reason'
}

async function sizeOf(path: string) {
  await using file = await open(path)
  return (await file.stat()).size
}
