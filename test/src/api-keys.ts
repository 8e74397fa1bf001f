import { randomBytes } from 'node:crypto'
import { type Client, client } from './client.js'
import { LATEST, type Version } from './deployment.js'

/** The access levels of a key; each one includes the previous ones. */
export const accesses = ['read', 'publish', 'full'] as const
export type Access = (typeof accesses)[number]

export interface ApiKey {
  api_id: string
  name: string
  token: string | null
  created: string
  last_used: string | null
  expiry: string | null
  workspace: string | null
  access: Access
}

/** The response to the creation of a key. */
export interface NewApiKey extends ApiKey {
  token: string
  user: string
}

export async function newApiKey(me: Client, more: object = {}): Promise<NewApiKey> {
  const name = `key ${randomBytes(8).toString('hex')}`
  return (await me.post<NewApiKey>('api_key/', { name, ...more })).body
}

/** A client that uses an API key. */
export const callerWith = ({ token }: NewApiKey, version: Version = LATEST): Client =>
  client(version, `Token ${token}`)
