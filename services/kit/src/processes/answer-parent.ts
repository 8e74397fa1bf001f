import { Worker } from 'node:worker_threads'
import { killSelf } from './kill-self.js'

const watchProgram = new URL('./memory-watch.js', import.meta.url)

/** The options passed by the parent. */
export const optionsOfParent = <Options>(): Options => JSON.parse(process.argv[2] ?? '{}')

/**
 * Runs this process as a program of `startChild`: it handles one request after the other, and exits with its parent
 * or when it exceeds the memory limit.
 */
export function answerParent<Request, Reply>(
  memoryBytesMax: number,
  answer: (request: Request) => Promise<Reply>,
): void {
  const options = { workerData: { memoryBytesMax, parent: process.ppid } }
  process.on('disconnect', killSelf)
  process.once('message', () => new Worker(watchProgram, options))
  process.on('message', async (request: Request) => {
    process.send?.(await answer(request))
  })
  process.send?.('ready')
}
