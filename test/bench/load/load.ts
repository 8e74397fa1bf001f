import { Agent } from 'node:http'
import type { LoadJob, LoadResult } from './jobs.js'
import { sendNext } from './send.js'

/** Runs load with a number of connections, each with one request at a time. */
export async function runLoad(job: LoadJob): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.concurrency })
  const milliseconds: number[] = []
  const start = performance.now()
  const end = start + job.seconds * 1000
  let index = 0
  const oneByOne = async () => {
    while (performance.now() < end) {
      const sent = performance.now()
      await sendNext(agent, job.origin, job.target, index++)
      milliseconds.push(performance.now() - sent)
    }
  }
  try {
    await Promise.all(Array.from({ length: job.concurrency }, oneByOne))
  } finally {
    agent.destroy()
  }
  const seconds = (performance.now() - start) / 1000
  milliseconds.sort((a, b) => a - b)
  const at = (part: number) => milliseconds[Math.floor(milliseconds.length * part)] ?? 0
  return { requests: milliseconds.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}
