type Names = { ids: Map<string, string>; users: Map<string, string> }

const people = ['ada', 'ben', 'cleo', 'dora', 'emil']
/** Members with a username. */
const userMembers =
  /^(username|owner|initiator|actor|user|description_author|(\w+_)?(created|updated|deleted|saved|granted)_by)$/
/** The access of an API key has the name of a token. */
const accesses = ['read', 'publish', 'full']
/** A picture of one pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const textLengthMax = 160

/** Members whose values differ with each run, or are secret. */
const fixed: Record<string, string> = {
  access: 'eyJhbGciOiJFZERTQSJ9.access.signature',
  refresh: 'eyJhbGciOiJFZERTQSJ9.refresh.signature',
  token: 'figbase_0123456789abcdef',
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZg==',
  request_body: '{"type":"figure.created","timestamp":"2026-01-31T12:00:00.000000Z","data":{}}',
  email: 'ada@example.org',
  address: '192.0.2.7',
  your_ip: '192.0.2.7',
  user_agent: 'example/1.0',
  fingerprint: 'SHA256:0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample',
  device_code: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
  user_code: 'BCDF-GHJK',
  verification_uri_complete: 'https://figbase.example.org/device/?code=BCDF-GHJK',
  etag: '"1-0123456789abcdefghij"',
  prefix: 'abcdefgh',
  short_id: 'abcdefghi',
  next_cursor: 'YWRh',
  promotion_code: 'SPRING',
  auth0_domain: 'id.example.org',
  environment: 'self-hosted',
  server_version: '0.1.0',
  redirect_url: 'https://figbase.example.org/notebook/',
  url: 'https://storage.example.org/upload',
  thumbnail: png,
  avatar: png,
  logo: png,
  data: 'aGVsbG8=',
}

/** An answer as an example: small, without secrets, and the same in each run. */
export function normalized(answer: unknown): unknown {
  return change(answer, '', { ids: new Map(), users: new Map() })
}

function change(value: unknown, member: string, names: Names): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => change(item, member, names))
  if (typeof value === 'string') return text(value, member, names)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, item]) => [name, change(item, name, names)])
  return Object.fromEntries(entries)
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

function text(value: string, member: string, { ids, users }: Names): string {
  if (value === '') return value
  if (userMembers.test(member)) {
    return value === 'ai' ? value : numbered(users, value, (n) => people[n] ?? `user${n}`)
  }
  if (Object.hasOwn(fixed, member) && !isId(value) && !accesses.includes(value))
    return fixed[member] ?? ''
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return `2026-01-31T12:00:00${fractionOf(value)}Z`
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return '2026-01-31'
  if (/^[0-9a-f]{16,}$/.test(value)) return '0123456789abcdef'.repeat(8).slice(0, value.length)
  if (isImportSource.test(value)) return withoutAddresses(value).replace(/@[^#]*/, `@${commit}`)
  const known = withoutAddresses(value).replace(uuid, (id) =>
    numbered(ids, id, (n) => `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`),
  )
  return withoutRandomWords(known, ids).slice(0, textLengthMax)
}

/** The servers of the tests have other ports in each run. */
const withoutAddresses = (value: string) =>
  value
    .replace(/https:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36}\/(?=\w+\.git)/, 'https://git.example.org/')
    .replace(/http:\/\/127\.0\.0\.1:\d+/, 'https://figbase.example.org')

const isImportSource = /^git\+https:.*@.*#/
const commit = '0123456789abcdef0123456789abcdef01234567'

const isId = (value: string) => value.replace(uuid, '') === ''

const fractionOf = (time: string) => '.000000'.slice(0, /\.\d+/.exec(time)?.[0].length ?? 0)

/** Tests make names that nobody else has; they end with hexadecimal digits. */
const withoutRandomWords = (value: string, ids: Map<string, string>) =>
  [...ids.values()].some((id) => value.includes(id))
    ? value
    : value.replace(/[ _-]*\b(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{6,}\b/g, '').trim() || 'example'

function numbered(known: Map<string, string>, value: string, name: (n: number) => string) {
  const found = known.get(value) ?? name(known.size)
  known.set(value, found)
  return found
}
