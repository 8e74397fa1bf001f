import { uploadTakenOver } from '../errors.js'
import type { Appender } from '../queries/resumable-uploads.js'
import type { Instance } from '../staging/instance.js'

/** The calls of this process that add to uploads. */
export type Appending = {
  /** Chunks of a call, until it is told to give way. Before it takes the upload; to be disposed of in the end. */
  watch(appendId: string, next: Next): Watched
  /**
   * Another request asks for the upload: this call ends when its chunks do, or has been silent, or soon. False when
   * there is no such call.
   */
  giveWay(appendId: string): boolean
  /** This process, and all that is watched. */
  appender(): Appender
}

type Next = () => Promise<Uint8Array | undefined>
export type Watched = Disposable & { next: Next }

/** A sender who is silent for `takeoverMs`, or goes on for longer once another asks, is read no further. */
export function createAppending(
  { number }: Pick<Instance, 'number'>,
  takeoverMs: number,
): Appending {
  const calls = new Map<string, { giveWay(): void }>()
  return {
    appender: () => ({ instance: number, appends: [...calls.keys()] }),
    giveWay(appendId) {
      const call = calls.get(appendId)
      call?.giveWay()
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
      const giveWay = () => {
        if (timer) return
        const silentMs = waitingSince === undefined ? 0 : performance.now() - waitingSince
        timer = setTimeout(end, Math.max(0, takeoverMs - silentMs))
      }
      calls.set(appendId, { giveWay })
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
