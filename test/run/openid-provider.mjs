import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Runs `work` with an OpenID Connect provider, and passes it the settings of a product that uses it. */
export async function withOpenIdProvider(work) {
  // In a worker thread, to hide the output of the library, which warns about non-production use.
  const options = { stdout: true, stderr: true }
  const worker = new Worker(new URL('./openid-provider-worker.mjs', import.meta.url), options)
  const [settings] = await once(worker, 'message')
  await work(settings).finally(() => worker.terminate())
}
