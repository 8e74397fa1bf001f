// A language model with the protocol of OpenAI that does what a question says. A process of its own, so that its cost is
// not measured.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ended, type ModelQuestion, nowUs, planIn, tokenOf } from './messages.js'

const open = new Set<ServerResponse>()
let closedUs: number[] = []

const server = createServer((req, res) => {
  open.add(res)
  res.once('close', () => {
    open.delete(res)
    closedUs.push(nowUs())
  })
  answer(req, res).catch(() => res.destroy())
})

async function answer(req: IncomingMessage, res: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const plan = planIn(Buffer.concat(chunks).toString())
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  res.flushHeaders()
  for (let n = 0; n < plan.tokens && !res.destroyed; n++) {
    await sleep(n === 0 ? plan.thinkMs * (plan.stream + 1) : plan.delayMs)
    await send(res, { delta: { content: tokenOf(plan, n) }, finish_reason: null })
  }
  if (plan.isEndless) return
  await send(res, { delta: {}, finish_reason: 'stop' })
  res.end('data: [DONE]\n\n')
}

/** Resolves when the system has taken it, or the client has left. */
const send = (res: ServerResponse, choice: object) =>
  new Promise<void>((resolve) => {
    const data = JSON.stringify({ id: 'x', choices: [{ index: 0, ...choice }] })
    res.write(`data: ${data}\n\n`, () => resolve())
  })

process.on('message', async ({ kind }: ModelQuestion) => {
  if (kind === 'listen') {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    process.send?.({ result: (server.address() as AddressInfo).port })
    return
  }
  const result: Ended = { open: open.size, closedUs }
  closedUs = []
  process.send?.({ result })
})
