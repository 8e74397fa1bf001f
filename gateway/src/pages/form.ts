import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { type Input, type Reply, type Route, route } from '../endpoint.js'
import { HttpError } from '../http/errors.js'
import { errorReply, type Page, pageReply } from './page.js'

/** The submitted values, by input name. */
export type FormValues = Record<string, string>

/** Either a redirect (to a path or a trusted URL), or a page, usually the form with an error. */
export type FormResult = ({ to: string } | { status: number; page: Page }) & { cookies?: string[] }

/**
 * Declares the handler of a form. Rejects forms from other sites (CSRF). `submit` must validate the values.
 */
export const form = (
  path: string,
  submit: (input: Input<FormValues>) => Promise<FormResult>,
): Route => ({
  ...route({
    method: 'POST',
    path,
    since: 'v1',
    auth: 'none',
    acceptsForm: true,
    body: z.record(z.string(), z.string()),
    async handle(input) {
      requireOwnOrigin(input.headers, input.cfg.publicUrl)
      return replyOf(await submit(input))
    },
  }),
  errorReply,
})

function replyOf(outcome: FormResult): Reply {
  const { cookies = [] } = outcome
  if ('page' in outcome) return { ...pageReply(outcome.status, outcome.page), cookies }
  const headers = { location: outcome.to, 'cache-control': 'no-store' }
  return { status: 303, headers, cookies, empty: true }
}

/** Throws a 403 unless the form comes from this site. Pages cannot forge the headers that are checked. */
export function requireOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site === 'same-origin') return
  const isOwn = origin !== undefined && (isOf(publicUrl, origin) || isAt(host, origin))
  if (site !== undefined || !isOwn) {
    throw new HttpError(403, 'foreign_origin', 'the form was sent from another site')
  }
}

const isOf = (url: string, origin: string) => url !== '' && new URL(url).origin === origin

const isAt = (host: string | undefined, url: string) =>
  URL.canParse(url) && host !== '' && new URL(url).host === host
