export type Visited = { url: URL; status: number; headers: Headers; text: string }

export type Visitor = {
  /** Cookies by name, whichever server set them: ports do not divide them in a browser either. */
  cookies: Map<string, Cookie>
  /** One request, whose redirect is not followed. */
  send(url: URL | string, init?: RequestInit): Promise<Visited>
  visit(url: URL | string): Promise<Visited>
  /** Sends the first form of a page, with what it holds and what is filled in. */
  submit(page: Visited, filled?: Record<string, string>): Promise<Visited>
}

export type Cookie = { value: string; path: string; attributes: string }

const redirectsMax = 20

/** What a browser does, without scripts: keeps cookies, follows redirects, sends forms. */
export function createVisitor(): Visitor {
  const cookies = new Map<string, Cookie>()
  async function send(at: URL | string, init: RequestInit = {}) {
    const url = new URL(at)
    const headers = new Headers(init.headers)
    const cookie = cookiesFor(cookies, url)
    if (cookie) headers.set('cookie', cookie)
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    return { url, status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  async function follow(first: Visited) {
    let page = first
    for (let n = 0; page.headers.has('location'); n++) {
      if (n === redirectsMax) throw new Error(`too many redirects, at last to ${page.url}`)
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

function keep(cookies: Map<string, Cookie>, line: string) {
  const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
  const path = /;\s*path=([^;]+)/i.exec(attributes)?.[1] ?? '/'
  if (value) cookies.set(name, { value, path, attributes })
  else cookies.delete(name)
}

function formOf({ text, url }: Visited) {
  const form = /<form[^>]*>[\s\S]*?<\/form>/.exec(text)?.[0]
  if (!form) throw new Error(`there is no form at ${url}`)
  const inputs = [...form.matchAll(/<input[^>]*>/g)].map(([input]) => input)
  const fields = inputs.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
  return {
    action: new URL(attribute(form, 'action'), url),
    fields: Object.fromEntries(fields.filter(([name]) => name !== '')),
  }
}

const attribute = (element: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1]?.replaceAll('&amp;', '&') ?? ''
