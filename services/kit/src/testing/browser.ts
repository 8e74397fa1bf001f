export type BrowserPage = { url: URL; status: number; headers: Headers; text: string }

export type Browser = {
  /** Cookies by name, for all servers: browsers do not separate them by port either. */
  cookies: Map<string, Cookie>
  /** Sends a request without following redirects. */
  send(url: URL | string, init?: RequestInit): Promise<BrowserPage>
  visit(url: URL | string): Promise<BrowserPage>
  /** Submits the form with this action, or the first form of a page, with its values and those filled in. */
  submit(page: BrowserPage, filled?: Record<string, string>, action?: string): Promise<BrowserPage>
}

export type Cookie = { value: string; path: string; attributes: string }

const redirectsMax = 20

/** A browser without scripts: stores cookies, follows redirects, submits forms. It sends `always` with each request. */
export function createBrowser(always: Record<string, string> = {}): Browser {
  const cookies = new Map<string, Cookie>()
  async function send(at: URL | string, init: RequestInit = {}) {
    const url = new URL(at)
    const headers = new Headers({ ...always, ...Object.fromEntries(new Headers(init.headers)) })
    if (!headers.has('accept')) headers.set('accept', 'text/html,*/*;q=0.8')
    const cookie = cookiesFor(cookies, url)
    if (cookie) headers.set('cookie', cookie)
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) storeCookie(cookies, line)
    return { url, status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  async function follow(first: BrowserPage) {
    let page = first
    for (let n = 0; page.headers.has('location'); n++) {
      if (n === redirectsMax) throw new Error(`too many redirects, the last to ${page.url}`)
      page = await send(new URL(page.headers.get('location') ?? '', page.url))
    }
    return page
  }
  return {
    cookies,
    send,
    visit: async (url) => follow(await send(url)),
    async submit(page, filled = {}, wanted) {
      const { action, fields } = formOf(page, wanted)
      const body = new URLSearchParams({ ...fields, ...filled })
      return follow(
        await send(action, { method: 'POST', body, headers: { origin: page.url.origin } }),
      )
    },
  }
}

function cookiesFor(cookies: Map<string, Cookie>, { pathname }: URL) {
  const sent = [...cookies].filter(([, { path }]) => pathname.startsWith(path))
  return sent.map(([name, { value }]) => `${name}=${value}`).join('; ')
}

function storeCookie(cookies: Map<string, Cookie>, line: string) {
  const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
  const path = /;\s*path=([^;]+)/i.exec(attributes)?.[1] ?? '/'
  if (value) cookies.set(name, { value, path, attributes })
  else cookies.delete(name)
}

/** A file or a menu has no value: a test fills it in. */
function formOf({ text, url }: BrowserPage, wanted?: string) {
  const forms = [...text.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].map(([form]) => form)
  const form = forms.find((one) => wanted === undefined || attribute(one, 'action') === wanted)
  if (!form) throw new Error(`no form ${wanted ?? ''} at ${url}`)
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input)
  const sent = inputs.filter((one) => attribute(one, 'type') !== 'checkbox' || / checked/.test(one))
  const fields = sent.map((one) => [
    attribute(one, 'name'),
    attribute(one, 'value') || defaultOf(one),
  ])
  return {
    action: new URL(attribute(form, 'action'), url),
    fields: Object.fromEntries(fields.filter(([name]) => name !== '')),
  }
}

const defaultOf = (input: string) => (attribute(input, 'type') === 'checkbox' ? 'on' : '')

const attribute = (element: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1]?.replaceAll('&amp;', '&') ?? ''
