import assert from 'node:assert/strict'
import { deployment } from './deployment.js'

/** The reason to skip tests of AI, or false. */
export const withoutAi: string | false = deployment.modelUrl
  ? false
  : 'needs a deployment with the scripted language model'

/** What the language model answers: see `services/stories-ai/test/model-server`. */
export type ModelReply = Record<string, unknown>

/** The next requests whose text contains `match` get these replies in their order; the last one repeats. */
export const scriptModel = (match: string, ...replies: ModelReply[]): Promise<unknown> =>
  request('control', { match, replies })

export type ModelRequest = {
  model: string
  system: string
  text: string
  /** The sizes of the pictures in bytes. */
  images: number[]
  /** The response is not finished, and the client is there. */
  isOpen: boolean
}

/** The requests that the language model has got whose text contains `match`. */
export async function modelRequests(match: string): Promise<ModelRequest[]> {
  const path = `control?match=${encodeURIComponent(match)}`
  return ((await request(path)) as { requests: ModelRequest[] }).requests
}

async function request(path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${deployment.modelUrl}/${path}`, {
    ...(body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  assert.ok(response.ok, await response.clone().text())
  return response.json()
}
