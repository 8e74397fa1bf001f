import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { type Endpoint, endpoint, type Input, type Reply } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { type Page, pageReply, refusal } from './page.js'

/** What was filled in, by the names of the inputs. */
export type Filled = Record<string, string>

/** Where the browser goes on (a path of this site, or an address that is ours to choose), or the form again. */
export type Outcome = ({ to: string } | { status: number; page: Page }) & { cookies?: string[] }

/**
 * Takes what a page with `hasForm` sends by POST to `path`. What comes from a page of another site is
 * refused: its reader did not mean to send it. `submit` checks the values itself.
 */
export const form = (
  path: string,
  submit: (input: Input<Filled>) => Promise<Outcome>,
): Endpoint => ({
  ...endpoint({
    method: 'POST',
    path,
    since: 'v1',
    auth: 'none',
    idempotent: false,
    summary: 'What a form of a page sends',
    acceptsForm: true,
    body: z.record(z.string(), z.string()),
    responses: {},
    async handle(input) {
      requireOwnOrigin(input.headers, input.cfg.publicUrl)
      return replyOf(await submit(input))
    },
  }),
  refusal,
})

function replyOf(outcome: Outcome): Reply {
  const { cookies = [] } = outcome
  if ('page' in outcome) return { ...pageReply(outcome.status, outcome.page), cookies }
  const headers = { location: outcome.to, 'cache-control': 'no-store' }
  return { status: 303, headers, cookies, empty: true }
}

/** Browsers say where a form comes from, and no page can make them say otherwise. */
export function requireOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site === 'same-origin') return
  const isOwn = origin !== undefined && (isOf(publicUrl, origin) || isAt(host, origin))
  if (site !== undefined || !isOwn) {
    throw new HttpError(403, 'foreign_origin', 'this form was sent from a page of another site')
  }
}

const isOf = (url: string, origin: string) => url !== '' && new URL(url).origin === origin

const isAt = (host: string | undefined, url: string) =>
  URL.canParse(url) && host !== '' && new URL(url).host === host
