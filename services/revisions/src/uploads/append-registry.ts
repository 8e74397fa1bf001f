import { uploadTakenOver } from '../errors.js'
import type { Appender } from '../queries/resumable-uploads.js'
import type { StagingProcess } from '../staging/staging-process.js'

/** The calls of this process that append to uploads. */
export type AppendRegistry = {
  /**
   * Wraps the chunks of a call, so that another request can end it. Must be called before the upload is
   * taken, and disposed of at the end.
   */
  watch(appendId: string, next: Next): Watched
  /**
   * Another request wants the upload: the call ends when its chunks end, after a silence, or soon. False if
   * there is no such call.
   */
  requestTakeover(appendId: string): boolean
  /** This process and its watched calls. */
  appender(): Appender
}

type Next = () => Promise<Uint8Array | undefined>
export type Watched = Disposable & { next: Next }

/**
 * After a takeover request, a client that is silent for `takeoverMs`, or sends for longer than that, is not
 * read any more.
 */
export function createAppendRegistry(
  { number }: Pick<StagingProcess, 'number'>,
  takeoverMs: number,
): AppendRegistry {
  const calls = new Map<string, { requestTakeover(): void }>()
  return {
    appender: () => ({ instance: number, appends: [...calls.keys()] }),
    requestTakeover(appendId) {
      const call = calls.get(appendId)
      call?.requestTakeover()
      return call !== undefined
    },
    watch(appendId, next) {
      let waitingSince: number | undefined
      let timer: NodeJS.Timeout | undefined
      let isOver = false
      let refuse: (error: Error) => void = () => {}
      const end = () => {
        isOver = true
        refuse(uploadTakenOver())
      }
      const requestTakeover = () => {
        if (timer) return
        const silentMs = waitingSince === undefined ? 0 : performance.now() - waitingSince
        timer = setTimeout(end, Math.max(0, takeoverMs - silentMs))
      }
      calls.set(appendId, { requestTakeover })
      return {
        next: () => {
          if (isOver) return Promise.reject(uploadTakenOver())
          waitingSince = performance.now()
          const coming = new Promise<Uint8Array | undefined>((resolve, reject) => {
            refuse = reject
            next().then(resolve, reject)
          })
          return coming.finally(() => {
            waitingSince = undefined
          })
        },
        [Symbol.dispose]: () => {
          clearTimeout(timer)
          calls.delete(appendId)
        },
      }
    },
  }
}
