import { type Html, html } from '@figbase/kit/text'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { fileInfo } from '../routes/data/file-info.js'
import { readBytes } from '../routes/data/read-bytes.js'
import { humanBytes, nameHtml } from './text.js'

/** The maximum number of texts to show. */
const textsMax = 10

type Excerpt = { object: DataObject; bytes: number }

/** Renders the code and texts of a revision, up to `PAGE_TEXT_BYTES_MAX`; reads them in parallel. */
export async function renderTexts(input: Input, data: DataObject[]): Promise<Html[]> {
  const excerpts = excerptsOf(data, input.cfg.pageTextBytesMax)
  const texts = await Promise.all(excerpts.map((excerpt) => textOf(input, excerpt)))
  return texts.flatMap((text) => text ?? [])
}

/** Selects the objects to show, code first, and how much of each. */
export function excerptsOf(data: DataObject[], bytesMax: number): Excerpt[] {
  const ofType = (wanted: DataType) => data.filter(({ type }) => type === wanted)
  const excerpts: Excerpt[] = []
  let left = bytesMax
  for (const object of [...ofType(DataType.CODE), ...ofType(DataType.TEXT)]) {
    const bytes = object.sizeBytes < left ? Number(object.sizeBytes) : left
    if (excerpts.length === textsMax) break
    if (bytes > 0) excerpts.push({ object, bytes })
    left -= bytes
  }
  return excerpts
}

async function textOf(input: Input, { object, bytes }: Excerpt) {
  const parts: Uint8Array[] = []
  for await (const part of readBytes(input, object.id, { offset: 0, length: bytes })) {
    parts.push(part)
  }
  const isCut = bytes < object.sizeBytes
  const text = decoded(Buffer.concat(parts), isCut)
  if (text === undefined) return undefined
  const { name } = fileInfo(object)
  const note = isCut
    ? html`<p class="quiet">Only the beginning is shown. Download the file to see all ${humanBytes(object.sizeBytes)}.</p>`
    : html``
  return html`<h3>${nameHtml(name)}</h3>
<pre tabindex="0" role="region" aria-label="${name}"><code>${text}</code></pre>${note}`
}

/** Undefined if the bytes are not UTF-8. */
function decoded(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    // `stream` allows an incomplete last character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.replaceAll('\0', '\ufffd')
  } catch {
    return undefined
  }
}
