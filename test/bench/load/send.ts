import { type Agent, request } from 'node:http'
import { pngTail } from '../noise.js'
import { type Target, uploadMark } from './jobs.js'

export type Answer = { status: number; location: string; body: Buffer }

const answerMs = 60_000

/** Sends request number `index` of the target; throws unless it gets the expected status. */
export async function sendNext(
  agent: Agent,
  origin: string,
  target: Target,
  index: number,
): Promise<Buffer> {
  const { method, paths, headers, bodies, status } = target
  const path = paths[index % paths.length] ?? ''
  const own = bodies?.[index % bodies.length]
  const body = target.upload ? await uploaded(agent, origin, target, own) : marked(own, target.tail)
  const answer = await send(agent, new URL(path, origin), method, headers, body)
  if (answer.status === status) return answer.body
  throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString('utf8', 0, 300)}`)
}

export function send(
  agent: Agent,
  url: URL,
  method: string,
  headers: Record<string, string>,
  body?: Uint8Array,
): Promise<Answer> {
  const length = body && { 'content-length': String(body.length) }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, method, headers: { ...headers, ...length }, timeout: answerMs },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            location: incoming.headers.location ?? '',
            body: Buffer.concat(chunks),
          }),
        )
        incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${url}: timed out`)))
    outgoing.end(body)
  })
}

/** Sends the upload, and returns the main body with its URL. */
async function uploaded(agent: Agent, origin: string, target: Target, body?: Uint8Array) {
  const { upload, tail } = target
  if (!upload) return body
  const bytes = marked(upload.body, tail)
  const url = new URL(upload.path, origin)
  const answer = await send(agent, url, 'POST', upload.headers, bytes)
  if (answer.status !== 201) throw new Error(`POST ${upload.path}: ${answer.status} ${answer.body}`)
  return Buffer.from(
    Buffer.from(body ?? '')
      .toString()
      .replace(uploadMark, answer.location),
  )
}

// Bytes that are already stored are not stored again, so each publication must be a different file.
function marked(body: Uint8Array | undefined, tail: Target['tail']): Uint8Array | undefined {
  if (!body || !tail) return body
  const copy = Buffer.from(body)
  copy.write(pngTail().toString(tail.encoding), tail.at, 'latin1')
  return copy
}
