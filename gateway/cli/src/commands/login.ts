import { type Figbase, FigbaseError } from '@figbase/client'
import { clientOf, figbaseOf, keyName } from '../connection.js'
import { exitCode } from '../exit-codes.js'
import { CommandError, usageError } from '../failure.js'
import { printLine, show } from '../output.js'
import { keyFromPage } from '../page-login.js'
import { type Profile, readProfiles, writeProfiles } from '../profiles.js'
import { askSecret, readInput } from '../prompt.js'
import { plain } from '../text.js'
import { userOf } from '../user.js'

type Options = {
  url?: string
  key?: string
  username?: string
  browser: boolean
  workspace?: string
  profile?: string
  json?: boolean
}

/** Stores an API key: one that is given, or a new one that the user allows on a page, or makes with the password. */
export async function login(options: Options): Promise<void> {
  const { key: given, username, workspace, json } = options
  if (given !== undefined && username !== undefined) {
    throw usageError('Use either --key or --username')
  }
  const url = options.url || process.env.FIGBASE_URL
  if (!url) throw usageError('Which server? Use --url')
  const { url: address } = clientOf(url)
  const key = await keyFor(address, options)
  const { username: name } = await userOf(figbaseOf({ url: address, key }))
  const profile = options.profile ?? new URL(address).host
  await store(profile, { url: address, key, ...(workspace !== undefined && { workspace }) })
  show(json, { profile, url: address, username: name }, () =>
    printLine(`Signed in to ${plain(address)} as ${plain(name)} (profile ${plain(profile)})`),
  )
}

async function keyFor(url: string, { key, username, browser }: Options): Promise<string> {
  if (key !== undefined) return keyOf(key)
  if (username !== undefined) return keyWithPassword(url, username)
  return (await keyFromPage(clientOf(url), keyName(), browser)).token
}

async function keyOf(given: string): Promise<string> {
  const key = (given === '-' ? await readInput() : given).trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw usageError('--key is empty, or contains characters that no API key has')
}

async function store(name: string, profile: Profile): Promise<void> {
  const { profiles } = await readProfiles()
  await writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } })
}

/** Signs in with the password and makes an API key of it, so that neither it nor a token is stored. */
async function keyWithPassword(url: string, username: string): Promise<string> {
  const password = await askSecret('Password: ')
  const figbase = clientOf(url, { username, password })
  try {
    return (await makeKey(figbase, keyName())).token
  } catch (error) {
    const isPassword = error instanceof FigbaseError && error.status === 401
    if (!isPassword) throw error
    const message = 'The server does not accept this name and password'
    throw new CommandError(exitCode.notAllowed, error.error, message)
  }
}

/** Each key of a user has another name; an earlier one stays, because another profile may use it. */
async function makeKey(figbase: Figbase, name: string) {
  const known = new Set((await figbase.get('/api_key/')).map((key) => key.name))
  let free = name
  for (let at = 2; known.has(free); at++) free = `${name} (${at})`
  return figbase.post('/api_key/', { body: { name: free } })
}
