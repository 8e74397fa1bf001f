import { type Html, html } from '@figbase/kit'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { fileOf } from '../routes/data/file-of.js'
import { readBytes } from '../routes/data/read-bytes.js'
import { humanBytes, named } from './text.js'

/** Of all texts of a revision, so many are read. */
const textsMax = 10

type Share = { object: DataObject; bytes: number }

/** The code and the texts of a revision, as far as `PAGE_TEXT_BYTES_MAX` goes; all are read at once. */
export async function textsOf(input: Input, data: DataObject[]): Promise<Html[]> {
  const shares = sharesOf(data, input.cfg.pageTextBytesMax)
  const texts = await Promise.all(shares.map((share) => textOf(input, share)))
  return texts.flatMap((text) => text ?? [])
}

/** Code first; of what does not fit, the beginning. */
export function sharesOf(data: DataObject[], bytesMax: number): Share[] {
  const ofType = (wanted: DataType) => data.filter(({ type }) => type === wanted)
  const shares: Share[] = []
  let left = bytesMax
  for (const object of [...ofType(DataType.CODE), ...ofType(DataType.TEXT)]) {
    const bytes = object.sizeBytes < left ? Number(object.sizeBytes) : left
    if (shares.length === textsMax) break
    if (bytes > 0) shares.push({ object, bytes })
    left -= bytes
  }
  return shares
}

async function textOf(input: Input, { object, bytes }: Share) {
  const parts: Uint8Array[] = []
  for await (const part of readBytes(input, object.id, { offset: 0, length: bytes })) {
    parts.push(part)
  }
  const isCut = bytes < object.sizeBytes
  const text = decoded(Buffer.concat(parts), isCut)
  if (text === undefined) return undefined
  const { name } = fileOf(object)
  const note = isCut
    ? html`<p class="quiet">The beginning, of ${humanBytes(object.sizeBytes)}: download the rest.</p>`
    : html``
  return html`<h3>${named(name)}</h3>
<pre tabindex="0" role="region" aria-label="${name}"><code>${text}</code></pre>${note}`
}

/** Undefined for what is no UTF-8. */
function decoded(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    // The last character of a beginning may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.replaceAll('\0', '\ufffd')
  } catch {
    return undefined
  }
}
