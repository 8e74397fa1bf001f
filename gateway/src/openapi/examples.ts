import { readFileSync } from 'node:fs'
import { isObject, type Json } from './json.js'

/** Answers that end-to-end tests recorded, by the name of the response; `npm run examples` writes them. */
const file = new URL('../../../openapi-examples.json', import.meta.url)

export const readExamples = (): Json => JSON.parse(readFileSync(file, 'utf8'))

/** Adds its example to a response with JSON. */
export function withExample(response: Json, example: unknown): Json {
  const { content } = response
  const json = isObject(content) ? content['application/json'] : undefined
  if (example === undefined || !isObject(content) || !isObject(json)) return response
  return { ...response, content: { ...content, 'application/json': { ...json, example } } }
}
