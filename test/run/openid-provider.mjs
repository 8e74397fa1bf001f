import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The settings of a product whose people may sign in with a provider of their own, which ends with the work. */
export async function withOpenIdProvider(work) {
  // In a thread, whose output is kept: the library has much to say about what is not for production.
  const options = { stdout: true, stderr: true }
  const worker = new Worker(new URL('./openid-provider-worker.mjs', import.meta.url), options)
  const [settings] = await once(worker, 'message')
  await work(settings).finally(() => worker.terminate())
}
