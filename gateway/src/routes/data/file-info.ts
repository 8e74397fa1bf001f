import { type DataObject, DataType } from '@figbase/proto/revisions'

/** The file name and media type of a data object: a name that is safe to save, and a type that no browser executes. */
export function fileInfo(object: Pick<DataObject, 'name' | 'type' | 'metadataJson'>): {
  name: string
  type: string
} {
  const format = formatOf(object)
  return { name: nameOf(object, format), type: typeOf(object.type, format) }
}

const pictures: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}
const texts: Record<string, string> = { json: 'application/json', csv: 'text/csv' }
const plain = 'text/plain; charset=utf-8'
const opaque = 'application/octet-stream'

/** Types that are not listed, such as SVG and HTML, are opaque: browsers only save them. */
function typeOf(type: DataType, format: string) {
  switch (type) {
    case DataType.IMAGE:
      return ownOf(pictures, format) ?? opaque
    case DataType.DATAFRAME:
      return ownOf(texts, format) ?? opaque
    case DataType.CODE:
    case DataType.TEXT:
      return ownOf(texts, format) ?? plain
    default:
      return opaque
  }
}

const languages: Record<string, string> = {
  python: 'py',
  r: 'R',
  julia: 'jl',
  matlab: 'm',
  javascript: 'js',
}
const synonyms: Record<string, string> = { jpeg: 'jpg', text: 'txt', plain: 'txt' }

/** Not what objects inherit, as `constructor`. */
const ownOf = (words: Record<string, string>, word: string): string | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined

/** The file extension according to the metadata; empty if unknown. */
function formatOf({ type, metadataJson }: Pick<DataObject, 'type' | 'metadataJson'>) {
  const { format, language } = parsed(metadataJson)
  // Notebook clippings have the format `jupyter-history/json`.
  const declared = /(?:^|\/)([a-z0-9]{1,12})$/i.exec(textOf(format))?.[1]?.toLowerCase() ?? ''
  const known = ownOf(synonyms, declared) ?? declared
  const isText = known === '' || known === 'txt'
  if (type === DataType.CODE && isText)
    return ownOf(languages, textOf(language).toLowerCase()) ?? 'txt'
  if (type === DataType.TEXT && isText) return 'txt'
  return known
}

function parsed(metadataJson: string): { format?: unknown; language?: unknown } {
  const value: unknown = metadataJson ? JSON.parse(metadataJson) : null
  return typeof value === 'object' && value !== null ? value : {}
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

const kinds: Record<DataType, string> = {
  [DataType.UNSPECIFIED]: 'data',
  [DataType.IMAGE]: 'image',
  [DataType.CODE]: 'code',
  [DataType.TEXT]: 'text',
  [DataType.DATAFRAME]: 'table',
  [DataType.FILE]: 'data',
}
const nameCharsMax = 120
const extension = /\.(?=\d*[a-z])[a-z0-9]{1,12}$/i
/** Path separators, characters that file systems forbid, control characters, and bidirectional controls. */
const unsafe = /[/\\:*?"<>|\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

function nameOf({ name, type }: Pick<DataObject, 'name' | 'type'>, format: string) {
  const clean = (name ?? '').replaceAll(unsafe, '_').replace(/^[\s.]+|[\s.]+$/g, '')
  const ownExtension = extension.exec(clean)?.[0] ?? ''
  const stem = [...clean.slice(0, clean.length - ownExtension.length)]
    .slice(0, nameCharsMax)
    .join('')
  return `${stem || kinds[type]}${ownExtension || (format && `.${format}`)}`
}
