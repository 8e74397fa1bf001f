import type { Encoded, Pairs } from './drafts.js'
import {
  hostileBodies,
  hostileHeaders,
  hostilePaths,
  hostileQueries,
  hostileTexts,
} from './hostile-values.js'
import type { Random } from './random.js'

/** A request as an attacker would send it, and what is hostile in it. */
export type Hostile = {
  what: string
  request: Encoded
  /** Whether the bytes after the headers are not the body that these announce. */
  isMisframed: boolean
}

type Attack = (request: Encoded, random: Random) => Hostile | undefined

const setHeader = (request: Encoded, name: string, value: string): Encoded => ({
  ...request,
  headers: [...request.headers.filter(([other]) => other.toLowerCase() !== name), [name, value]],
})
const withoutHeader = (request: Encoded, name: string): Encoded => ({
  ...request,
  headers: request.headers.filter(([other]) => other.toLowerCase() !== name),
})
const withBody = (request: Encoded, body: Buffer): Encoded => ({
  ...setHeader(request, 'content-length', String(body.length)),
  body,
})
const framed = (what: string, request: Encoded): Hostile => ({ what, request, isMisframed: false })
const misframed = (what: string, request: Encoded): Hostile => ({
  what,
  request,
  isMisframed: true,
})
const shown = (text: string) => JSON.stringify(text.slice(0, 40))

const path: Attack = (request, random) => {
  const [target = '', search] = request.target.split('?')
  const segments = target.split('/')
  const value = random.pick(hostilePaths)
  segments[3 + random.below(Math.max(1, segments.length - 3))] = value
  const query = search === undefined ? '' : `?${search}`
  return framed(`path ${shown(value)}`, { ...request, target: segments.join('/') + query })
}

const query: Attack = (request, random) => {
  const value = random.pick(hostileQueries)
  return framed(`query ${shown(value)}`, {
    ...request,
    target: `${request.target.split('?')[0]}?${value}`,
  })
}

const text: Attack = (request, random) => {
  if (!request.body.includes('"')) return undefined
  const value = random.pick(hostileTexts)
  const replaced = JSON.stringify(replacedText(JSON.parse(request.body.toString()), random, value))
  return framed(`text ${shown(value)}`, withBody(request, Buffer.from(replaced)))
}

/** Replaces one text, and sometimes the name of a member. */
function replacedText(json: unknown, random: Random, value: string): unknown {
  if (typeof json === 'string') return value
  if (Array.isArray(json)) {
    const chosen = random.below(json.length || 1)
    return json.map((item, index) => (index === chosen ? replacedText(item, random, value) : item))
  }
  if (typeof json !== 'object' || json === null) return json
  const entries = Object.entries(json)
  const chosen = random.below(entries.length || 1)
  return Object.fromEntries(
    entries.map(([name, item], index) => {
      if (index !== chosen) return [name, item]
      return random.chance(0.1) ? [value, item] : [name, replacedText(item, random, value)]
    }),
  )
}

const body: Attack = (request, random) => {
  const [what, make] = random.pick(hostileBodies)
  const sent = withBody(request, Buffer.from(make(random)))
  const isDeclared = what === 'compressed' && random.chance(0.7)
  return framed(what, isDeclared ? setHeader(sent, 'content-encoding', 'gzip') : sent)
}

const chunked = (request: Encoded, body: string) => ({
  ...setHeader(withoutHeader(request, 'content-length'), 'transfer-encoding', 'chunked'),
  body: Buffer.from(body, 'latin1'),
})

const goodChunks: Attack = (request, random) => {
  const text = request.body.toString('latin1')
  const at = random.below(text.length + 1)
  const parts = [text.slice(0, at), text.slice(at)].filter((part) => part !== '')
  const extension = random.pick(['', ';x=y', ';"', ' '])
  const trailer = random.pick(['', 'x-trailer: 1\r\n'])
  const chunks = parts.map((part) => `${part.length.toString(16)}${extension}\r\n${part}\r\n`)
  return misframed('chunks', chunked(request, `${chunks.join('')}0\r\n${trailer}\r\n`))
}

const badChunks: Attack = (request, random) => {
  const value = random.pick([
    'zz\r\nx\r\n0\r\n\r\n',
    '5\r\nabc\r\n0\r\n\r\n',
    '2\r\nabcdef\r\n0\r\n\r\n',
    'ffffffffffffffffff\r\nx\r\n',
    '-1\r\nx\r\n',
    '0\r\n',
    '3\nabc\n0\n\n',
    `3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`,
    '',
  ])
  return misframed(`chunks ${shown(value)}`, chunked(request, value))
}

const badLength: Attack = (request, random) => {
  const { length } = request.body
  const value = random.pick([
    String(length + 10),
    String(Math.max(0, length - 1)),
    '-1',
    '0x10',
    '1e2',
    '99999999999999999999999',
    `${length}, ${length}`,
    '+5',
    'NaN',
    '',
  ])
  return misframed(`Content-Length ${shown(value)}`, setHeader(request, 'content-length', value))
}

const smuggled: Attack = (request, random) => {
  const both = setHeader(
    request,
    'transfer-encoding',
    random.pick(['chunked', 'x, chunked', 'chunked, x', '\x0bchunked']),
  )
  return misframed('two framings', both)
}

const header: Attack = (request, random) => {
  const [name, value] = random.pick(hostileHeaders)
  const others = name === 'host' ? withoutHeader(request, 'host') : request
  const headers: Pairs = [...others.headers, [name, value]]
  return misframed(`header ${shown(name)}: ${shown(value)}`, { ...others, headers })
}

const manyHeaders: Attack = (request, random) => {
  const count = random.pick([100, 500, 2000, 5000])
  const more = Array.from({ length: count }, (_, n): [string, string] => [`x-${n}`, 'x'])
  return misframed(`${count} headers`, { ...request, headers: [...request.headers, ...more] })
}

const method: Attack = (request, random) => {
  const value = random.pick([
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'OPTIONS',
    'FOO',
    'get',
    'GET\x00',
    '',
    'M-SEARCH',
    'PURGE',
    'PUT',
    'DELETE',
    'PATCH',
    'POST',
    'HEAD',
  ])
  // A method of another operation could change what this request must not.
  const isOther = ['PUT', 'DELETE', 'PATCH', 'POST'].includes(value)
  const target = isOther
    ? request.target.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, () => random.uuid())
    : request.target
  return misframed(`method ${shown(value)}`, { ...request, method: value, target })
}

const startLine: Attack = (request, random) => {
  const { target } = request
  const [what, change] = random.pick<[string, Partial<Encoded>]>([
    ['HTTP/1.0', { protocol: 'HTTP/1.0' }],
    ['HTTP/3.7', { protocol: 'HTTP/3.7' }],
    ['HTTP/0.9', { protocol: '' }],
    ['no protocol', { protocol: 'x' }],
    ['an absolute target', { target: `http://evil.example${target}` }],
    ['two slashes', { target: `/${target}` }],
    ['no slash', { target: target.slice(1) }],
    ['a fragment', { target: `${target}#x` }],
    ['a space', { target: `${target} x` }],
    ['an asterisk', { target: '*' }],
    ['without the last slash', { target: target.replace(/\/$/, '') }],
    ['another version', { target: target.replace(/\/v1[.\d]*\//, '/v9/') }],
    ['a line break', { target: `${target}\r\nX-Injected: yes` }],
  ])
  return misframed(what, { ...request, ...change })
}

const attacks: Attack[] = [
  ...Array<Attack>(3).fill(path),
  ...Array<Attack>(2).fill(query),
  ...Array<Attack>(4).fill(text),
  ...Array<Attack>(3).fill(body),
  ...Array<Attack>(2).fill(header),
  goodChunks,
  badChunks,
  badLength,
  smuggled,
  manyHeaders,
  method,
  startLine,
]

export function hostile(request: Encoded, random: Random): Hostile {
  for (;;) {
    const attacked = random.pick(attacks)(request, random)
    if (attacked) return attacked
  }
}
