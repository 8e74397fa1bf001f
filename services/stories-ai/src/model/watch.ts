type Limits = { idleTimeoutMs: number; timeoutMs: number }

/** Why a request was given up: its provider was silent, or it was not complete in time. */
export type GivenUp = 'silent' | 'late'

/** Gives up a request whose provider sends nothing for too long, or that does not end in time. */
export type Watch = Disposable & {
  /** Also aborted with the caller's signal. */
  signal: AbortSignal
  readonly givenUp: GivenUp | undefined
  /** The provider must send something now. Not while a reader is slow: that is not the fault of the provider. */
  wait(): void
  pause(): void
}

/** With timers of its own, because Node 20 may collect a combination of signals before it fires. */
export function createWatch(caller: AbortSignal, { idleTimeoutMs, timeoutMs }: Limits): Watch {
  const end = new AbortController()
  let givenUp: GivenUp | undefined
  let idle: NodeJS.Timeout | undefined
  const giveUp = (why: GivenUp) => {
    givenUp ??= why
    end.abort(new Error('the language model did not respond in time'))
  }
  const abort = () => end.abort(caller.reason)
  const whole = setTimeout(giveUp, timeoutMs, 'late')
  caller.addEventListener('abort', abort, { once: true })
  if (caller.aborted) abort()
  const pause = () => clearTimeout(idle)
  const wait = (since = performance.now()) => {
    pause()
    const leftMs = since + idleTimeoutMs - performance.now()
    // Timers count from the begin of a turn of the event loop: after a long turn, this one fires too early.
    const check = () => (performance.now() - since < idleTimeoutMs ? wait(since) : giveUp('silent'))
    idle = setTimeout(check, leftMs)
  }
  wait()
  return {
    signal: end.signal,
    get givenUp() {
      return givenUp
    },
    wait: () => wait(),
    pause,
    [Symbol.dispose]() {
      pause()
      clearTimeout(whole)
      caller.removeEventListener('abort', abort)
      // Ends a request that its reader left in the middle.
      end.abort()
    },
  }
}
