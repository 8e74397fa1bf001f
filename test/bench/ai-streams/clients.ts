// The clients of the streams: a process of their own, so that their cost is not measured.
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientJob, type ClientResult, nowUs, questionWith, tokensIn } from './messages.js'

process.on('message', async (job: ClientJob) => {
  try {
    process.send?.({ result: await run(job) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) })
  }
})

async function run(job: ClientJob): Promise<ClientResult> {
  const agent = new Agent({ keepAlive: false })
  const begun = performance.now()
  const result: ClientResult = { firstMs: [], laterMs: [], seconds: 0, leftUs: 0 }
  const all = Array.from({ length: job.streams }, (_, stream) => open(agent, job, stream))
  if (job.kind === 'leave') {
    const responses = await Promise.all(all)
    await Promise.all(responses.map((response) => firstChunk(response)))
    result.leftUs = nowUs()
    for (const response of responses) response.destroy()
  } else {
    await Promise.all(all.map(async (opened, n) => read(await opened, job, n, result)))
  }
  agent.destroy()
  result.seconds = (performance.now() - begun) / 1000
  return result
}

function open(agent: Agent, job: ClientJob, stream: number): Promise<IncomingMessage> {
  const plan = { ...job.plan, stream }
  const prompt = questionWith(plan)
  const messages = [{ role: 'user', content: prompt }]
  const body = JSON.stringify({ ...job.body, stream: true, prompt, messages })
  return new Promise((resolve, reject) => {
    const sent = request(job.url, { method: 'POST', headers: job.headers, agent }, (response) => {
      if (response.statusCode === 200) resolve(response)
      else void refused(job, response).then(reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

async function refused({ url }: ClientJob, response: IncomingMessage): Promise<Error> {
  let text = ''
  for await (const chunk of response) text += chunk
  return new Error(`${url}: ${response.statusCode} ${text}`)
}

const firstChunk = async (response: IncomingMessage): Promise<string> => {
  const { value } = await response[Symbol.asyncIterator]().next()
  return String(value)
}

/** Reads a stream to its end, and checks that it has each token once, in order. */
async function read(
  response: IncomingMessage,
  job: ClientJob,
  stream: number,
  result: ClientResult,
) {
  let text = ''
  let next = 0
  let isComplete = false
  for await (const chunk of response) {
    if (job.kind === 'hold' && next === 0) await sleep(job.holdMs)
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    const receivedUs = nowUs()
    for (const block of blocks) {
      // The last event of the product repeats the whole text.
      if (block.startsWith('event: done') || block === 'data: [DONE]') {
        isComplete = true
        continue
      }
      for (const { n, sentUs } of tokensIn(block, stream)) {
        if (n !== next) throw new Error(`stream ${stream} got token ${n} in place of ${next}`)
        const lags = next === 0 ? result.firstMs : result.laterMs
        lags.push((receivedUs - sentUs) / 1000)
        next++
      }
    }
  }
  if (next !== job.plan.tokens || !isComplete) throw new Error(`stream ${stream} ended at ${next}`)
}
