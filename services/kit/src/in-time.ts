export class Late extends Error {
  override name = 'Late'
}

/** What the work answers; rejects with `Late` after `timeoutMs`, while the work may go on. */
export async function inTime<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Late(`no answer within ${timeoutMs} ms`)
    timer = setTimeout(reject, timeoutMs, error)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
