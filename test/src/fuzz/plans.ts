import { type Draft, type Encoded, encoded, validDraft } from './drafts.js'
import { hostile } from './hostile.js'
import type { Values } from './known-values.js'
import { mutated } from './mutations.js'
import { type Document, type Operation, operationsOf } from './operations.js'
import { type Random, randomOf } from './random.js'

export type Kind = 'valid' | 'mutated' | 'hostile'

/** One version of the API. */
export type Api = { version: string; document: Document; operations: Operation[] }

export const apiOf = (version: string, document: Document): Api => ({
  version,
  document,
  operations: operationsOf(document, version),
})

/** What a request is about, before the objects that it needs exist. */
export type Plan = {
  number: number
  kind: Kind
  api: Api
  operation: Operation
  caller: string
  random: Random
}

export type FuzzRequest = Encoded & {
  number: number
  kind: Kind
  version: string
  operation: string
  caller: string
  /** What is wrong in it. */
  what: string
  /** Whether the bytes after the headers are not the body that these announce. */
  isMisframed: boolean
}

const staffOnly =
  /^(PUT|PATCH) \/settings\/|^(POST|PUT|PATCH|DELETE) \/plan\/|\/promotion_code\/|^GET \/account\/$|\/user\/\{username\}\/(activate|deactivate|staff)\/|^GET \/ai_usage\//
const otherCallers = ['owner', 'member', 'other', 'key', 'anonymous']

/** The plan of one request. The operations come in turn, the newest version of the API most often. */
export function planOf(apis: Api[], seed: number, number: number): Plan {
  const random = randomOf(seed, number)
  const api = random.chance(0.85) ? apis.at(-1) : random.pick(apis)
  if (api === undefined) throw new Error('there is no version of the API')
  const operation = api.operations[number % api.operations.length] as Operation
  const chosen = random.below(100)
  const kind = chosen < 45 ? 'valid' : chosen < 72 ? 'mutated' : 'hostile'
  const caller = staffOnly.test(operation.name) ? 'staff' : 'owner'
  const isOther = kind !== 'valid' && random.chance(0.2)
  return {
    number,
    kind,
    api,
    operation,
    random,
    caller: isOther ? random.pick(otherCallers) : caller,
  }
}

/** Whether the request may change what other users of the site see. */
export const changesSite = ({ operation }: Plan): boolean =>
  /^(PUT|PATCH) \/settings\//.test(operation.name)

/** The request with these objects. */
export function requestOf(plan: Plan, values: Values): FuzzRequest {
  const { number, kind, api, operation, caller, random } = plan
  const { document, version } = api
  const about = { number, kind, version, operation: operation.name, caller }
  const valid = validDraft(document, { operation, random, values })
  const encode = (draft: Draft) => encoded(draft, values, operation.isPublic ? 'anonymous' : caller)
  if (kind === 'valid') return { ...about, ...encode(valid), what: 'valid', isMisframed: false }
  if (kind === 'mutated') {
    const { draft, what } = mutated(valid, random, document)
    return { ...about, ...encode(draft), what, isMisframed: false }
  }
  const { request, what, isMisframed } = hostile(encode(valid), random)
  return { ...about, ...request, what, isMisframed }
}
