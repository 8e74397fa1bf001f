import { type Picture, PictureError, type PictureLimits, pictureOf } from './picture.js'
import { configureSharp } from './sharp.js'

/**
 * The program of a process that draws SVG images for its parent, one after the other. Nothing but
 * its end interrupts librsvg. Its argument: the bytes of memory that it may take.
 */
export type DrawingRequest = { bytes: Buffer; limits: PictureLimits }
export type DrawingReply = { picture: Required<Picture> } | { reason: string }

const memoryBytesMax = Number(process.argv[2])
const memoryCheckMs = 50

// An orderly exit would wait for the thread that draws.
const end = () => process.kill(process.pid, 'SIGKILL')

configureSharp(['Svg'])
process.on('disconnect', end)
process.on('message', async ({ bytes, limits }: DrawingRequest) => {
  const watch = setInterval(
    () => process.memoryUsage.rss() > memoryBytesMax && end(),
    memoryCheckMs,
  )
  const reply = await draw(bytes, limits)
  clearInterval(watch)
  process.send?.(reply)
})
process.send?.('ready')

async function draw(bytes: Buffer, limits: PictureLimits): Promise<DrawingReply> {
  try {
    return { picture: await pictureOf(bytes, limits) }
  } catch (error) {
    if (error instanceof PictureError) return { reason: error.message }
    throw error
  }
}
