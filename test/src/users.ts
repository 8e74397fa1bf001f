import { randomBytes } from 'node:crypto'
import type { Figbase } from '@figbase/client'
import { type Client, client } from './client.js'
import { LATEST, type Version } from './deployment.js'
import { figbaseOf } from './figbase.js'
import type { Tokens, User } from './resources.js'

/** A new user for one test. */
export interface TestUser {
  username: string
  password: string
  tokens: Tokens
  /** A raw client of this user for the latest version. */
  api: Client
  /** The client that users have, of this user. */
  readonly figbase: Figbase
  at(version: Version): Client
}

export interface NewUser {
  username: string
  email: string
  password: string
  first_name: string
  last_name: string
}

export async function signUp(version: Version = LATEST): Promise<TestUser> {
  const user = newUser()
  const { body } = await client(version).post<User & { auth: Tokens }>('user/', user)
  const at = (version: Version) => client(version, `Bearer ${body.auth.access}`)
  let figbase: Figbase | undefined
  return {
    ...user,
    tokens: body.auth,
    api: at(LATEST),
    get figbase() {
      figbase ??= figbaseOf(body.auth)
      return figbase
    },
    at,
  }
}

export function newUser(): NewUser {
  const username = `e2e${randomBytes(8).toString('hex')}`
  return {
    username,
    email: `${username}@example.org`,
    password: `pw ${randomBytes(12).toString('base64url')} ü`,
    first_name: 'Ada',
    last_name: 'Łovelace',
  }
}
