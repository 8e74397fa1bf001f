import type { PlacedNode } from '@figbase/proto/catalog'
import {
  DataType,
  type ReadTextsResponse,
  type Revision,
  TextSource,
} from '@figbase/proto/revisions'
import { metadataTokens } from '../domain/metadata-tokens.js'
import { metadataWords } from '../domain/metadata-words.js'
import type { FieldName, IndexedDocument } from '../engine/port.js'
import type { NewPlace } from '../queries/places.js'

export type DocumentParts = {
  place: NewPlace
  node: PlacedNode
  revision: Revision | undefined
  texts: ReadTextsResponse[]
  comments: string | undefined
  /** The text of a story. */
  story: string | undefined
  /** Text recognized in the picture. */
  ocr: string | undefined
  /** What the code of a figure means. */
  meaning: string | undefined
}

/** The document of an object. Each field has at most `fieldCharsMax` characters. */
export function documentOf(parts: DocumentParts, fieldCharsMax: number): IndexedDocument {
  const fields: IndexedDocument['fields'] = {}
  const set = (name: FieldName, texts: (string | undefined)[]) => {
    const text = texts.filter(Boolean).join('\n').slice(0, fieldCharsMax)
    if (text) fields[name] = text
  }
  const { place, revision, texts } = parts
  const { node } = parts.node
  const data = revision?.data ?? []
  const types = new Map(data.map(({ id, type }) => [id, type]))
  const isCode = ({ dataId }: ReadTextsResponse) => types.get(dataId) === DataType.CODE
  const isColumns = ({ source }: ReadTextsResponse) => source === TextSource.COLUMNS
  const words = (json: string) => metadataWords(json, fieldCharsMax)
  set('name', [node?.name])
  set('description', [node?.description, revision?.description?.text])
  set('ids', [
    place.id,
    revision?.shortId,
    revision?.imageHash,
    revision?.dataHash,
    ...data.flatMap(({ id, hash }) => [id, hash]),
  ])
  set(
    'files',
    data.map(({ name }) => name),
  )
  set('metadata', [
    words(revision?.metadataJson ?? ''),
    ...data.map((one) => words(one.metadataJson)),
  ])
  set(
    'columns',
    texts.filter(isColumns).map(({ text }) => text),
  )
  set(
    'code',
    texts.filter(isCode).map(({ text }) => text),
  )
  set('text', [
    parts.story,
    ...texts.filter((text) => !isCode(text) && !isColumns(text)).map(({ text }) => text),
  ])
  set('comments', [parts.comments])
  set('ocr', [parts.ocr])
  set('meaning', [parts.meaning])
  const metadata = [revision?.metadataJson ?? '', ...data.map((one) => one.metadataJson)]
  return { ...place, fields, metadata: [...new Set(metadata.flatMap(metadataTokens))] }
}
