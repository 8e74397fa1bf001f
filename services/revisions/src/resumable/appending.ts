import { uploadTakenOver } from '../errors.js'

/** The uploads that calls of this process add to. */
export type Appending = {
  /** Chunks of a call, until it is told to give way. To be disposed of when the call ends. */
  watch(uploadId: string, next: Next): Watched
  /** Ends the call that adds to this upload, if it has been silent: its sender has gone, or goes on in another. */
  wanted(uploadId: string): void
}

type Next = () => Promise<Uint8Array | undefined>
export type Watched = Disposable & { next: Next }

export function createAppending(silentMs: number): Appending {
  const giveWays = new Map<string, () => void>()
  return {
    wanted: (uploadId) => giveWays.get(uploadId)?.(),
    watch(uploadId, next) {
      let waitingSince: number | undefined
      let refuse: (error: Error) => void = () => {}
      const giveWay = () => {
        if (waitingSince === undefined || performance.now() - waitingSince < silentMs) return
        refuse(uploadTakenOver())
      }
      giveWays.set(uploadId, giveWay)
      return {
        next: () => {
          waitingSince = performance.now()
          const coming = new Promise<Uint8Array | undefined>((resolve, reject) => {
            refuse = reject
            next().then(resolve, reject)
          })
          return coming.finally(() => {
            waitingSince = undefined
          })
        },
        [Symbol.dispose]() {
          if (giveWays.get(uploadId) === giveWay) giveWays.delete(uploadId)
        },
      }
    },
  }
}

/** Tells all processes that a call waits for the one that adds to an upload. */
export const wantedSubject = 'revisions.upload.wanted'
