import { setTimeout as sleep } from 'node:timers/promises'
import { type Figbase, FigbaseError } from '@figbase/client'
import { openInBrowser } from './browser.js'
import { exitCode } from './exit-codes.js'
import { CommandError } from './failure.js'
import { bold, note } from './output.js'
import { plain } from './text.js'

/** As RFC 8628 says, after `slow_down`. */
const slowDownMs = 5000

/** The API key that the user allows on a page of the server, in the browser of any device. */
export async function keyFromPage(
  figbase: Figbase,
  name: string,
  browser: boolean,
): Promise<{ token: string }> {
  const login = await begin(figbase, name)
  const page = pageOf(login.verification_uri_complete)
  note(`Open this page, and allow the login:\n\n  ${bold(plain(page))}\n`)
  note(`It shows the code ${bold(plain(login.user_code))}. Waiting …`)
  if (browser && process.stderr.isTTY) await openInBrowser(page)
  let intervalMs = login.interval * 1000
  for (;;) {
    await sleep(intervalMs)
    const outcome = await poll(figbase, login.device_code)
    if (typeof outcome === 'object') return outcome
    if (outcome === 'slow_down') intervalMs += slowDownMs
  }
}

async function begin(figbase: Figbase, name: string) {
  try {
    return await figbase.post('/api/token/device/', { body: { name } })
  } catch (error) {
    if (!(error instanceof FigbaseError && error.status === 404)) throw error
    const message = 'This server has no login through a page. Use --username or --key'
    throw new CommandError(exitCode.notFound, error.error, message)
  }
}

/** The key, or why there is none yet. A connection that fails is tried again: the login goes on. */
async function poll(figbase: Figbase, device_code: string) {
  try {
    return await figbase.post('/api/token/device/key/', { body: { device_code } })
  } catch (error) {
    if (!(error instanceof FigbaseError)) throw error
    const { error: reason, status } = error
    if (reason === 'authorization_pending' || reason === 'slow_down') return reason
    if (reason === 'unreachable' || status === 429 || status === 503) return 'slow_down'
    if (reason === 'access_denied') throw notAllowed(reason, 'The login was refused on the page')
    if (reason === 'expired_token')
      throw notAllowed(reason, 'The login has expired. Start it again')
    throw error
  }
}

const notAllowed = (error: string, message: string) =>
  new CommandError(exitCode.notAllowed, error, message)

/** Throws unless it is an address that a browser may open. */
function pageOf(address: string): string {
  const { protocol, href } = new URL(address)
  if (protocol === 'http:' || protocol === 'https:') return href
  throw new CommandError(
    exitCode.failure,
    'invalid_response',
    'The server gave no address of a page',
  )
}
