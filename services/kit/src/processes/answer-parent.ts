/** Ends this process and what it started: an orderly exit would wait for what cannot be interrupted. */
const end = () => process.kill(-process.pid, 'SIGKILL')

const memoryCheckMs = 50

/** What the parent passed when it started this program. */
export const optionsOfParent = <Options>(): Options => JSON.parse(process.argv[2] ?? '{}')

/**
 * Makes this a program that `startChild` starts: it answers one request after the other, ends with its parent,
 * and ends when it takes more memory than that.
 */
export function answerParent<Request, Reply>(
  memoryBytesMax: number,
  answer: (request: Request) => Promise<Reply>,
): void {
  process.on('disconnect', end)
  process.on('message', async (request: Request) => {
    const watch = setInterval(
      () => process.memoryUsage.rss() > memoryBytesMax && end(),
      memoryCheckMs,
    )
    const reply = await answer(request)
    clearInterval(watch)
    process.send?.(reply)
  })
  process.send?.('ready')
}
