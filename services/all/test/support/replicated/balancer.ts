import { type Forwarder, forward } from '../forward.js'

export type Backend = {
  port: number
  /** Port of `/readyz`. */
  operationsPort: number
}

const pollMs = 100

/**
 * Distributes connections among the ready backends, which are polled ten times a second; tries the next when one cannot
 * be reached. Works on TCP, so it repeats no request.
 */
export async function startBalancer(backends: Backend[]): Promise<Forwarder> {
  const ready = new Set(backends)
  let turn = 0
  const timer = setInterval(() => {
    for (const backend of backends) void poll(backend)
  }, pollMs)

  async function poll(backend: Backend) {
    const url = `http://127.0.0.1:${backend.operationsPort}/readyz`
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) ready.add(backend)
    else ready.delete(backend)
  }

  /** The ready backends in rotation, then the others. */
  function rotated(): Backend[] {
    const sorted = [...ready, ...backends.filter((backend) => !ready.has(backend))]
    const first = turn++ % Math.max(1, ready.size)
    return [
      ...sorted.slice(first, ready.size),
      ...sorted.slice(0, first),
      ...sorted.slice(ready.size),
    ]
  }

  const host = '127.0.0.1'
  const forwarder = await forward({ host, port: 0 }, () =>
    rotated().map(({ port }) => ({ host, port })),
  )
  return {
    url: forwarder.url,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await forwarder[Symbol.asyncDispose]()
    },
  }
}
