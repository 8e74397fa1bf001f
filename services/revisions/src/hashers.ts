import { createBLAKE3, type IHasher } from 'hash-wasm'

/** Lends BLAKE3 hashers: making one instantiates a WebAssembly module. */
export type Hashers = {
  use<T>(work: (hasher: IHasher) => Promise<T>): Promise<T>
}

export function createHashers(idleMax = 16): Hashers {
  const idle: IHasher[] = []
  return {
    async use(work) {
      const hasher = idle.pop() ?? (await createBLAKE3())
      try {
        return await work(hasher.init())
      } finally {
        if (idle.length < idleMax) idle.push(hasher)
      }
    },
  }
}
