import assert from 'node:assert/strict'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Author, type Created, pixels, program } from './support/author.js'
import { Bench } from './support/launched.js'

/**
 * Six authors publish, change, derive, read, abort and delete for half an hour (`SOAK_MINUTES`),
 * including files of 20 MB. Memory and open files do not grow, and all data is intact.
 */
const bench = new Bench(program)
after(() => bench[Symbol.asyncDispose]())

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const authors = 6
const sampleMs = 2000
/** Revisions kept per author; older ones are deleted. */
const keptMax = 20
const largeBytes = 20_000_000
const env = {
  LOG_LEVEL: 'warn',
  ACCESS_TOKEN_LIFETIME: '1d',
  // Deleted data is purged within the run.
  DELETED_RETENTION: '1m',
  DATA_RETENTION: '1m',
  COLLECT_GRACE: '1m',
}

type Kept = { revision: string; data: string; sha256: string }
type Sample = { rssBytes: number; files: number }

test('memory and open files do not grow under mixed load', {
  skip: process.platform !== 'linux' && 'needs /proc',
}, async (t) => {
  const dataDir = await bench.dir()
  const launched = await bench.start({ dataDir, env })
  const author = new Author(launched)
  await author.signUp()
  const until = performance.now() + minutes * 60_000
  const counts = new Map<string, number>()
  const samples: Sample[] = []
  const sampling = setInterval(() => samples.push(sampleOf(launched.pid)), sampleMs)
  try {
    await Promise.all(Array.from({ length: authors }, () => work(author, until, counts)))
  } finally {
    clearInterval(sampling)
  }
  const quarter = Math.floor(samples.length / 4)
  const early = mediansOf(samples.slice(quarter, 2 * quarter))
  const late = mediansOf(samples.slice(3 * quarter))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  t.diagnostic(`${total} requests: ${[...counts].map(([what, n]) => `${what} ${n}`).join(', ')}`)
  t.diagnostic(`memory ${megabytes(early.rssBytes)}, then ${megabytes(late.rssBytes)} MB`)
  t.diagnostic(`open files ${early.files}, then ${late.files}`)
  assert.ok(late.rssBytes < early.rssBytes * 1.15, 'memory grows')
  assert.ok(late.files <= early.files + 10, 'open files grow')
  assert.equal(await launched.stop(), 0)
})

/** One author's half hour. */
async function work(author: Author, until: number, counts: Map<string, number>): Promise<void> {
  const figure = await author.newFigure()
  const kept: Kept[] = []
  const actions: Record<string, () => Promise<unknown>> = {
    publish: async () => kept.push(await publish(author, figure, randomInt(100, 200_000))),
    publishLarge: async () => kept.push(await publish(author, figure, largeBytes)),
    resume: async () => kept.push(await resume(author, figure)),
    replace: async () => {
      const one = kept.pop()
      if (!one) return
      const bytes = randomBytes(randomInt(1000, 100_000))
      const data = [file(bytes)]
      const { data: now } = await author.json<Created>('PATCH', `revision/${one.revision}/`, {
        data,
      })
      kept.push({ ...one, data: now[0]?.api_id ?? '', sha256: sha256(bytes) })
    },
    derive: async () => {
      const one = pick(kept)
      if (one) await author.json('POST', `revision/${one.revision}/derive/`, {})
    },
    read: async () => {
      const one = pick(kept)
      if (one) await isIntact(author, one)
    },
    thumbnail: async () => {
      const one = pick(kept)
      const size = randomInt(10, 1500)
      if (one) await author.json('GET', `revision/${one.revision}/thumbnail/${size}/`)
    },
    list: () => author.json('GET', `figure/${figure}/`),
    breakOff: () => breakOff(author, figure),
    refused: async () => {
      const data = [{ name: 'x', type: 'file', data: 'no base64!' }]
      assert.equal((await author.request('POST', 'revision/', { figure, data })).status, 400)
    },
  }
  const names = Object.keys(actions)
  // Large files are rare.
  const bag = names.flatMap((name) => Array<string>(name === 'publishLarge' ? 1 : 6).fill(name))
  while (performance.now() < until) {
    const name = pick(bag) ?? ''
    await actions[name]?.()
    counts.set(name, (counts.get(name) ?? 0) + 1)
    while (kept.length > keptMax) {
      const path = `revision/${kept.shift()?.revision}/`
      assert.equal((await author.request('DELETE', path)).status, 204)
    }
  }
  for (const one of kept) await isIntact(author, one)
}

async function publish(author: Author, figure: string, length: number): Promise<Kept> {
  const bytes = randomBytes(length)
  const image = { name: 'image', type: 'image', data: pixels }
  const data = [file(bytes), image]
  const { api_id, data: made } = await author.json<Created>('POST', 'revision/', { figure, data })
  return { revision: api_id, data: made[0]?.api_id ?? '', sha256: sha256(bytes) }
}

/** Uploads with tus in two requests. */
async function resume(author: Author, figure: string): Promise<Kept> {
  const { launched, token } = author
  const bytes = randomBytes(randomInt(2, 500_000))
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0' }
  const begun = await fetch(`${launched.url}/api/v1.4.1/upload/`, {
    method: 'POST',
    headers: {
      ...headers,
      'upload-length': String(bytes.length),
      'upload-metadata': `figure ${Buffer.from(figure).toString('base64')}`,
    },
  })
  const upload = begun.headers.get('location') ?? ''
  const middle = bytes.length >> 1
  for (const [offset, body] of [
    [0, bytes.subarray(0, middle)],
    [middle, bytes.subarray(middle)],
  ] as const) {
    const patched = await fetch(launched.url + upload, {
      method: 'PATCH',
      headers: {
        ...headers,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body,
    })
    assert.equal(patched.status, 204)
  }
  const data = [{ name: 'f', type: 'file', upload }]
  const { api_id, data: made } = await author.json<Created>('POST', 'revision/', { figure, data })
  return { revision: api_id, data: made[0]?.api_id ?? '', sha256: sha256(bytes) }
}

async function isIntact(author: Author, { data, sha256: expected }: Kept): Promise<void> {
  const response = await author.request('GET', `data/${data}/?dl=1`)
  assert.equal(response.status, 200)
  assert.equal(sha256(Buffer.from(await response.arrayBuffer())), expected)
}

/** Sends half of a publication. */
async function breakOff({ launched, token }: Author, figure: string): Promise<void> {
  const body = Buffer.from(JSON.stringify({ figure, data: [file(randomBytes(2_000_000))] }))
  const outgoing = request(`${launched.url}/api/v1.4.1/revision/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-length': body.length },
  })
  outgoing.on('error', () => {})
  await new Promise<void>((sent) => {
    outgoing.write(body.subarray(0, body.length / 2), () => sent())
  })
  await sleep(randomInt(20))
  outgoing.destroy()
}

const file = (bytes: Buffer) => ({ name: 'f', type: 'file', data: bytes.toString('base64') })

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

const pick = <T>(list: T[]): T | undefined => list[randomInt(Math.max(1, list.length))]

function sampleOf(pid: number): Sample {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { rssBytes: Number(kilobytes) * 1024, files: readdirSync(`/proc/${pid}/fd`).length }
}

function mediansOf(samples: Sample[]): Sample {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
  return {
    rssBytes: median(samples.map(({ rssBytes }) => rssBytes)),
    files: median(samples.map(({ files }) => files)),
  }
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6)
