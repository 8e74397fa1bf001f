import type { IncomingMessage } from 'node:http'
import { Refusal } from './types.js'

export async function readJson(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  if (!/^application\/json\b/.test(req.headers['content-type'] ?? ''))
    throw new Refusal(400, 'content-type must be application/json')
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new Refusal(400, 'the body is not JSON')
  }
}
