import type { Reply } from '@figbase/stories-ai/testing/model-server'
import type { Place } from './place.js'

const routes = ['text_only', 'ask', 'compare', 'figure_code', 'datasets'] as const
/** As the ledger names them. */
export type Route = (typeof routes)[number]

/** What the model and the client do, and how often. */
const shares = {
  answered: 40,
  /** Answered without a report of its tokens. */
  unreported: 8,
  /** Refused once; the next attempt is answered. */
  retried: 6,
  refused: 10,
  /** Sends nothing, or nothing more. */
  silent: 3,
  cut: 7,
  nonsense: 5,
  /** Reports an error in its answer. */
  broken: 5,
  /** The first answer has another shape than was asked for. */
  misshaped: 4,
  /** Both answers have. */
  misshapen: 2,
  /** The client leaves before the end. */
  left: 10,
}
export type Kind = keyof typeof shares | 'slow'

/** A request of a client, with what the model answers. */
export type Ask = {
  kind: Kind
  route: Route
  workspace: string
  path: string
  body: Record<string, unknown>
  isStream: boolean
  /** In the order of the requests to the model. */
  replies: Reply[]
  /** The client gets it if nothing is killed; undefined for answers that are no text. */
  text: string | undefined
}

/** Parts that a client gets before it leaves. */
export const partsBeforeLeaving = 2
const foreverMs = 600_000
const statuses = [429, 500, 529]

export type Random = () => number
const below = (random: Random, max: number) => Math.floor(random() * max)
export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[below(random, values.length)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

const isText = (route: Route) => ['text_only', 'ask', 'compare'].includes(route)

/** Of a random kind; `slow` takes some seconds, so that it is running when a process is killed. */
export function newAsk(random: Random, place: Place, kind: Kind = anyKind(random)): Ask {
  const needsText = kind === 'slow'
  const needsShape = kind === 'misshaped' || kind === 'misshapen'
  const possible = routes.filter((one) => (isText(one) ? !needsShape : !needsText))
  const route = pick(random, possible)
  const isStream = isText(route) && random() < 0.5
  const replies = repliesOf(random, kind, route, isStream)
  const good = isAnswered(kind) ? replies.at(-1) : undefined
  const text = isText(route) ? textOf(good) : undefined
  const { workspace, ...request } = requestOf(random, route, place)
  const model = pick(random, ['small', 'large'])
  const body = { ...request.body, ...(isText(route) && { stream: isStream, model }) }
  return { kind, route, workspace, path: request.path, body, isStream, replies, text }
}

function anyKind(random: Random): Kind {
  const all = Object.entries(shares) as [Kind, number][]
  let left = random() * all.reduce((sum, [, share]) => sum + share, 0)
  for (const [kind, share] of all) {
    left -= share
    if (left < 0) return kind
  }
  return 'answered'
}

/** Whether the client gets an answer. */
export const isAnswered = (kind: Kind): boolean =>
  ['answered', 'unreported', 'retried', 'misshaped', 'slow'].includes(kind)

const textOf = (reply: Reply | undefined) => reply && [reply.text ?? []].flat().join('')

function requestOf(random: Random, route: Route, { own, common }: Place) {
  const figure = pick(random, [own, common])
  const { workspace } = figure
  const [figure_revision = '', right_revision = ''] = figure.revisions
  const prompt = `question ${below(random, 1e9)}`
  if (route === 'text_only') {
    const body = { text: figure.name, prompt, workspace: own.workspace }
    return { workspace: own.workspace, path: 'text_only/', body }
  }
  if (route === 'compare') {
    const body = { left_revision: figure_revision, right_revision, prompt }
    return { workspace, path: 'compare/', body }
  }
  if (route === 'ask') return { workspace, path: '', body: { figure_revision, prompt } }
  return { workspace, path: `${route}/`, body: { figure_revision } }
}

function repliesOf(random: Random, kind: Kind, route: Route, isStream: boolean): Reply[] {
  const usage = () => ({ input: 1 + below(random, 5000), output: 1 + below(random, 900) })
  const content = (parts: number): Reply =>
    isText(route) ? { text: wordsOf(random, parts) } : (json[route] ?? {})
  const answer = { ...content(1 + below(random, 12)), usage: usage(), delayMs: below(random, 20) }
  const refusal = () => ({ status: pick(random, statuses), retryAfterSeconds: 0 })
  const misshaped = () => ({ text: 'no JSON', usage: usage() })
  const replies: Record<Kind, () => Reply[]> = {
    answered: () => [answer],
    unreported: () => [{ ...answer, usage: 'none' }],
    retried: () => [refusal(), answer],
    refused: () => [refusal(), refusal()],
    silent: () => [{ ...answer, ...pick(random, [{ stallMs: foreverMs }, { stallAfter: 1 }]) }],
    cut: () => [{ ...answer, ...content(4), cutAfter: below(random, 4), delayMs: 3 }],
    nonsense: () => [{ raw: '<html>Bad gateway</html>' }],
    broken: () => [{ ...answer, errorInStream: true }],
    misshaped: () => [misshaped(), answer],
    misshapen: () => [misshaped(), misshaped()],
    // A client without a stream does not know how much has arrived, so nothing is sent to it.
    left: () => [
      isStream
        ? { text: wordsOf(random, 4), usage: usage(), stallAfter: partsBeforeLeaving }
        : { ...answer, stallMs: foreverMs },
    ],
    slow: () => [{ text: wordsOf(random, 60), usage: usage(), delayMs: 100 }],
  }
  return replies[kind]()
}

const wordsOf = (random: Random, parts: number) =>
  Array.from({ length: parts }, () => `word${below(random, 1e6)} of it `)

const json: Partial<Record<Route, Reply>> = {
  figure_code: { json: { ranges: [{ part: 1, from: 1, to: 1 }] } },
  datasets: {
    json: { inputs: [{ name: 'nets.csv', description: 'the nets', type: 'file' }], outputs: [] },
  },
}
