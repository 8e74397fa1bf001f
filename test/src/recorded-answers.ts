import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from './contract.js'

/** The folder that gets the answers of the API, for the examples of the OpenAPI document: see `test/examples.mjs`. */
const folder = process.env.FIGBASE_RECORD_ANSWERS

const bytesMax = 256 * 1024

/** Appends the JSON of an answer to a file of this process. `response`: its name in the OpenAPI document. */
export function recordAnswer(response: string, { contentType, bytes }: Exchange): void {
  const isJson = contentType.startsWith('application/json')
  if (!folder || !isJson || bytes.length === 0 || bytes.length > bytesMax) return
  const line = JSON.stringify({ response, body: JSON.parse(bytes.toString()) })
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`)
}
