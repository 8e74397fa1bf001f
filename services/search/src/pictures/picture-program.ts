import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import sharp from 'sharp'
import type { DecodeLimits } from './decode.js'
import { describePicture, type PictureDescriptor } from './describe.js'
import { PictureError } from './picture-error.js'

/** The program of a child process that describes one picture after the other. */
export type PictureOptions = { memoryBytesMax: number; limits: DecodeLimits }
export type PictureRequest = { bytes: Uint8Array }
export type PictureReply = { descriptor: PictureDescriptor } | { reason: string }

/** The decoders of bitmap formats. Vector images are rendered before they come here. */
const decoders = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Tiff', 'Heif']

sharp.cache(false)
// A search waits for its picture.
sharp.concurrency(2)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: decoders.map((decoder) => `VipsForeignLoad${decoder}`) })

const { memoryBytesMax, limits } = optionsOfParent<PictureOptions>()

answerParent<PictureRequest, PictureReply>(memoryBytesMax, async ({ bytes }) => {
  try {
    return { descriptor: await describePicture(Buffer.from(bytes), limits) }
  } catch (error) {
    if (error instanceof PictureError) return { reason: error.message }
    throw error
  }
})
