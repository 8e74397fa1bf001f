import type { IncomingHttpHeaders } from 'node:http'
import { type Html, html } from '@figbase/kit/text'
import { z } from 'zod'
import type { Config } from '../config.js'
import { type Input, type Reply, type Route, route, type ServerSentEvent } from '../endpoint.js'
import { abortedWith } from '../http/aborted-with.js'
import { HttpError } from '../http/errors.js'
import { FormFile } from '../http/form-file.js'
import { formTokenName, formTokenOf, isFormToken } from '../http/form-token.js'
import { errorReply, type Page, pageReply, signInReply } from './page.js'

/** The submitted values, by input name. */
export type FormValues = Record<string, string>

/** Either a redirect (to a path or a trusted URL), or a page, usually the form with an error. */
export type FormResult = ({ to: string } | { status: number; page: Page }) & { cookies?: string[] }

type Submit = (input: Input<FormValues>) => Promise<FormResult>

/**
 * Declares the handler of a form that needs no sign-in. Rejects forms from other sites (CSRF). `submit` must validate
 * the values.
 */
export const form = (path: string, submit: Submit): Route => ({
  ...route({
    ...common,
    path,
    auth: 'none',
    async handle(input) {
      requireOwnOrigin(input.headers, input.cfg.publicUrl)
      return replyOf(await submit(input))
    },
  }),
  errorReply,
})

/** Like `form`, for the signed-in user. The form must contain `formToken`, which only pages of the session know. */
export const userForm = (
  path: string,
  submit: Submit,
  { isLong = false }: Pick<Route, 'isLong'> = {},
): Route => ({
  ...route({
    ...common,
    path,
    isLong,
    auth: 'required',
    acceptsSession: true,
    async handle(input) {
      requireOwnForm(input, input.body[formTokenName])
      return replyOf(await submit(input))
    },
  }),
  errorReply: signInReply,
})

/** The files of a form, by input name; only those that were chosen. */
export type FormFiles = Partial<Record<string, FormFile[]>>

/** Like `userForm`, for a form with files of at most `bytesMax` together. */
export const userFileForm = (
  path: string,
  bytesMax: (cfg: Config) => number,
  submit: (input: Input<FormValues>, files: FormFiles) => Promise<FormResult>,
): Route => ({
  ...route({
    ...common,
    path,
    auth: 'required',
    acceptsSession: true,
    acceptsFiles: true,
    bodyBytesMax: (cfg) => bytesMax(cfg) + restBytesMax,
    body: z.record(z.string(), z.union([z.string(), z.array(z.instanceof(FormFile))])),
    async handle(input) {
      const files: FormFiles = {}
      const values: FormValues = {}
      for (const [name, value] of Object.entries(input.body)) {
        if (typeof value === 'string') values[name] = value
        else files[name] = value
      }
      requireOwnForm(input, values[formTokenName])
      return replyOf(await submit({ ...input, body: values }, files))
    },
  }),
  errorReply: signInReply,
})

/** Like `userForm`, for the script: the answer is sent as events while it is made. Errors before it are JSON. */
export const userStream = (
  path: string,
  read: (input: Input<FormValues>) => Promise<AsyncIterable<ServerSentEvent>>,
): Route =>
  route({
    ...common,
    path,
    isLong: true,
    auth: 'required',
    acceptsSession: true,
    async handle(input) {
      requireOwnForm(input, input.body[formTokenName])
      const { streamCall, isAllowed, cfg } = input
      const end = abortedWith(streamCall.signal)
      const events = await read({ ...input, streamCall: { ...streamCall, signal: end.signal } })
      return { status: 200, events, end, isAllowed, heartbeatMs: cfg.eventHeartbeatMs }
    },
  })

/** For everything but the files. */
const restBytesMax = 1024 * 1024

/** The hidden input of each form for `userForm`. */
export const formToken = (input: Input): Html =>
  html`<input type="hidden" name="${formTokenName}" value="${formTokenOf(input)}">`

const common = {
  method: 'POST',
  since: 'v1',
  acceptsForm: true,
  body: z.record(z.string(), z.string()),
} as const

function requireOwnForm(input: Input, token: string | undefined) {
  requireOwnOrigin(input.headers, input.cfg.publicUrl)
  if (isFormToken(input, token)) return
  throw new HttpError(403, 'stale_form', 'the form is not from this session: load its page again')
}

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
