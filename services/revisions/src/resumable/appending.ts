import { uploadTakenOver } from '../errors.js'
import type { Appender } from '../queries/resumable-uploads.js'
import type { Instance } from '../upload/instance.js'

/** The calls of this process that add to uploads. */
export type Appending = {
  /** Chunks of a call, until it is told to give way. Before it takes the upload; to be disposed of in the end. */
  watch(appendId: string, uploadId: string, next: Next): Watched
  /** Ends the call that adds to this upload, if it has been silent: its sender has gone, or goes on in another. */
  wanted(uploadId: string): void
  /** This process, and all that is watched. */
  appender(): Appender
}

type Next = () => Promise<Uint8Array | undefined>
export type Watched = Disposable & { next: Next }

export function createAppending({ number }: Pick<Instance, 'number'>, silentMs: number): Appending {
  const calls = new Map<string, { uploadId: string; giveWay(): void }>()
  return {
    appender: () => ({ instance: number, appends: [...calls.keys()] }),
    wanted(uploadId) {
      for (const call of calls.values()) if (call.uploadId === uploadId) call.giveWay()
    },
    watch(appendId, uploadId, next) {
      let waitingSince: number | undefined
      let refuse: (error: Error) => void = () => {}
      const giveWay = () => {
        if (waitingSince === undefined || performance.now() - waitingSince < silentMs) return
        refuse(uploadTakenOver())
      }
      calls.set(appendId, { uploadId, giveWay })
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
        [Symbol.dispose]: () => void calls.delete(appendId),
      }
    },
  }
}

/** Tells all processes that a call waits for the one that adds to an upload. */
export const wantedSubject = 'revisions.upload.wanted'
