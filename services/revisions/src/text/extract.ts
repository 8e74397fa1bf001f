import type { Ctx } from '../context.js'
import type { ExtractedTextSource } from '../db/schema.js'
import { cleanText } from '../domain/clean-text.js'
import { textSourceOf } from '../domain/text-source.js'
import { vectorFormatOf } from '../images/vector-format.js'
import type { UnreadData } from '../queries/texts.js'
import { TextError } from './text-error.js'

type ExtractContext = Pick<Ctx, 'cfg' | 'stores' | 'textPool'>
type Extracted = { source: ExtractedTextSource; text: string }

/** Enough to detect the format. */
const headBytes = 1024
/** Limit of the first row of a table. */
const rowBytesMax = 64 * 1024
/** Limit of the metadata at the end of a Parquet file. */
const footerBytesMax = 8 * 2 ** 20
const parquetMark = 'PAR1'
const parquetTailBytes = 8

/** The text of a data object. Undefined if it has none. Throws a TextError. */
export async function extract(
  ctx: ExtractContext,
  data: UnreadData,
  signal: AbortSignal,
): Promise<Extracted | undefined> {
  const source = textSourceOf(data)
  if (!source || data.size_bytes === 0n) return undefined
  const found = await { plain, picture, columns }[source](ctx, data, signal)
  const text = found && cleanText(found.text, ctx.cfg.textBytesMax)
  return text ? { source: found.source, text } : undefined
}

async function plain(ctx: ExtractContext, data: UnreadData): Promise<Extracted | undefined> {
  const bytes = await read(ctx, data, 0, ctx.cfg.textBytesMax)
  const text = new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'utf-8').decode(bytes)
  return text.includes('\0') ? undefined : { source: 'plain', text }
}

const isUtf16 = (bytes: Buffer) => bytes[0] === 0xff && bytes[1] === 0xfe

async function picture(ctx: ExtractContext, data: UnreadData, signal: AbortSignal) {
  const format = vectorFormatOf(await read(ctx, data, 0, headBytes))
  if (format !== 'svg' && format !== 'pdf') return undefined
  const { textSourceBytesMax } = ctx.cfg
  if (data.size_bytes > textSourceBytesMax) throw new TextError('the file is too large')
  const bytes = await read(ctx, data, 0, textSourceBytesMax)
  return { source: format, text: await ctx.textPool.extract(format, bytes, signal) }
}

async function columns(
  ctx: ExtractContext,
  data: UnreadData,
  signal: AbortSignal,
): Promise<Extracted> {
  const head = await read(ctx, data, 0, rowBytesMax)
  const isParquet = head.toString('latin1', 0, parquetMark.length) === parquetMark
  const text = isParquet
    ? await ctx.textPool.extract('parquet', await parquetFooter(ctx, data), signal)
    : await ctx.textPool.extract('csv', head, signal)
  return { source: 'columns', text }
}

/** The length of the footer precedes the magic bytes at the end of the file. */
async function parquetFooter(ctx: ExtractContext, data: UnreadData) {
  const size = Number(data.size_bytes)
  const tail = size < parquetTailBytes ? undefined : await readTail(ctx, data, parquetTailBytes)
  const length = (tail?.readUInt32LE(0) ?? size) + parquetTailBytes
  if (length > Math.min(size, footerBytesMax)) throw new TextError('the table could not be parsed')
  return readTail(ctx, data, length)
}

const readTail = (ctx: ExtractContext, data: UnreadData, length: number) =>
  read(ctx, data, Number(data.size_bytes) - length, length)

async function read({ stores }: ExtractContext, data: UnreadData, offset: number, length: number) {
  const chunks: Uint8Array[] = []
  const store = stores.of(data.storage)
  for await (const chunk of store.get(data.key, { offset, length })) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
