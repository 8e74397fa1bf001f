import { parentPort } from 'node:worker_threads'
import { startReplica } from './replica-servers.js'

/**
 * A thread with a server whose calls are counted. The message `freeze` blocks the thread until the shared integer
 * changes, as if the process were suspended; `stop` ends it with the number of calls.
 */
let calls = 0
const replica = await startReplica({
  findExisting: ({ ids }) => {
    calls++
    return { ids }
  },
})
parentPort?.postMessage(replica.url)
parentPort?.on('message', async (message: { freeze: Int32Array } | 'stop') => {
  if (message !== 'stop') {
    parentPort?.postMessage('frozen')
    Atomics.wait(message.freeze, 0, 0)
    return
  }
  parentPort?.postMessage(calls)
  await replica[Symbol.asyncDispose]()
  parentPort?.close()
})
