// The load generator: a separate process, so that its cost is not measured.
import type { Job } from './jobs.js'
import { runLoad } from './load.js'
import { runThumbnails } from './thumbnail.js'
import { runDownloads, runUploads } from './transfers.js'

process.on('message', async (job: Job) => {
  try {
    process.send?.({ result: await run(job) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) })
  }
})

function run(job: Job) {
  if (job.kind === 'load') return runLoad(job)
  if (job.kind === 'thumbnail') return runThumbnails(job)
  return job.kind === 'upload' ? runUploads(job) : runDownloads(job)
}
