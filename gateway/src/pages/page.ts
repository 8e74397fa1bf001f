import { createHash } from 'node:crypto'
import { type Html, html, type Site } from '@figbase/kit'
import type { Endpoint, Input, Reply } from '../endpoint.js'
import type { ErrorAnswer } from '../http/errors.js'
import { refusalPage } from './refusal.js'
import { style } from './style.js'
import { named } from './text.js'

/** What differs from page to page. */
export type Page = {
  title: string
  content: Html
  /** The address, below this site, of a picture of it, for what shows previews of links. */
  picture?: string | undefined
  /** It has a form, which a page of `form.ts` takes. */
  hasForm?: boolean
}

/** A page for people at a path of its own, which shows to each caller what he may view. */
export const page = (
  path: string,
  render: (input: Input) => Promise<Page>,
  { query }: Pick<Endpoint, 'query'> = {},
): Endpoint => ({
  ...common,
  path,
  auth: 'optional',
  takesSession: true,
  ...(query && { query }),
  async handle(input) {
    const shown = await render(input)
    // Whoever asks without credentials sees what everybody does.
    return input.username === ''
      ? pageReply(200, shown, { head: previewOf(shown, input.cfg.publicUrl), cache: 'no-cache' })
      : pageReply(200, shown, { username: input.username })
  },
})

/** A page that is the same for all. */
export const fixedPage = (path: string, shown: Page): Endpoint => ({
  ...common,
  path,
  auth: 'none',
  handle: async () => pageReply(200, shown),
})

export function refusal(answer: ErrorAnswer, path: string): Reply {
  return pageReply(answer.status, refusalPage(answer, path))
}

const common = {
  method: 'GET',
  since: 'v1',
  idempotent: true,
  summary: 'A page for people',
  responses: {},
  refusal,
} satisfies Partial<Endpoint>

const none = html``

/** Nothing runs on a page, and nothing comes from elsewhere. */
export function pageReply(
  status: number,
  { title, content, hasForm = false }: Page,
  { head = none, cache = 'private, no-store', username = '' } = {},
): Reply {
  return {
    status,
    headers: {
      'content-security-policy': hasForm ? policyWithForm : policy,
      // Without a referrer a browser would not say which site a form comes from either.
      ...(hasForm && { 'referrer-policy': 'same-origin' }),
      'cache-control': cache,
      vary: 'Accept-Encoding, Authorization, Cookie',
    },
    page: (site) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${html`<title>${title} · ${site.name}</title>`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<link rel="icon" href="${icon}">${head}<style>${style}</style></head>
<body><header>${html`<span>${site.name}</span>`}${signedInAs(username)}</header>${noticeOf(site)}<main>${content}</main></body></html>
`,
  }
}

/** What the administrators tell everybody. */
const noticeOf = ({ announcement }: Site) =>
  announcement ? html`<p class="notice" role="status">${announcement}</p>` : none

/** Leads to where one can sign out. */
const signedInAs = (username: string) =>
  username ? html`<a href="/sign-in/">${named(username)}</a>` : none

const styleHash = createHash('sha256').update(style).digest('base64')
const policyFor = (formTarget: "'none'" | "'self'") =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${formTarget}`,
    "frame-ancestors 'none'",
  ].join('; ')
const policy = policyFor("'none'")
const policyWithForm = policyFor("'self'")

const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 8 8%22%3E' +
  '%3Crect width=%228%22 height=%228%22 rx=%222%22 fill=%22%232563a8%22/%3E' +
  '%3Cpath d=%22M1.5 6 3.5 3l1.5 1.5L6.5 2%22 fill=%22none%22 stroke=%22white%22/%3E%3C/svg%3E'

/** For messengers and the like, which take addresses of pictures only whole. */
function previewOf({ title, picture }: Page, publicUrl: string) {
  const image =
    picture && publicUrl ? html`<meta property="og:image" content="${publicUrl}${picture}">` : none
  return html`<meta property="og:title" content="${title}">${image}`
}
