import type { Transport } from '@connectrpc/connect'
import type { ObjectStore } from '../objects/port.js'

/** Marks a named point; the process is killed there if a crash test configured it. */
export type FailPoint = (name: string) => void

/**
 * `FAIL_AT=name` or `name:3` (the third time) kills the process with SIGKILL. The kit has points around every
 * transaction (`catalog.tx.begun`, `.committing`, `.committed`), single write (`catalog.write.before`, `.after`),
 * call (`revisions.Reserve.before`, `.after`), stored object (`revisions.put.before`, `.after`), deletion of
 * objects (`revisions.delete.before`, `.after`) and job (`revisions.process-revision.before`, `.after`). Undefined
 * without the setting.
 */
export function createFailPoint(service: string, setting: string): FailPoint | undefined {
  if (!setting) return undefined
  const [wanted, times = '1'] = setting.split(':')
  let left = Number(times)
  return (name) => {
    if (`${service}.${name}` === wanted && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
}

export function callsWithFailPoints(transport: Transport, failPoint: FailPoint): Transport {
  return {
    async unary(method, ...rest) {
      failPoint(`${method.name}.before`)
      const answer = await transport.unary(method, ...rest)
      failPoint(`${method.name}.after`)
      return answer
    },
    stream: (...args) => transport.stream(...args),
  }
}

export function storeWithFailPoints(store: ObjectStore, failPoint: FailPoint): ObjectStore {
  return {
    ...store,
    async put(key, bytes) {
      failPoint('put.before')
      await store.put(key, bytes)
      failPoint('put.after')
    },
    async delete(keys) {
      failPoint('delete.before')
      await store.delete(keys)
      failPoint('delete.after')
    },
  }
}
