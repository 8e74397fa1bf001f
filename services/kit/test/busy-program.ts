import { answerParent, optionsOfParent } from '../src/processes/answer-parent.js'

/** A child that uses memory or time without returning to its event loop. */
export type BusyRequest = { bytes: number; ms: number }

const { memoryBytesMax } = optionsOfParent<{ memoryBytesMax: number }>()

answerParent<BusyRequest, { pid: number }>(memoryBytesMax, async ({ bytes, ms }) => {
  const held: Buffer[] = []
  for (let left = bytes; left > 0; left -= 2 ** 20) held.push(Buffer.alloc(2 ** 20, 1))
  for (const end = Date.now() + ms; Date.now() < end; );
  return { pid: process.pid }
})
