import { type Html, html } from '@figbase/kit'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import { fileOf } from '../routes/data/file-of.js'
import { newest } from '../versions.js'
import { rows } from './lists.js'
import { humanBytes, named } from './text.js'

const kinds: Record<DataType, string> = {
  [DataType.UNSPECIFIED]: 'Data',
  [DataType.IMAGE]: 'Image',
  [DataType.CODE]: 'Code',
  [DataType.TEXT]: 'Text',
  [DataType.DATAFRAME]: 'Table',
  [DataType.FILE]: 'File',
}

/** What there is to download. */
export function dataList(title: string, data: DataObject[], itemsMax: number): Html {
  if (data.length === 0) return html``
  return rows(title, data.slice(0, itemsMax).map(item), data.length)
}

function item(object: DataObject) {
  const { id, type, sizeBytes, isCleanRoom } = object
  const mark = isCleanRoom ? html` <span class="mark">clean room</span>` : html``
  return {
    href: `/api/${newest}/data/${id}/?dl=1`,
    caption: named(fileOf(object).name),
    note: html`${kinds[type]}, ${humanBytes(sizeBytes)}${mark}`,
  }
}
