import { type Html, html } from '@figbase/kit/text'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { fileInfo } from '../routes/data/file-info.js'
import { type MessageKey, type Texts, textsOf } from '../texts/texts.js'
import { newest } from '../versions.js'
import { rows } from './lists.js'
import { partOf } from './parts.js'
import { nameHtml } from './text.js'

const kinds: Record<DataType, MessageKey> = {
  [DataType.UNSPECIFIED]: 'data.kind.data',
  [DataType.IMAGE]: 'data.kind.image',
  [DataType.CODE]: 'data.kind.code',
  [DataType.TEXT]: 'data.kind.text',
  [DataType.DATAFRAME]: 'data.kind.table',
  [DataType.FILE]: 'data.kind.file',
}

/** The data objects to download, a page at a time. */
export function dataList(input: Input, title: Html, data: DataObject[]): Html {
  if (data.length === 0) return html``
  const texts = textsOf(input)
  const { shown, next } = partOf(input, 'data', data, ({ id }) => id)
  const items = shown.map((object) => item(input, texts, object))
  return html`${rows(texts, title, items)}${next}`
}

function item({ username }: Input, { t, bytes }: Texts, object: DataObject) {
  const { id, type, sizeBytes, isCleanRoom } = object
  const mark = isCleanRoom ? html` <span class="mark">${t('data.cleanRoom')}</span>` : html``
  return {
    // Pages accept the session cookie, the API does not.
    href: username ? `/data/${id}/` : `/api/${newest}/data/${id}/?dl=1`,
    caption: nameHtml(fileInfo(object).name),
    note: html`${t(kinds[type])}, ${bytes(sizeBytes)}${mark}`,
  }
}
