import type { CallOptions } from '@connectrpc/connect'
import { notebookCode } from '@figbase/kit/text'
import { type DataObject, DataType, type Revision } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'
import type { DataPart } from '../prompts/figure-data.js'
import { describeTable } from './describe-table.js'
import { extractedTexts } from './extracted-texts.js'
import { readHead } from './read-head.js'

/** Of each kind; the first ones in the order of the client. */
const objectsMax = 20
/** Code as text, and notebooks, whose outputs are left out. */
const codeBytesMax = 256 * 1024
const notebookBytesMax = 4 * 1024 * 1024
const tableBytesMax = 16 * 1024
const textBytesMax = 64 * 1024

type Kind = {
  type: DataType
  kind: string
  bytesMax(object: DataObject): number
  /** What is sent of its first bytes; undefined: they are no text, or do not say what the object is. */
  show(head: string, isWhole: boolean): string | undefined
}

const kinds: Kind[] = [
  {
    type: DataType.CODE,
    kind: 'code',
    bytesMax: ({ name }) => (name?.endsWith('.ipynb') ? notebookBytesMax : codeBytesMax),
    show: (head) => notebookIn(head) ?? head.slice(0, codeBytesMax),
  },
  {
    type: DataType.DATAFRAME,
    kind: 'table',
    bytesMax: () => tableBytesMax,
    show: (head, isWhole) => describeTable(head, isWhole) ?? head,
  },
  { type: DataType.TEXT, kind: 'text', bytesMax: () => textBytesMax, show: (head) => head },
]

/** What the data of a revision says, as the caller may read it, and what was left out because of its number. */
export async function readParts(
  ctx: Ctx,
  revision: Revision,
  as: CallOptions,
): Promise<{ parts: DataPart[]; omissions: string[] }> {
  const texts = await extractedTexts(ctx, revision.id, as)
  const parts: DataPart[] = [...texts.pictures]
  const omissions: string[] = []
  for (const kind of kinds) {
    const objects = revision.data.filter(({ type }) => type === kind.type)
    for (const object of objects.slice(0, objectsMax)) {
      parts.push(await readPart(ctx, object, kind, texts.columns.get(object.id), as))
    }
    const more = objects.length - objectsMax
    if (more > 0) omissions.push(`${kind.kind}: ${more} more data objects left out`)
  }
  return { parts, omissions }
}

async function readPart(
  { revisions }: Ctx,
  object: DataObject,
  { kind, bytesMax, show }: Kind,
  columns: string | undefined,
  as: CallOptions,
): Promise<DataPart> {
  const { id, name = '', sizeBytes } = object
  const length = Math.min(bytesMax(object), Number(sizeBytes))
  const head = await readHead(revisions, id, length, as)
  const text = head === undefined ? columns : show(head, length === Number(sizeBytes))
  return { kind, name, text: text ?? `(${sizeBytes} bytes, not text)` }
}

function notebookIn(head: string): string | undefined {
  if (!head.trimStart().startsWith('{')) return undefined
  try {
    return notebookCode(JSON.parse(head))
  } catch {
    return undefined
  }
}
