// The measured process: it creates the events or jobs, and handles them.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Flood, FloorFlood, Pace, Part, Question, Start } from './messages.js'
import { type BenchService, effectChannel, startBenchServices } from './service.js'

const clients = 8

let service: BenchService | undefined
let part: Part = 'events'
let effectsEach = 1
let effects = 0
let waiters: { holds(): boolean; go(): void }[] = []
let hear = (_n: number) => {}
const observer = {
  notifiesEffects: false,
  done(n: number) {
    effects++
    wake()
    if (!observer.notifiesEffects) hear(n)
  },
}

function wake() {
  const ready = waiters.filter(({ holds }) => holds())
  if (ready.length === 0) return
  waiters = waiters.filter((one) => !ready.includes(one))
  for (const { go } of ready) go()
}

/** Checks again after each effect. */
async function until(holds: () => boolean): Promise<void> {
  if (!holds()) await new Promise<void>((go) => waiters.push({ holds, go }))
}

process.on('message', async (question: Question) => {
  try {
    process.send?.({ result: await answer(question) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? '') : String(error) })
  }
})

async function answer(question: Question) {
  if (question.kind === 'start') return start(question)
  if (!service) throw new Error('the service was not started')
  if (question.kind === 'flood') return flood(service, question)
  if (question.kind === 'floor') return floor(service, question)
  return pace(service, question)
}

async function start(question: Start) {
  part = question.part
  effectsEach = part === 'events' ? question.consumers : 1
  service = await startBenchServices(question, observer)
  if (part === 'jobs') return true
  const client = new pg.Client({ connectionString: question.databaseUrl })
  await client.connect()
  client.on('notification', ({ payload }) => hear(Number(payload)))
  await client.query(`listen ${effectChannel}`)
  return true
}

async function flood({ submit }: BenchService, { count, together, waitingMax }: Flood) {
  const begin = performance.now()
  const before = effects
  let given = 0
  const waiting = () => given - (effects - before) / effectsEach
  const work = async () => {
    while (given < count) {
      const numbers = Array.from({ length: Math.min(together, count - given) }, () => given++)
      await submit(numbers)
      await until(() => waiting() <= waitingMax)
    }
  }
  await Promise.all(Array.from({ length: clients }, work))
  await until(() => waiting() <= 0)
  return { seconds: (performance.now() - begin) / 1000 }
}

async function floor({ insert }: BenchService, { count }: FloorFlood) {
  const begin = performance.now()
  let given = 0
  const work = async () => {
    while (given < count) await insert(given++)
  }
  await Promise.all(Array.from({ length: clients }, work))
  return { seconds: (performance.now() - begin) / 1000 }
}

async function pace({ submit }: BenchService, { perSecond, seconds }: Pace) {
  const count = perSecond * seconds
  const committed = new Map<number, number>()
  const seen: { n: number; at: number }[] = []
  observer.notifiesEffects = part === 'events'
  hear = (n) => {
    seen.push({ n, at: performance.now() })
    wake()
  }
  const begin = performance.now()
  const submitted: Promise<void>[] = []
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, begin + (n * 1000) / perSecond - performance.now()))
    submitted.push(submit([n]).then(() => void committed.set(n, performance.now())))
  }
  await Promise.all(submitted)
  await until(() => seen.length >= count * effectsEach)
  observer.notifiesEffects = false
  hear = () => {}
  const ms = seen.map(({ n, at }) => at - (committed.get(n) ?? at)).sort((a, b) => a - b)
  const at = (share: number) => ms[Math.floor(ms.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}
