import { createHash } from 'node:crypto'
import type { Site } from '@figbase/kit/rpc'
import { type Html, html } from '@figbase/kit/text'
import type { Endpoint, Input, Reply } from '../endpoint.js'
import type { ErrorAnswer } from '../http/errors.js'
import { errorPage } from './error-page.js'
import { style } from './style.js'
import { nameHtml } from './text.js'

/** The content of a page. */
export type Page = {
  title: string
  content: Html
  /** The path of a picture for link previews. */
  picture?: string | undefined
  /** Whether it has a form; see `form.ts`. */
  hasForm?: boolean
  /** A fixed script, never made of input. */
  script?: string
  /** Paths of styles and scripts of this site; the scripts may send requests to it. */
  assets?: { styles: string[]; scripts: string[] }
}

/** Declares an HTML page. It shows only what the user may view. */
export const page = (
  path: string,
  render: (input: Input) => Promise<Page>,
  { query }: Pick<Endpoint, 'query'> = {},
): Endpoint => ({
  ...common,
  path,
  auth: 'optional',
  acceptsSession: true,
  ...(query && { query }),
  async handle(input) {
    const shown = await render(input)
    // The anonymous page is the same for everybody, so it may be cached.
    return input.username === ''
      ? pageReply(200, shown, { head: previewOf(shown, input.cfg.publicUrl), cache: 'no-cache' })
      : pageReply(200, shown, { username: input.username })
  },
})

/** A page that is the same for all callers. */
export const publicPage = (
  path: string,
  render: (params: Input['params']) => Promise<Page>,
  { cache = 'private, no-store' } = {},
): Endpoint => ({
  ...common,
  path,
  auth: 'none',
  handle: async ({ params }) => pageReply(200, await render(params), { cache }),
})

/** A page that never changes. */
export const fixedPage = (path: string, shown: Page): Endpoint =>
  publicPage(path, async () => shown)

export function errorReply(answer: ErrorAnswer, path: string): Reply {
  return pageReply(answer.status, errorPage(answer, path))
}

const common = {
  method: 'GET',
  since: 'v1',
  idempotent: true,
  summary: 'An HTML page',
  responses: {},
  errorReply,
} satisfies Partial<Endpoint>

const none = html``

/** The content security policy forbids external resources, and scripts other than that of the page. */
export function pageReply(
  status: number,
  { title, content, hasForm = false, script = '', assets }: Page,
  { head = none, cache = 'private, no-store', username = '' } = {},
): Reply {
  return {
    status,
    headers: {
      'content-security-policy': policyFor(hasForm ? "'self'" : "'none'", script, assets),
      // With `no-referrer`, browsers would not send the origin of a form.
      ...(hasForm && { 'referrer-policy': 'same-origin' }),
      'cache-control': cache,
      vary: 'Accept-Encoding, Authorization, Cookie',
    },
    page: (site) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${html`<title>${title} · ${site.name}</title>`}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">
<link rel="icon" href="${icon}">${head}<style>${style}</style>${linksOf(assets)}</head>
<body><header>${html`<span>${site.name}</span>`}<nav><a href="/docs/">Guide</a>${signedInAs(username)}</nav></header>${noticeOf(site)}<main>${content}</main>${script && `<script>${script}</script>`}</body></html>
`,
  }
}

const linksOf = (assets: Page['assets']) =>
  assets
    ? html`${assets.styles.map((path) => html`<link rel="stylesheet" href="${path}">`)}${assets.scripts.map((path) => html`<script src="${path}" defer></script>`)}`
    : none

/** The announcement of the administrators. */
const noticeOf = ({ announcement }: Site) =>
  announcement ? html`<p class="notice" role="status">${announcement}</p>` : none

/** Links to the page with the sign-out button. */
const signedInAs = (username: string) =>
  username ? html`<a href="/sign-in/">${nameHtml(username)}</a>` : none

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const styleHash = hashOf(style)
const policyFor = (formTarget: "'none'" | "'self'", script: string, assets: Page['assets']) =>
  [
    "default-src 'none'",
    `style-src ${styleHash}${assets ? " 'self'" : ''}`,
    ...(script ? [`script-src ${hashOf(script)}`] : []),
    ...(assets ? ["script-src 'self'", "connect-src 'self'"] : []),
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action ${formTarget}`,
    "frame-ancestors 'none'",
  ].join('; ')

const icon =
  'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 8 8%22%3E' +
  '%3Crect width=%228%22 height=%228%22 rx=%222%22 fill=%22%232563a8%22/%3E' +
  '%3Cpath d=%22M1.5 6 3.5 3l1.5 1.5L6.5 2%22 fill=%22none%22 stroke=%22white%22/%3E%3C/svg%3E'

/** Metadata for link previews, which need absolute picture URLs. */
function previewOf({ title, picture }: Page, publicUrl: string) {
  const image =
    picture && publicUrl ? html`<meta property="og:image" content="${publicUrl}${picture}">` : none
  return html`<meta property="og:title" content="${title}">${image}`
}
