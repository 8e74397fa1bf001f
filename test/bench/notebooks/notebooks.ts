import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../measure.js'
import { ProcessTrees } from '../processes.js'
import type { Progress } from '../topology.js'
import { Worker } from '../worker.js'
import { echo, get, keptAgent, openSocket } from './client.js'
import type { Start, Started } from './messages.js'

/** Of each request or frame, one after the other. */
export type Cost = { directMs: number; proxiedMs: number; cpuMs: number; directCpuMs: number }
export type NotebooksReport = { request: Cost; frame: Cost; sockets: number; bytesOfSocket: number }

const rounds = 5
const counts = { quick: 300, full: 3000 }
const idleSockets = 200
const settleMs = 1000
const startMsMax = 10_000

/** Measures what the proxy before notebooks costs, beside a notebook server that costs almost nothing. */
export async function measureNotebooks(
  quick: boolean,
  progress: Progress,
): Promise<NotebooksReport> {
  await using notebook = new Worker('notebooks/notebook.js')
  await using proxy = new Worker('notebooks/proxy.js')
  const direct = await notebook.ask<Started>({} satisfies Start, startMsMax)
  const question: Start = { notebookPort: direct.port }
  const proxied = await proxy.ask<Started>(question, startMsMax)
  const cpu = {
    notebook: () => new ProcessTrees(notebook.pid, -1).cpu().serversMs,
    proxy: () => new ProcessTrees(proxy.pid, -1).cpu().serversMs,
  }
  const count = quick ? counts.quick : counts.full

  async function compare(workFor: (started: Started) => Promise<() => Promise<void>>) {
    const works = { direct: await workFor(direct), proxied: await workFor(proxied) }
    const times = { direct: [] as number[], proxied: [] as number[] }
    const used = { notebook: [] as number[], proxy: [] as number[] }
    await repeat(works.direct, count)
    await repeat(works.proxied, count)
    for (let round = 0; round < rounds; round++) {
      const notebookBefore = cpu.notebook()
      times.direct.push(await repeat(works.direct, count))
      used.notebook.push((cpu.notebook() - notebookBefore) / count)
      const proxyBefore = cpu.proxy()
      times.proxied.push(await repeat(works.proxied, count))
      used.proxy.push((cpu.proxy() - proxyBefore) / count)
    }
    return {
      directMs: median(times.direct),
      proxiedMs: median(times.proxied),
      cpuMs: median(used.proxy),
      directCpuMs: median(used.notebook),
    }
  }

  const request = await progress('requests', () =>
    compare(async (started) => {
      const agent = keptAgent()
      return () => get(agent, started)
    }),
  )
  const frame = await progress('frames of WebSockets', () =>
    compare(async (started) => {
      const socket = await openSocket(started)
      return () => echo(socket)
    }),
  )
  const bytesOfSocket = await progress(`${idleSockets} idle WebSockets`, async () => {
    const memory = () => new ProcessTrees(proxy.pid, -1).memory()
    await sleep(settleMs)
    const before = memory()
    for (let n = 0; n < idleSockets; n++) await openSocket(proxied)
    await sleep(settleMs)
    return (memory() - before) / idleSockets
  })
  return { request, frame, sockets: idleSockets, bytesOfSocket }
}

/** The median time of one, in milliseconds. */
async function repeat(work: () => Promise<void>, count: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return median(times)
}
