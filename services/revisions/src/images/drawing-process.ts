import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DrawingReply, DrawingRequest } from './drawing-program.js'
import { type Picture, PictureError, type PictureLimits } from './picture.js'

export type DrawingLimits = PictureLimits & { drawingMemoryBytesMax: number }

/** A process that draws one SVG image after the other. */
export type DrawingProcess = {
  isAlive(): boolean
  /** Throws a PictureError also when the process took too long, and ended by that, or crashed. */
  draw(bytes: Buffer, signal: AbortSignal): Promise<Required<Picture>>
  /** Ends it at once, whatever it does; resolves when it is gone. */
  end(): Promise<void>
}

const program = fileURLToPath(new URL('./drawing-program.js', import.meta.url))
const startTimeoutMs = 30_000
/** What fonts and libraries are found by; nothing else of our environment is its affair. */
const environment = [
  'HOME',
  'LANG',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'FONTCONFIG_FILE',
  'FONTCONFIG_PATH',
  'LD_LIBRARY_PATH',
]

/** It does not keep us from ending, and ends with us: then it sees its channel close. */
export async function startDrawingProcess(
  { drawingMemoryBytesMax, imagePixelsMax, imageTimeoutMs }: DrawingLimits,
  signal: AbortSignal,
): Promise<DrawingProcess> {
  const child = fork(program, [String(drawingMemoryBytesMax)], {
    env: Object.fromEntries(environment.map((name) => [name, process.env[name]])),
    execArgv: [],
    // Out of the terminal's process group: Ctrl-C reaches only us.
    detached: true,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Without a listener, a message that cannot be sent would end us.
  child.on('error', () => {})
  child.unref()
  child.channel?.unref()

  const isAlive = () => child.pid !== undefined && child.exitCode === null && !child.signalCode
  const end = async () => {
    if (!isAlive()) return
    const gone = once(child, 'exit')
    child.ref()
    child.kill('SIGKILL')
    await gone
  }

  try {
    await nextMessage(child, startTimeoutMs, signal)
  } catch (cause) {
    await end()
    throw new Error('the process that draws did not start', { cause })
  }
  return {
    isAlive,
    end,
    async draw(bytes, signal) {
      const request: DrawingRequest = { bytes, limits: { imagePixelsMax, imageTimeoutMs } }
      child.send(request, () => {})
      const reply = await nextMessage<DrawingReply>(child, imageTimeoutMs, signal).catch(
        async (error) => {
          await end()
          throw error
        },
      )
      if ('reason' in reply) throw new PictureError(reply.reason)
      return reply.picture
    },
  }
}

/** Throws a PictureError when there is none in time, or the process ends instead. */
async function nextMessage<T>(child: ChildProcess, timeoutMs: number, signal: AbortSignal) {
  const answered = new AbortController()
  const until = { signal: AbortSignal.any([signal, answered.signal]) }
  try {
    return await Promise.race([
      once(child, 'message', until).then(([message]): T => message),
      once(child, 'exit', until).then(() => {
        throw new PictureError('the image could not be drawn')
      }),
      sleep(timeoutMs, undefined, until).then(() => {
        throw new PictureError('the image took too long to read')
      }),
    ])
  } finally {
    answered.abort()
  }
}
