import { mutatedBody } from './body-mutations.js'
import type { Draft, Pairs } from './drafts.js'
import type { Document } from './operations.js'
import type { Random } from './random.js'

type Mutation = (draft: Draft, random: Random, document: Document) => Change | undefined

/** A draft with one thing changed, and what it is. */
export type Change = { draft: Draft; what: string }

const wrongTexts = [
  '',
  ' ',
  'x',
  '-1',
  '0',
  '1.5',
  '1e400',
  '99999999999999999999',
  'null',
  'true,false',
  '2026-02-30',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'x'.repeat(300),
]

const wrongHeaders: Record<string, string[]> = {
  accept: [
    'text/nothing',
    '*/*;q=0',
    'application/json;q=x',
    'text/event-stream',
    'application/problem+json',
    ',,,',
    'text/csv',
  ],
  'accept-encoding': ['gzip;q=0', 'identity;q=0', '*;q=0', 'br', 'gzip;q=9', 'x'.repeat(1000)],
  authorization: ['Bearer', 'Bearer x', 'Bearer a.b.c', 'Token', 'Token x', 'Basic eDp4', 'x', '.'],
  'content-type': [
    '',
    'text/plain',
    'application/xml',
    'application/json; charset=utf-16',
    'application/json; charset="',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    '/',
  ],
  'content-encoding': ['gzip', 'br', 'identity', 'x', 'gzip, gzip'],
  'idempotency-key': ['', 'x'.repeat(300), '\xfc', 'a b', '"', 'same'],
  'if-match': ['', '""', 'W/"1"', '"1"', '"999999999"', '"1", "2"', '1', '"a', '*, "1"', '"-1"'],
  'if-modified-since': ['x', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'if-none-match': ['', '*', 'W/"x"', '"a", "b"', '"', 'x'.repeat(5000)],
  'if-range': ['"x"', 'x'],
  'last-event-id': ['', 'x', '-1', '99999999999999999999', '0-0', '../..'],
  prefer: ['respond-async', 'x'.repeat(100)],
  range: [
    'bytes=9-1',
    'bytes=-',
    'bytes=0-0,5-9',
    'bytes=99999999999999999999-',
    'bytes=-0',
    'lines=1-2',
    'bytes=a-b',
    '',
  ],
  'tus-resumable': ['', '0.2.1', 'x'],
  'upload-defer-length': ['1', '0', 'x'],
  'upload-length': ['', '-1', '1.5', 'x', '99999999999999999999', '1e3'],
  'upload-metadata': ['', 'figure', 'figure !', ',', 'figure eA==,figure eA==', 'x'.repeat(3000)],
  'upload-offset': ['', '-1', '7', 'x', '99999999999999999999'],
  'x-http-method-override': ['PATCH', 'DELETE', 'x'],
  'x-forwarded-for': ['', 'x', '999.1.1.1', '::1', '1.1.1.1, 2.2.2.2'],
  traceparent: ['x', '00-0-0-00'],
  origin: ['null', 'x', 'https://example.org'],
  cookie: ['figbase_session=x', '=', ';;;', 'a'.repeat(3000)],
}

const withHeader = (headers: Pairs, name: string, value: string): Pairs => [
  ...headers.filter(([other]) => other.toLowerCase() !== name),
  [name, value],
]

/** Whether the operation declares the header; its wrong values are the most likely to matter. */
const declared = ({ operation }: Draft) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name.toLowerCase())
    .filter((name) => name in wrongHeaders)

const header: Mutation = (draft, random) => {
  const own = declared(draft)
  const names = own.length > 0 && random.chance(0.6) ? own : Object.keys(wrongHeaders)
  const name = random.pick(names)
  const value = random.pick(wrongHeaders[name] ?? [])
  const what = `${name}: ${value.slice(0, 40)}`
  return { what, draft: { ...draft, headers: withHeader(draft.headers, name, value) } }
}

const missingHeader: Mutation = (draft, random) => {
  if (draft.headers.length === 0) return undefined
  const [name] = random.pick(draft.headers)
  return {
    what: `without ${name}`,
    draft: { ...draft, headers: draft.headers.filter(([other]) => other !== name) },
  }
}

const query: Mutation = (draft, random) => {
  const names = draft.operation.parameters.filter(({ in: place }) => place === 'query')
  const name = names.length > 0 && random.chance(0.9) ? random.pick(names).name : 'unknown'
  const value = random.pick(wrongTexts)
  const others = draft.query.filter(([other]) => other !== name)
  return {
    what: `${name}=${value.slice(0, 40)}`,
    draft: { ...draft, query: [...others, [name, value]] },
  }
}

const repeatedQuery: Mutation = (draft, random) => {
  if (draft.query.length === 0) return undefined
  const [name] = random.pick(draft.query)
  return {
    what: `${name} twice`,
    draft: { ...draft, query: [...draft.query, [name, random.pick(wrongTexts)]] },
  }
}

const path: Mutation = (draft, random) => {
  const names = Object.keys(draft.path)
  if (names.length === 0) return undefined
  const name = random.pick(names)
  const value = random.pick([random.uuid(), draft.path[name]?.toUpperCase() ?? '', ...wrongTexts])
  return {
    what: `${name}: ${value.slice(0, 40)}`,
    draft: { ...draft, path: { ...draft.path, [name]: value } },
  }
}

const member: Mutation = (draft, random, document) => {
  if (draft.body === undefined || Buffer.isBuffer(draft.body)) return undefined
  const { json, what } = mutatedBody(document, draft.body, random)
  return { what, draft: { ...draft, body: { json, sites: [] } } }
}

const truncated: Mutation = (draft, random) => {
  if (draft.body === undefined || Buffer.isBuffer(draft.body)) return undefined
  const bytes = Buffer.from(JSON.stringify(draft.body.json) ?? '')
  const length = random.below(Math.max(1, bytes.length))
  return { what: `only ${length} bytes`, draft: { ...draft, body: bytes.subarray(0, length) } }
}

const unexpectedBody: Mutation = (draft, random) => {
  if (draft.body !== undefined) return undefined
  const body = Buffer.from(random.pick(['{}', 'x', '[]', ' '.repeat(100_000)]))
  return { what: 'an unexpected body', draft: { ...draft, body } }
}

const mutations: Mutation[] = [
  ...Array<Mutation>(6).fill(member),
  header,
  header,
  query,
  path,
  truncated,
  missingHeader,
  repeatedQuery,
  unexpectedBody,
]

/** The draft with one wrong value, parameter or header. */
export function mutated(draft: Draft, random: Random, document: Document): Change {
  for (;;) {
    const change = random.pick(mutations)(draft, random, document)
    if (change) return change
  }
}
