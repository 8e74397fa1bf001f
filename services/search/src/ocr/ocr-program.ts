import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import sharp from 'sharp'
import { createWorker, OEM, PSM } from 'tesseract.js'
import { OcrError } from './ocr-error.js'
import { type PictureLimits, preparePicture } from './prepare-picture.js'
import { recognizedText, type WordLimits } from './recognized-words.js'

/** The program of a child process that reads the text off one picture after the other. */
export type OcrOptions = { memoryBytesMax: number; limits: PictureLimits & WordLimits }
export type OcrRequest = { png: Uint8Array }
export type OcrReply = { text: string } | { reason: string }

const { memoryBytesMax, limits } = optionsOfParent<OcrOptions>()
const require = createRequire(import.meta.url)
const langPath = join(dirname(require.resolve('@tesseract.js-data/eng')), '4.0.0_best_int')

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng'] })
/** The language data are read from the package: nothing is downloaded, and no copy is written. */
const loading = createWorker('eng', OEM.LSTM_ONLY, { langPath, gzip: true, cacheMethod: 'none' })
loading.catch(() => process.exit(1))

answerParent<OcrRequest, OcrReply>(memoryBytesMax, async ({ png }) => {
  try {
    const { upright, turned } = await preparePicture(Buffer.from(png), limits)
    return { text: recognizedText(await blocksOf(upright), await blocksOf(turned), limits) }
  } catch (error) {
    if (error instanceof OcrError) return { reason: error.message }
    throw error
  }
})

async function blocksOf(picture: Buffer) {
  const worker = await loading
  // Labels of a chart are anywhere, not in paragraphs.
  await worker.setParameters({ tessedit_pageseg_mode: PSM.SPARSE_TEXT })
  const { data } = await worker.recognize(picture, {}, { text: false, blocks: true })
  return data.blocks ?? []
}
