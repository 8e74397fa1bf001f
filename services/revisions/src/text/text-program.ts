import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { csvColumns } from './csv-columns.js'
import { parquetColumns } from './parquet-columns.js'
import { pdfText } from './pdf-text.js'
import { svgText } from './svg-text.js'
import { TextError } from './text-error.js'

/** The program of a process that reads what others made, for their words, one after the other. */
export type TextOptions = { memoryBytesMax: number; limits: TextLimits }
export type TextLimits = {
  /** Of the text that is wanted. */
  textBytesMax: number
  /** To which a file may unpack. */
  sourceBytesMax: number
  /** After which a long document is left. */
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
