import type { Figbase } from './figbase.js'
import { errorOf } from './figbase-error.js'

/** The default of `BATCH_REQUESTS_MAX`. */
export const batchReadsMax = 100

/** Reads several paths in one request, at most `batchReadsMax`. Undefined for what is deleted or not visible. */
export async function readBatch(
  figbase: Figbase,
  paths: string[],
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const requests = paths.map((path) => ({ path }))
  const { responses } = await figbase.post('/batch/', { body: { requests }, signal })
  return Promise.all(
    responses.map(async ({ status, headers, body }) => {
      if (status === 200) return body
      if (status === 403 || status === 404) return undefined
      throw await errorOf(new Response(JSON.stringify(body), { status, headers }))
    }),
  )
}
