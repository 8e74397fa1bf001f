import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Route } from '../endpoint.js'
import { HttpError } from '../http/errors.js'

const pathOf = (name: string) => `/assets/${name}/`

/** The bundles of `browser/`, by their names, which contain hashes. */
const texts = new Map<string, string>()

function load(bundle: string): string {
  const text = readFileSync(new URL(`../../browser/${bundle}.js`, import.meta.url), 'utf8')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const name = `${bundle}-${hash}.js`
  texts.set(name, text)
  return pathOf(name)
}

/** The script of all pages. */
export const scriptPath: string = load('pages')
/** The script of pages where files are published. */
export const publishScriptPath: string = load('publish')

export const scripts: Route = {
  method: 'GET',
  path: pathOf(':name'),
  since: 'v1',
  auth: 'none',
  async handle({ params: { name = '' } }) {
    const text = texts.get(name)
    if (text === undefined) throw new HttpError(404, 'not_found', 'file not found')
    const headers = { 'cache-control': 'public, max-age=31536000, immutable' }
    return { status: 200, headers, text, type: 'text/javascript; charset=utf-8' }
  },
}
