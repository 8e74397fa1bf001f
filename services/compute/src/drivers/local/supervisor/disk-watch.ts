import { diskBytesOf } from './usage.js'

/** Measuring the files takes at most about this part of the time. */
const share = 1 / 20
const pauseMsMin = 1000

/** The size of the files in directories, measured in the background again and again. */
export type DiskWatch = {
  /** Begins the next measurement if it is time; throws if the last one failed. */
  look(pids: number[]): void
  /** 0 until it was measured. */
  readonly bytes: number
}

export function createDiskWatch(
  directories: string[],
  onMeasured: (bytes: number, before: number) => void,
): DiskWatch {
  let bytes = 0
  let againAt = 0
  let failure: unknown

  async function measure(pids: number[]) {
    const beganAt = performance.now()
    const before = bytes
    bytes = await diskBytesOf(directories, pids)
    const now = performance.now()
    againAt = now + Math.max(pauseMsMin, (now - beganAt) / share)
    onMeasured(bytes, before)
  }

  return {
    get bytes() {
      return bytes
    },
    look(pids) {
      if (failure) throw failure
      if (performance.now() < againAt) return
      againAt = Number.POSITIVE_INFINITY
      measure(pids).catch((error: unknown) => {
        failure = error
      })
    },
  }
}
