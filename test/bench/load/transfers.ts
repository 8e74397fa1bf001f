import { randomBytes } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  api,
  type DownloadJob,
  type DownloadResult,
  type UploadJob,
  type UploadResult,
} from './jobs.js'

// A multiple of 3, so that the base64 has no padding.
const pieceBytes = 768 * 1024
const piece = randomBytes(pieceBytes)
const pieceText = Buffer.from(piece.toString('base64'), 'latin1')

/** Publishes files as streams, without holding them in memory. */
export async function runUploads(job: UploadJob): Promise<UploadResult> {
  const start = performance.now()
  const objects = await Promise.all(Array.from({ length: job.times }, () => upload(job)))
  return { seconds: (performance.now() - start) / 1000, objects }
}

async function upload({ origin, headers, figure, bytes }: UploadJob): Promise<string> {
  const head = `{"figure":"${figure}","data":[{"name":"large","type":"file","data":"`
  const tail = '"}]}'
  const length = head.length + 4 * Math.ceil(bytes / 3) + tail.length
  const agent = new Agent()
  const outgoing = request(new URL(`${api}/revision/`, origin), {
    agent,
    method: 'POST',
    headers: { ...headers, 'content-length': String(length) },
  })
  const answer = answerTo(outgoing)
  const [incoming] = await Promise.all([
    answer,
    pipeline(Readable.from(body(head, bytes, tail), { objectMode: false }), outgoing),
  ])
  const text = Buffer.concat(await incoming.toArray()).toString()
  if (incoming.statusCode !== 201) throw new Error(`upload: ${incoming.statusCode} ${text}`)
  return JSON.parse(text).data[0].api_id
}

// The first piece is unique, so that all files differ.
function* body(head: string, bytes: number, tail: string): Generator<Buffer> {
  yield Buffer.from(head)
  const first = randomBytes(Math.min(bytes, pieceBytes))
  yield Buffer.from(first.toString('base64'), 'latin1')
  for (let left = bytes - first.length; left > 0; left -= pieceBytes) {
    yield left >= pieceBytes
      ? pieceText
      : Buffer.from(piece.subarray(0, left).toString('base64'), 'latin1')
  }
  yield Buffer.from(tail)
}

export async function runDownloads(job: DownloadJob): Promise<DownloadResult> {
  const start = performance.now()
  const lengths = await Promise.all(job.objects.map((object) => download(job, object)))
  const bytes = lengths.reduce((sum, length) => sum + length, 0)
  return { seconds: (performance.now() - start) / 1000, bytes }
}

async function download({ origin, headers }: DownloadJob, object: string): Promise<number> {
  const outgoing = request(new URL(`${api}/data/${object}/`, origin), {
    agent: new Agent(),
    headers,
  })
  outgoing.end()
  const incoming = await answerTo(outgoing)
  if (incoming.statusCode !== 200) throw new Error(`download: ${incoming.statusCode}`)
  let length = 0
  for await (const chunk of incoming) length += chunk.length
  return length
}

function answerTo(outgoing: ReturnType<typeof request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
}
