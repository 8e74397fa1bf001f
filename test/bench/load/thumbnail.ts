import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { api, type ThumbnailJob, type ThumbnailResult } from './jobs.js'
import { send, sendNext } from './send.js'

const thumbnailMsMax = 30_000
const pollMs = 1

export async function runThumbnails(job: ThumbnailJob): Promise<ThumbnailResult> {
  const agent = new Agent({ keepAlive: true })
  const result: ThumbnailResult = { publishedMs: [], thumbnailMs: [] }
  try {
    for (let time = 0; time < job.times; time++) {
      const start = performance.now()
      const body = await sendNext(agent, job.origin, job.target, time)
      result.publishedMs.push(performance.now() - start)
      await thumbnailOf(agent, job, JSON.parse(body.toString()).api_id)
      result.thumbnailMs.push(performance.now() - start)
    }
  } finally {
    agent.destroy()
  }
  return result
}

async function thumbnailOf(agent: Agent, { origin, target }: ThumbnailJob, revision: string) {
  const url = new URL(`${api}/revision/${revision}/thumbnail/256/?dl=1`, origin)
  const end = performance.now() + thumbnailMsMax
  for (;;) {
    const { status } = await send(agent, url, 'GET', target.headers)
    if (status === 200) return
    // 202: not ready yet.
    if (status !== 202 || performance.now() > end) throw new Error(`no thumbnail: ${status}`)
    await sleep(pollMs)
  }
}
