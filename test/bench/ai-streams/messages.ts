/** What the model of the benchmark does with a request; it stands in the question. */
export type Plan = {
  /** In each token, so that streams cannot be mixed up. */
  stream: number
  tokens: number
  /** Before the first token of stream n: n + 1 times this. */
  thinkMs: number
  /** Between tokens. */
  delayMs: number
  /** Characters that are added to each token. */
  padding: number
  /** Sends nothing after the tokens, until its client leaves. */
  isEndless: boolean
}

const mark = 'PLAN '
export const questionWith = (plan: Plan): string => `${mark}${JSON.stringify(plan)}`

/** The plan in the body of a request, in which it is JSON within JSON. */
export function planIn(body: string): Plan {
  const text = body.replaceAll('\\', '')
  const begin = text.lastIndexOf(mark) + mark.length
  return JSON.parse(text.slice(begin, text.indexOf('}', begin) + 1))
}

/** A clock of the machine, the same in all processes. */
export const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)

export const tokenOf = ({ stream, padding }: Plan, n: number): string =>
  `${stream}.${n}:${nowUs()}${'x'.repeat(padding)}|`

/** The number and the time of the tokens in a text; throws for one of another stream. */
export function tokensIn(text: string, stream: number): { n: number; sentUs: number }[] {
  return [...text.matchAll(/(\d+)\.(\d+):(\d+)x*\|/g)].map(([, of, n, sentUs]) => {
    if (Number(of) !== stream) throw new Error(`stream ${stream} got a token of stream ${of}`)
    return { n: Number(n), sentUs: Number(sentUs) }
  })
}

export type ModelQuestion = { kind: 'listen' } | { kind: 'ended' }
/** The requests that are open, and when the others were closed, since the last question. */
export type Ended = { open: number; closedUs: number[] }

export type ClientJob = {
  kind: 'read' | 'leave' | 'hold'
  url: string
  headers: Record<string, string>
  /** The members of the body beside the question. */
  body: Record<string, unknown>
  streams: number
  plan: Omit<Plan, 'stream'>
  /** For `hold`: how long the clients read nothing after their first token. */
  holdMs: number
}

/** Lags are from the time when the model sent a token. */
export type ClientResult = { firstMs: number[]; laterMs: number[]; seconds: number; leftUs: number }
