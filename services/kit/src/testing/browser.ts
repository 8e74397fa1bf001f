export type BrowserPage = { url: URL; status: number; headers: Headers; text: string }

export type Browser = {
  /** Cookies by name, for all servers: browsers do not separate them by port either. */
  cookies: Map<string, Cookie>
  /** Sends a request without following redirects. */
  send(url: URL | string, init?: RequestInit): Promise<BrowserPage>
  visit(url: URL | string): Promise<BrowserPage>
  /** Submits the first form of a page with its values and those filled in. */
  submit(page: BrowserPage, filled?: Record<string, string>): Promise<BrowserPage>
}

export type Cookie = { value: string; path: string; attributes: string }

const redirectsMax = 20

/** A browser without scripts: stores cookies, follows redirects, submits forms. */
export function createBrowser(): Browser {
  const cookies = new Map<string, Cookie>()
  async function send(at: URL | string, init: RequestInit = {}) {
    const url = new URL(at)
    const headers = new Headers(init.headers)
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
    async submit(page, filled = {}) {
      const { action, fields } = formOf(page)
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

function formOf({ text, url }: BrowserPage) {
  const form = /<form[^>]*>[\s\S]*?<\/form>/.exec(text)?.[0]
  if (!form) throw new Error(`no form at ${url}`)
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input)
  const fields = inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
  return {
    action: new URL(attribute(form, 'action'), url),
    fields: Object.fromEntries(fields.filter(([name]) => name !== '')),
  }
}

const attribute = (element: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1]?.replaceAll('&amp;', '&') ?? ''
