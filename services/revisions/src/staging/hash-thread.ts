import { parentPort } from 'node:worker_threads'
import { createBLAKE3, type IHasher } from 'hash-wasm'

/**
 * The program of a thread that hashes. A hash has a number, and shared memory that holds one piece at a
 * time. Requests are answered in order.
 */
export type HashRequest =
  | { hash: number; memory: SharedArrayBuffer }
  | { hash: number; length: number }
  | { hash: number; wants: 'digest' | 'end' }

/** `digest` is in hex. */
export type HashAnswer = { hash: number; digest?: string }

type RunningHash = { hasher: IHasher; bytes: Uint8Array }

const running = new Map<number, RunningHash>()
const idle: IHasher[] = []
const idleMax = 16
let last: Promise<void> = Promise.resolve()

parentPort?.on('message', (request: HashRequest) => {
  last = last.then(async () => parentPort?.postMessage(await answer(request)))
})

async function answer(request: HashRequest): Promise<HashAnswer> {
  const { hash } = request
  if ('memory' in request) {
    const hasher = idle.pop() ?? (await createBLAKE3())
    running.set(hash, { hasher: hasher.init(), bytes: new Uint8Array(request.memory) })
    return { hash }
  }
  const one = running.get(hash)
  if (!one) throw new Error(`unknown hash ${hash}`)
  if ('length' in request) {
    one.hasher.update(one.bytes.subarray(0, request.length))
    return { hash }
  }
  if (request.wants === 'digest') return { hash, digest: one.hasher.digest('hex') }
  running.delete(hash)
  if (idle.length < idleMax) idle.push(one.hasher)
  return { hash }
}
