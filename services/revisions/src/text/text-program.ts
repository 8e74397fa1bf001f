import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { csvColumns } from './csv-columns.js'
import { parquetColumns } from './parquet-columns.js'
import { pdfText } from './pdf-text.js'
import { svgText } from './svg-text.js'
import { TextError } from './text-error.js'

/** The program of a child process that extracts text from one file after the other. */
export type TextOptions = { memoryBytesMax: number; limits: TextLimits }
export type TextLimits = {
  /** Limit of the extracted text. */
  textBytesMax: number
  /** Limit of a decompressed file. */
  sourceBytesMax: number
  /** The rest of a long document is skipped after half of this time. */
  timeoutMs: number
}
export type TextRequest = { format: TextFormat; bytes: Buffer }
export type TextReply = { text: string } | { reason: string }

const readers = { svg: svgText, pdf: pdfText, csv: csvColumns, parquet: parquetColumns }
export type TextFormat = keyof typeof readers

const { memoryBytesMax, limits } = optionsOfParent<TextOptions>()

answerParent<TextRequest, TextReply>(memoryBytesMax, async ({ format, bytes }) => {
  try {
    return { text: await readers[format](bytes, limits) }
  } catch (error) {
    if (error instanceof TextError) return { reason: error.message }
    throw error
  }
})
