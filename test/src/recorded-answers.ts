import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from './contract.js'

/** The folder that gets the answers of the API, for the examples of the OpenAPI document. */
const folder = process.env.FIGBASE_RECORD_ANSWERS

const bytesMax = 256 * 1024

/** Appends the status and the JSON of an answer to a file of this process. */
export function recordAnswer(version: string, operationId: string, exchange: Exchange): void {
  if (!folder || exchange.bytes.length > bytesMax) return
  const { status, contentType, bytes } = exchange
  const isJson = contentType.startsWith('application/json') && bytes.length > 0
  const body: unknown = isJson ? JSON.parse(bytes.toString()) : undefined
  const line = JSON.stringify({ version, operationId, status, body })
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`)
}
