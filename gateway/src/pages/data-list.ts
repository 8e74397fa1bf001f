import { type Html, html } from '@figbase/kit'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import { fileOf } from '../routes/data/file-of.js'
import { newest } from '../versions.js'
import { humanBytes, moreThan, named } from './text.js'

const kinds: Record<DataType, string> = {
  [DataType.UNSPECIFIED]: 'Data',
  [DataType.IMAGE]: 'Image',
  [DataType.CODE]: 'Code',
  [DataType.TEXT]: 'Text',
  [DataType.DATAFRAME]: 'Table',
  [DataType.FILE]: 'File',
}

/** What there is to download. */
export function dataList(data: DataObject[], itemsMax: number): Html {
  if (data.length === 0) return html``
  return html`<h2>Data to download</h2>
<ul class="rows">${data.slice(0, itemsMax).map(row)}</ul>
${moreThan(itemsMax, data.length, 'Data objects')}`
}

function row(object: DataObject) {
  const { id, type, sizeBytes, isCleanRoom } = object
  const mark = isCleanRoom ? html` <span class="mark">clean room</span>` : html``
  return html`<li><a href="/api/${newest}/data/${id}/?dl=1" download>${named(fileOf(object).name)}</a>
<span class="quiet">${kinds[type]}, ${humanBytes(sizeBytes)}${mark}</span></li>`
}
