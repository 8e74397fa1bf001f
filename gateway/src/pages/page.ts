import { type Html, html } from '@figbase/kit/text'
import type { Input, Reply, Route } from '../endpoint.js'
import type { ErrorAnswer } from '../http/errors.js'
import { type Texts, textsOf } from '../texts/texts.js'
import { errorPage } from './error-page.js'
import { type FrameInput, framed } from './frame.js'
import { policyFor } from './policy.js'
import { signInFor, signInPath } from './sign-in/next.js'

/** The content of a page. */
export type Page = {
  /** Default 200. */
  status?: number
  title: Html
  content: Html
  /** The path of a picture for link previews. */
  picture?: string | undefined
  /** Whether it has a form; see `form.ts`. */
  hasForm?: boolean
  /** Whether the script sends requests to this site. */
  connects?: boolean
  /** After how many seconds the browser loads the page again. */
  refreshSeconds?: number
  /** Paths of styles and scripts of this site, which may send requests to it. */
  assets?: { styles: string[]; scripts: string[] }
}

/** Declares an HTML page. It shows only what the user may view. */
export const page = (
  path: string,
  render: (input: Input) => Promise<Page>,
  { query }: Pick<Route, 'query'> = {},
): Route => ({
  ...common,
  path,
  auth: 'optional',
  ...(query && { query }),
  async handle(input) {
    const shown = await render(input)
    // The anonymous page is the same for everybody, so it may be cached.
    return input.username === ''
      ? pageReply(statusOf(shown), shown, {
          head: previewOf(shown, input.cfg.publicUrl),
          cache: 'no-cache',
          signIn: signInFor(input.url),
        })
      : pageReply(statusOf(shown), shown)
  },
})

/** Declares an HTML page for signed-in users. Others are sent to the sign-in page, which leads back. */
export const userPage = (...declared: Parameters<typeof page>): Route => ({
  ...page(...declared),
  auth: 'required',
  errorReply: signInReply,
})

const statusOf = ({ status = 200 }: Page) => status

/** A page whose content is the same for all callers. */
export const publicPage = (
  path: string,
  render: (input: Input, texts: Texts) => Promise<Page>,
  { cache = notStored } = {},
): Route => ({
  ...common,
  path,
  auth: 'none',
  handle: async (input) =>
    pageReply(200, await render(input, textsOf(input)), {
      cache: input.username === '' ? cache : notStored,
    }),
})

/** A page that never changes. */
export const fixedPage = (path: string, render: (texts: Texts) => Page): Route =>
  publicPage(path, async (_, texts) => render(texts))

export function errorReply(answer: ErrorAnswer, request: Pick<Input, 'url' | 'headers'>): Reply {
  return pageReply(answer.status, errorPage(answer, request))
}

/** Like `errorReply`, but a missing session leads to the sign-in page. */
export function signInReply(answer: ErrorAnswer, request: Pick<Input, 'url' | 'headers'>): Reply {
  if (answer.status !== 401) return errorReply(answer, request)
  const headers = { location: signInFor(request.url), 'cache-control': 'no-store' }
  return { status: 303, headers, empty: true }
}

const notStored = 'private, no-store'
const common = {
  method: 'GET',
  since: 'v1',
  acceptsSession: true,
  errorReply,
} satisfies Partial<Route>

const none = html``

export function pageReply(
  status: number,
  shown: Page,
  { head = none, cache = notStored, signIn = signInPath } = {},
): Reply {
  return {
    status,
    headers: {
      'content-security-policy': policyFor(shown),
      // With `no-referrer`, browsers would not send the origin of a form.
      ...(shown.hasForm && { 'referrer-policy': 'same-origin' }),
      ...(shown.refreshSeconds && { refresh: String(shown.refreshSeconds) }),
      'cache-control': cache,
      vary: 'Accept-Encoding, Accept-Language, Authorization, Cookie',
    },
    page: (input: FrameInput) => framed(shown, { head, signIn }, input),
  }
}

/** Metadata for link previews, which need absolute picture URLs. */
function previewOf({ title, picture }: Page, publicUrl: string) {
  const image =
    picture && publicUrl ? html`<meta property="og:image" content="${publicUrl}${picture}">` : none
  return html`<meta property="og:title" content="${title}">${image}`
}
