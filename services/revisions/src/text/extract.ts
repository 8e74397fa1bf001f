import type { Ctx } from '../context.js'
import type { TextOrigin } from '../db/schema.js'
import { cleanText } from '../domain/clean-text.js'
import { textSourceOf } from '../domain/text-source.js'
import { drawnFormat } from '../images/picture-format.js'
import type { UnreadData } from '../queries/texts.js'
import { TextError } from './text-error.js'

type Extracting = Pick<Ctx, 'cfg' | 'stores' | 'texts'>
type Extracted = { source: TextOrigin; text: string }

/** In which it is seen what a file is. */
const headBytes = 1024
/** In which the first row of a table ends. */
const rowBytesMax = 64 * 1024
/** What describes a Parquet file, at its end. */
const footerBytesMax = 8 * 2 ** 20
const parquetMark = 'PAR1'
const parquetTailBytes = 8

/** The words of a data object; undefined: it has none. Throws a TextError. */
export async function extract(
  ctx: Extracting,
  data: UnreadData,
  signal: AbortSignal,
): Promise<Extracted | undefined> {
  const source = textSourceOf(data)
  if (!source || data.size_bytes === 0n) return undefined
  const found = await { plain, picture, columns }[source](ctx, data, signal)
  const text = found && cleanText(found.text, ctx.cfg.textBytesMax)
  return text ? { source: found.source, text } : undefined
}

async function plain(ctx: Extracting, data: UnreadData): Promise<Extracted | undefined> {
  const bytes = await read(ctx, data, 0, ctx.cfg.textBytesMax)
  const text = new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'utf-8').decode(bytes)
  return text.includes('\0') ? undefined : { source: 'plain', text }
}

const isUtf16 = (bytes: Buffer) => bytes[0] === 0xff && bytes[1] === 0xfe

async function picture(ctx: Extracting, data: UnreadData, signal: AbortSignal) {
  const format = drawnFormat(await read(ctx, data, 0, headBytes))
  if (format !== 'svg' && format !== 'pdf') return undefined
  const { textSourceBytesMax } = ctx.cfg
  if (data.size_bytes > textSourceBytesMax) throw new TextError('it has too many bytes')
  const bytes = await read(ctx, data, 0, textSourceBytesMax)
  return { source: format, text: await ctx.texts.read(format, bytes, signal) }
}

async function columns(ctx: Extracting, data: UnreadData, signal: AbortSignal): Promise<Extracted> {
  const head = await read(ctx, data, 0, rowBytesMax)
  const isParquet = head.toString('latin1', 0, parquetMark.length) === parquetMark
  const text = isParquet
    ? await ctx.texts.read('parquet', await parquetFooter(ctx, data), signal)
    : await ctx.texts.read('csv', head, signal)
  return { source: 'columns', text }
}

/** Its length stands before the mark with which the file ends. */
async function parquetFooter(ctx: Extracting, data: UnreadData) {
  const size = Number(data.size_bytes)
  const tail = size < parquetTailBytes ? undefined : await readTail(ctx, data, parquetTailBytes)
  const length = (tail?.readUInt32LE(0) ?? size) + parquetTailBytes
  if (length > Math.min(size, footerBytesMax)) throw new TextError('the table cannot be read')
  return readTail(ctx, data, length)
}

const readTail = (ctx: Extracting, data: UnreadData, length: number) =>
  read(ctx, data, Number(data.size_bytes) - length, length)

async function read({ stores }: Extracting, data: UnreadData, offset: number, length: number) {
  const chunks: Uint8Array[] = []
  const store = stores.of(data.storage)
  for await (const chunk of store.get(data.key, { offset, length })) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
