import type { ModelRequest, Reply, Scripted } from './types.js'

/** Which reply a request gets: by its text, else the next one, else the one for all. */
export class Script {
  #next: Scripted[] = []
  #always: Scripted = {}
  readonly #matches: { match: string; replies: Scripted[] }[] = []

  next(...replies: Scripted[]) {
    this.#next.push(...replies)
  }

  always(reply: Scripted) {
    this.#always = reply
  }

  /** Requests whose text contains `match` get these in order; the last one repeats. */
  match(match: string, replies: Scripted[]) {
    this.#matches.unshift({ match, replies: [...replies] })
  }

  replyTo(request: ModelRequest): Reply {
    const text = `${request.system}\n${request.text}`
    const matched = this.#matches.find(({ match }) => text.includes(match))?.replies
    const queue = matched ?? this.#next
    const isLast = matched !== undefined && queue.length === 1
    const scripted = (isLast ? queue[0] : queue.shift()) ?? this.#always
    return typeof scripted === 'function' ? scripted(request) : scripted
  }
}
