// Sends the mix: a separate process, so that its cost is known.
import { Agent } from 'node:http'
import type { Target } from '../load/jobs.js'
import { sendNext } from '../load/send.js'

export type MixJob = {
  origin: string
  targets: { share: number; target: Target }[]
  clients: number
  /** The end, by whichever comes first. */
  requests: number
  seconds: number
}
export type MixResult = { requests: number; seconds: number; p50Ms: number }

process.on('message', async (job: MixJob) => {
  try {
    process.send?.({ result: await run(job) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) })
  }
})

/** Requests so far, so that the next ones have other bodies, for publications of the same file cost less. */
const sent = new Map<string, number>()

async function run({ origin, targets, clients, requests, seconds }: MixJob): Promise<MixResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const next = inTurns(targets.map(({ share }) => share))
  const milliseconds: number[] = []
  const start = performance.now()
  const end = start + seconds * 1000
  let begun = 0
  const client = async () => {
    while (begun < requests && performance.now() < end) {
      begun++
      const target = targets[next()]?.target
      if (!target) throw new Error('no target')
      const name = `${target.method} ${target.paths[0]}`
      const index = sent.get(name) ?? 0
      sent.set(name, index + 1)
      const from = performance.now()
      await sendNext(agent, origin, target, index)
      milliseconds.push(performance.now() - from)
    }
  }
  try {
    await Promise.all(Array.from({ length: clients }, client))
  } finally {
    agent.destroy()
  }
  milliseconds.sort((a, b) => a - b)
  return {
    requests: milliseconds.length,
    seconds: (performance.now() - start) / 1000,
    p50Ms: milliseconds[Math.floor(milliseconds.length / 2)] ?? 0,
  }
}

/** Chooses by share, evenly over time: whoever is furthest behind comes next. */
function inTurns(shares: number[]): () => number {
  const total = shares.reduce((sum, share) => sum + share, 0)
  const behind = shares.map(() => 0)
  return () => {
    for (const [at, share] of shares.entries()) behind[at] = (behind[at] ?? 0) + share / total
    const next = behind.indexOf(Math.max(...behind))
    behind[next] = (behind[next] ?? 0) - 1
    return next
  }
}
