import { hostname } from 'node:os'
import { type Credentials, createFigbase, type Figbase } from '@figbase/client'
import { usageError } from './failure.js'
import { chooseProfile, type Profile, readProfiles } from './profiles.js'
import { version } from './version.js'

/** The options that every command has. */
export type CommonOptions = { json?: boolean; profile?: string }

export type Connection = {
  figbase: Figbase
  /** The name of the workspace in which paths begin. */
  workspace: string | undefined
}

/** The server and the user of a command: `--profile`, or else the environment, or else the current profile. */
export async function connect({ profile }: CommonOptions): Promise<Connection> {
  const env = profile === undefined ? fromEnvironment() : undefined
  const { url, key, workspace } =
    env ?? chooseProfile(await readProfiles(), profile ?? process.env.FIGBASE_PROFILE)
  return {
    figbase: figbaseOf({ url, key }),
    workspace: process.env.FIGBASE_WORKSPACE || workspace,
  }
}

function fromEnvironment(): Profile | undefined {
  const { FIGBASE_URL: url, FIGBASE_TOKEN: key } = process.env
  if (!url && !key) return undefined
  if (!url || !key) {
    throw usageError(`${url ? 'FIGBASE_TOKEN' : 'FIGBASE_URL'} is not set, but the other is`)
  }
  return { url, key }
}

export const figbaseOf = ({ url, key }: Pick<Profile, 'url' | 'key'>): Figbase =>
  clientOf(url, { apiKey: key })

/** Throws a usage error unless `url` is an address. */
export function clientOf(url: string, credentials?: Credentials): Figbase {
  try {
    return createFigbase({ url, credentials, headers: { 'user-agent': `figbase/${version}` } })
  } catch (error) {
    throw usageError(`${url} is not the address of a server: ${(error as Error).message}`)
  }
}

/** How the API key of this machine is called. */
export const keyName = (): string => `figbase on ${hostname()}`
