/** Kills this process and its children: a graceful exit would wait for work that cannot be interrupted. */
const killSelf = () => process.kill(-process.pid, 'SIGKILL')

const memoryCheckMs = 50

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
  process.on('disconnect', killSelf)
  process.on('message', async (request: Request) => {
    const watch = setInterval(
      () => process.memoryUsage.rss() > memoryBytesMax && killSelf(),
      memoryCheckMs,
    )
    const reply = await answer(request)
    clearInterval(watch)
    process.send?.(reply)
  })
  process.send?.('ready')
}
