import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { api } from '../load/jobs.js'
import { cpuAtRest, settle } from '../measure.js'
import type { Topology } from '../options.js'
import type { Cpu } from '../processes.js'
import { type Product, startProduct } from '../product.js'
import { signUp } from '../story-exports/fill.js'
import type { Progress } from '../topology.js'
import { Worker } from '../worker.js'
import type { ClientJob, ClientResult, Ended } from './messages.js'
import { switchAiOn } from './switch-ai-on.js'

export type Lags = { p50Ms: number; p99Ms: number; maxMs: number }
type Streams = { first: Lags; later: Lags }

export type AiStreamsReport = {
  topology: Topology
  streams: number
  tokens: number
  direct: Streams
  product: Streams
  /** CPU milliseconds for 1000 tokens. */
  cpu: Cpu
  atRestBytes: number
  growthBytes: number
  /** From the moment when all clients left until the last request to the model was closed. */
  disconnected: { streams: number; maxMs: number }
  /** Clients that read nothing for some seconds, each with a long answer, beside others. */
  slow: { streams: number; bytes: number; growthBytes: number; others: Streams }
}

const streams = 50
const msMax = 120_000
const sampleMs = 100
/** Models take seconds to their first token, and then send about twenty in a second. */
const usual = { thinkMs: 60, delayMs: 50, padding: 0, isEndless: false }
/** About the longest answer of AI_OUTPUT_TOKENS_MAX. */
const long = { tokens: 90, thinkMs: 0, delayMs: 0, padding: 20_000, isEndless: false }
const holdMs = 5000

/** 50 streams of a language model at the same time, 50 clients that leave, and 50 that are slow. */
export async function measureAiStreams(
  topology: Topology,
  quick: boolean,
  scratch: string,
  progress: Progress,
): Promise<AiStreamsReport> {
  const tokens = quick ? 100 : 400
  await using model = new Worker('ai-streams/model.js')
  const port = await model.ask<number>({ kind: 'listen' }, msMax)
  const modelUrl = `http://127.0.0.1:${port}/v1`
  const settings = {
    AI_PROVIDER: 'openai',
    AI_BASE_URL: modelUrl,
    AI_MODELS: 'small',
    AI_OUTPUT_TOKENS_MAX: '60000',
    AI_ANSWER_RETENTION: '0s',
  }
  const dataDir = join(scratch, `ai-streams-${topology}`)
  await using product = await startProduct(topology, dataDir, { settings })
  await switchAiOn(product)
  const { headers } = await signUp(product)
  await using clients = new Worker('ai-streams/clients.js')
  await using others = new Worker('ai-streams/clients.js')
  const run = (part: Partial<ClientJob>, by = clients) => {
    const url = `${product.url}${api}/deep_insight/text_only/`
    const job = { kind: 'read', url, headers, body: { text: 'a text' }, streams, holdMs, ...part }
    return by.ask<ClientResult>(job, msMax)
  }
  const plan = { ...usual, tokens }
  const title = (what: string) => `${topology}: ${what}`
  await progress(title('warm-up'), () => run({ plan: { ...usual, tokens: 50 } }))
  const atRest = await cpuAtRest(product.trees)
  const atRestBytes = product.trees.memory()
  const toModel = { url: `${modelUrl}/chat/completions`, headers: {}, body: {} }
  const direct = await progress(title('the model itself'), () => run({ plan, ...toModel }))
  const before = product.trees.cpu()
  const read = await progress(title(`${streams} streams`), () =>
    watched(product, () => run({ plan })),
  )
  await settle(product.trees)
  const after = product.trees.cpu()
  const cpuOf = (of: keyof Cpu) =>
    ((after[of] - before[of] - atRest[of] * read.result.seconds) * 1000) / (streams * tokens)
  await model.ask<Ended>({ kind: 'ended' }, msMax)
  const left = await progress(title(`${streams} disconnections`), async () => {
    const { leftUs } = await run({
      kind: 'leave',
      plan: { ...usual, thinkMs: 0, tokens: 5, isEndless: true },
    })
    return ((await lastClosedUs(model)) - leftUs) / 1000
  })
  const slow = await progress(title(`${streams} slow clients`), () =>
    watched(product, async () => {
      const [beside] = await Promise.all([
        run({ plan: { ...usual, tokens: 100 } }, others),
        run({ kind: 'hold', plan: long }),
      ])
      return beside
    }),
  )
  return {
    topology,
    streams,
    tokens,
    direct: streamsOf(direct),
    product: streamsOf(read.result),
    cpu: { serversMs: cpuOf('serversMs'), postgresMs: cpuOf('postgresMs') },
    atRestBytes,
    growthBytes: read.peakBytes - atRestBytes,
    disconnected: { streams, maxMs: left },
    slow: {
      streams,
      bytes: long.tokens * long.padding,
      growthBytes: slow.peakBytes - atRestBytes,
      others: streamsOf(slow.result),
    },
  }
}

/** When the last request to the model was closed. */
async function lastClosedUs(model: Worker): Promise<number> {
  const closed: number[] = []
  for (const end = performance.now() + msMax; performance.now() < end; await sleep(20)) {
    const { open, closedUs } = await model.ask<Ended>({ kind: 'ended' }, msMax)
    closed.push(...closedUs)
    if (open === 0) return Math.max(...closed)
  }
  throw new Error('requests to the model did not end')
}

async function watched<T>({ trees }: Product, work: () => Promise<T>) {
  let peakBytes = trees.memory()
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, trees.memory())
  }, sampleMs)
  try {
    return { result: await work(), peakBytes }
  } finally {
    clearInterval(timer)
  }
}

const streamsOf = ({ firstMs, laterMs }: ClientResult): Streams => ({
  first: lagsOf(firstMs),
  later: lagsOf(laterMs),
})

function lagsOf(milliseconds: number[]): Lags {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: sorted.at(-1) ?? 0 }
}
