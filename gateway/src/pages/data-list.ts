import { type Html, html } from '@figbase/kit/text'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Input } from '../endpoint.js'
import { fileInfo } from '../routes/data/file-info.js'
import { newest } from '../versions.js'
import { rows } from './lists.js'
import { humanBytes, nameHtml } from './text.js'

const kinds: Record<DataType, string> = {
  [DataType.UNSPECIFIED]: 'Data',
  [DataType.IMAGE]: 'Image',
  [DataType.CODE]: 'Code',
  [DataType.TEXT]: 'Text',
  [DataType.DATAFRAME]: 'Table',
  [DataType.FILE]: 'File',
}

/** The data objects to download. */
export function dataList(input: Input, title: string, data: DataObject[]): Html {
  if (data.length === 0) return html``
  const items = data.slice(0, input.cfg.pageItemsMax).map((object) => item(input, object))
  return rows(title, items, data.length)
}

function item({ username }: Input, object: DataObject) {
  const { id, type, sizeBytes, isCleanRoom } = object
  const mark = isCleanRoom ? html` <span class="mark">clean room</span>` : html``
  return {
    // Pages accept the session cookie, the API does not.
    href: username ? `/data/${id}/` : `/api/${newest}/data/${id}/?dl=1`,
    caption: nameHtml(fileInfo(object).name),
    note: html`${kinds[type]}, ${humanBytes(sizeBytes)}${mark}`,
  }
}
