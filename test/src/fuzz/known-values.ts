import { png } from '../images.js'
import type { Operation } from './operations.js'
import type { Random } from './random.js'

/** Values that mean something to the product, by their name: ids, names of users, tokens. */
export type Values = Record<string, string>

/** What a valid value may depend on. */
export type Source = { operation: Operation; random: Random; values: Values }

type Make = (source: Source) => unknown

const idOf =
  (name: string): Make =>
  ({ values, random }) =>
    values[name] ?? random.uuid()
const text =
  (...texts: unknown[]): Make =>
  ({ random }) =>
    random.pick(texts)
const absent: Make = () => undefined
const name: Make = ({ random }) => `Fuzz ${random.hex(8)}`

const pixels = Buffer.from(png(8, 8)).toString('base64')
const bytes = ['', 'YSxiCjEsMgo=', 'eCA9IDEK', pixels]
const tus: Make = () => '1.0.0'
const targets: [type: string, id: string][] = [
  ['figure', 'figure'],
  ['figure_revision', 'revision'],
  ['asset', 'asset'],
  ['asset_revision', 'asset_revision'],
]

/** Members and parameters, by `<operation>.<name>` or by their name; undefined: leave it out. */
const known: Record<string, Make> = {
  'POST /user/.username': ({ random }) => `fuzz${random.hex(16)}`,
  'POST /api/token/.username': idOf('username'),
  'POST /api/token/.password': idOf('password'),
  'POST /api/password_reset/.email': ({ random }) => `${random.hex(12)}@example.org`,
  'DELETE /user/{username}/.password': idOf('password'),
  'PATCH /user/{username}/.username': idOf('username'),
  'PUT /user/{username}/.username': idOf('username'),
  'PATCH /user/{username}/.password': absent,
  'PUT /user/{username}/.password': absent,
  'POST /promotion_code/.promotion_code': ({ random }) => `FUZZ${random.hex(8)}`,
  'POST /metadata/.expiry': absent,
  'POST /upload/direct/.analysis': absent,
  'POST /upload/direct/.asset': absent,
  'POST /upload/direct/.revision': absent,
  'POST /upload/direct/.asset_revision': absent,
  'POST /batch/.path': ({ random, values }) =>
    random.pick([`figure/${values.figure}/`, 'workspace/', `revision/${values.revision}/?x=1`]),
  'POST /asset/find_by_name/.name': text('Samples', 'Fuzz'),
  'POST /search/.search_type': text('keyword', 'keyword', 'keyword', 'semantic', 'image'),
  'POST /search/.query': text('figure', 'samples of plankton', 'x'),
  // Not with the types semantic and image.
  'POST /search/.metadata': absent,
  'POST /search/.keywords': text(['figure'], ['samples', 'x']),

  organization: idOf('organization'),
  workspace: idOf('workspace'),
  analysis: idOf('analysis'),
  figure: idOf('figure'),
  asset: idOf('asset'),
  revision: idOf('revision'),
  figure_revision: idOf('revision'),
  left_revision: idOf('revision'),
  right_revision: idOf('revision'),
  revision_id: idOf('revision'),
  asset_revision: idOf('asset_revision'),
  story_id: idOf('story'),
  slide_id: idOf('slide'),
  comment_id: idOf('comment'),
  plan: idOf('plan'),
  promotion_code: idOf('promotion_code'),
  username: idOf('other'),
  refresh: idOf('refresh'),
  private_key: idOf('private_key'),
  passphrase: absent,
  upload: idOf('upload_done'),
  target_type: ({ random }) => targets[random.below(targets.length)]?.[0],
  target_id: absent,
  parent_comment_id: absent,
  client_id: ({ random }) => random.uuid(),
  short_id: absent,
  anchor: absent,
  delete_figure_revision: () => false,
  is_default: () => false,
  created_by: absent,
  created_on: absent,
  updated_by: absent,
  updated_on: absent,
  generate: () => false,
  // The other workers sign up.
  sign_up_enabled: () => true,
  ai_model: () => null,
  model: absent,
  tier: text('small', 'medium'),
  vendor: () => 'GoFigr.io',
  params: absent,
  role: text('user', 'assistant'),
  emoji: text('👍', '🚀', '🎉', '👀'),
  email: ({ random }) => `${random.hex(12)}@example.org`,
  password: ({ random }) => `correct horse ${random.hex(8)}`,
  digest: ({ random }) => random.hex(64),
  data: text(...bytes),
  image: () => pixels,
  figure_image: () => `data:image/png;base64,${pixels}`,
  avatar: () => pixels,
  logo: () => pixels,
  name,
  expiry: idOf('soon'),
  metadata: text({}, { local_id: 'x' }, { format: 'png' }, { path: null }, { language: 'Python' }),
  period: text('2026-01', '2025-12'),
  cursor: absent,
  fields: text('api_id'),
  before: text('2', '5'),
  status__in: text('PENDING', 'SUCCESS,FAILURE'),
  'If-Match': () => '*',
  'If-None-Match': text('"x"', '*'),
  Range: text('bytes=0-0', 'bytes=0-9', 'bytes=-1'),
  'Idempotency-Key': ({ random }) => random.uuid(),
  'Last-Event-ID': absent,
  'Tus-Resumable': tus,
  'Upload-Length': text('0', '1', '100'),
  'Upload-Defer-Length': absent,
  'Upload-Offset': () => '0',
  'Upload-Metadata': ({ values }) =>
    `figure ${Buffer.from(values.figure ?? '').toString('base64')}`,
}

/** Optional members and parameters without which most requests would be rejected. */
const needed = new Set([
  'POST /search/.query',
  'POST /search/.image',
  'POST /upload/.Upload-Length',
  'POST /upload/.Upload-Metadata',
  'POST /upload/direct/.figure',
  'DELETE /user/{username}/.password',
])
export const isNeeded = ({ name }: Operation, member: string): boolean =>
  needed.has(`${name}.${member}`)

/** A value for a member or parameter, if its name says which; `value: undefined` to leave it out. */
export function knownValue(source: Source, name: string): { value: unknown } | undefined {
  const make = known[`${source.operation.name}.${name}`] ?? known[name]
  return make && { value: make(source) }
}

/** Members that depend on others. */
export function completed(body: unknown, values: Values): unknown {
  if (typeof body !== 'object' || body === null || !('target_type' in body)) return body
  const [, id = 'figure'] = targets.find(([type]) => type === body.target_type) ?? []
  return { ...body, target_id: values[id] }
}

export function completedQuery(query: [string, string][], values: Values): [string, string][] {
  const all = completed(Object.fromEntries(query), values) as Record<string, string>
  return Object.entries(all)
}

/** The value of a parameter in a path: the id of an object of the type that the segments before it name. */
export function pathValue({ operation, random, values }: Source, name: string): string {
  if (name === 'size') return String(1 + random.below(200))
  if (name === 'number') return '1'
  const segments = operation.path.split('/')
  const at = segments.indexOf(`{${name}}`)
  const kind = segments[at - 1] ?? ''
  const above = segments[at - 2] ?? ''
  const names: Record<string, string> = {
    username: 'username',
    log_id: `${segments[at - 3]}_log`,
    key: `invitation_${kind}`,
  }
  return values[names[name] ?? kind] ?? values[`${above}_${kind}`] ?? random.uuid()
}
