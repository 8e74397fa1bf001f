import { deployment } from '../deployment.js'
import type { WireAnswer } from '../wire.js'
import type { FuzzRequest, Kind } from './plans.js'

/** What is printed of one failure. */
const shownChars = 2000
const failuresShown = 30
const errorChars = 160

type Counts = Record<string, number>

const count = (counts: Counts, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

/** The results of a run. */
export class FuzzReport {
  readonly #byKind: Record<Kind, Counts> = { valid: {}, mutated: {}, hostile: {} }
  readonly #byOperation = new Map<
    string,
    { asked: number; done: number; ms: number; error: string }
  >()
  readonly #failures = new Map<string, { text: string; times: number }>()
  readonly #serverErrors: Counts = {}
  requests = 0

  constructor(readonly seed: number) {}

  answered({ kind, operation }: FuzzRequest, { status, bytes }: WireAnswer, ms: number): void {
    this.requests++
    count(this.#byKind[kind], `${Math.floor(status / 100)}xx`)
    const row = this.#byOperation.get(operation) ?? { asked: 0, done: 0, ms: 0, error: '' }
    this.#byOperation.set(operation, row)
    row.ms += ms
    if (status >= 500) count(this.#serverErrors, `${status} ${errorNameIn(bytes)}`)
    if (kind !== 'valid') return
    row.asked++
    if (status < 400) row.done++
    else row.error = `${status} ${bytes.subarray(0, errorChars).toString('latin1')}`
  }

  failed(request: FuzzRequest, problem: string): void {
    const key = `${request.operation} ${problem.replace(/[0-9a-f-]{8,}/g, '').slice(0, 200)}`
    const known = this.#failures.get(key)
    if (known) known.times++
    else this.#failures.set(key, { text: this.#textOf(request, problem), times: 1 })
  }

  /** A failure that belongs to no single request. */
  failedOutside(problem: string): void {
    this.#failures.set(problem.slice(0, 200), { text: problem.slice(0, shownChars), times: 1 })
  }

  get failures(): string[] {
    const all = [...this.#failures.values()]
    return all.slice(0, failuresShown).map(({ text, times }) => `${text}\n(${times} times)`)
  }

  /** The operations of which no valid request succeeded. */
  withoutSuccess(): string[] {
    return [...this.#byOperation]
      .filter(([, { asked, done }]) => asked > 0 && done === 0)
      .map(([operation, { error }]) => `${operation}: ${error}`)
      .sort()
  }

  lines(): string[] {
    const kinds = Object.entries(this.#byKind).map(([kind, counts]) => {
      const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
      const shares = Object.entries(counts)
        .sort()
        .map(([name, n]) => `${name} ${((100 * n) / total).toFixed(1)} %`)
      return `${kind}: ${total} requests, ${shares.join(', ')}`
    })
    const rows = [...this.#byOperation].map(([name, row]) => ({ name, ...row }))
    const slow = rows.sort((a, b) => b.ms - a.ms).slice(0, 10)
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    return [
      `${this.requests} requests on ${deployment.topology}, FUZZ_SEED=${this.seed}`,
      `memory of the sender: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB at most`,
      ...kinds,
      `5xx: ${shown(this.#serverErrors)}`,
      ...groupsOf(rows),
      `most time: ${slow.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', ')}`,
      ...this.withoutSuccess().map((text) => `without a 2xx: ${text}`),
    ]
  }

  #textOf({ body, headers, ...request }: FuzzRequest, problem: string): string {
    const utf8 = body.toString()
    const isText = Buffer.from(utf8).equals(body)
    const sent = isText ? { body: utf8 } : { body_base64: body.toString('base64') }
    return [
      `request ${request.number}: ${problem}`.slice(0, shownChars),
      JSON.stringify({ ...request, headers, ...sent }).slice(0, shownChars),
      `FUZZ_SEED=${this.seed} FUZZ_FIRST=${request.number} FUZZ_REQUESTS=1 npm run test:long -- --${deployment.topology} fuzz`,
    ].join('\n')
  }
}

const errorNameIn = (bytes: Buffer) => /"error":"(\w+)"/.exec(bytes.toString())?.[1] ?? ''

const shown = (counts: Counts) =>
  Object.entries(counts)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ') || 'none'

/** The share of valid requests that succeeded, by the first segment of the path. */
function groupsOf(rows: { name: string; asked: number; done: number }[]): string[] {
  const groups = new Map<string, { asked: number; done: number }>()
  for (const { name, asked, done } of rows) {
    const group = /^\w+ (?:\/api)?\/(\w+)/.exec(name)?.[1] ?? name
    const sum = groups.get(group) ?? { asked: 0, done: 0 }
    groups.set(group, { asked: sum.asked + asked, done: sum.done + done })
  }
  const shares = [...groups].map(
    ([group, { asked, done }]) => `${group} ${asked ? Math.round((100 * done) / asked) : 0} %`,
  )
  return [`valid requests that succeeded: ${shares.join(', ')}`]
}
