import { parentPort } from 'node:worker_threads'
import { createBLAKE3, type IHasher } from 'hash-wasm'

/**
 * The program of a thread that hashes. A hash is begun with the memory in which its pieces will stand, one at a
 * time, and is known by a number; each request is answered in its turn.
 */
export type HashRequest =
  | { hash: number; memory: SharedArrayBuffer }
  | { hash: number; length: number }
  | { hash: number; wants: 'digest' | 'end' }

/** The digest in hex, when that was asked for. */
export type HashAnswer = { hash: number; digest?: string }

type Under = { hasher: IHasher; bytes: Uint8Array }

const under = new Map<number, Under>()
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
    under.set(hash, { hasher: hasher.init(), bytes: new Uint8Array(request.memory) })
    return { hash }
  }
  const one = under.get(hash)
  if (!one) throw new Error(`no hash ${hash} was begun`)
  if ('length' in request) {
    one.hasher.update(one.bytes.subarray(0, request.length))
    return { hash }
  }
  if (request.wants === 'digest') return { hash, digest: one.hasher.digest('hex') }
  under.delete(hash)
  if (idle.length < idleMax) idle.push(one.hasher)
  return { hash }
}
