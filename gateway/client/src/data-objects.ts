import type { Figbase } from './figbase.js'
import { hashOf } from './hash.js'
import { type Source, toBase64, toRandomAccess } from './source.js'
import type { Schemas } from './types.js'
import { type UploadInit, type UploadTarget, upload } from './upload.js'

export type DataType = Schemas['NewDataObject']['type']

/** One file of a revision. */
export type DataObject = {
  name: string
  type: DataType
  source: Source
  metadata?: Record<string, unknown>
}

/** A source with a name, or a source alone. */
export type Named = Source | { name: string; source: Source; metadata?: Record<string, unknown> }

const languages: Record<string, string> = {
  py: 'Python',
  r: 'R',
  ipynb: 'Python',
  jl: 'Julia',
  js: 'JavaScript',
  mjs: 'JavaScript',
  ts: 'TypeScript',
  m: 'MATLAB',
  sh: 'Shell',
  sql: 'SQL',
  c: 'C',
  cpp: 'C++',
  java: 'Java',
  rs: 'Rust',
  go: 'Go',
}
const tables = ['csv', 'parquet']

const extensionOf = (name: string) => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

function named(item: Named, name: string) {
  if (typeof item === 'object' && 'source' in item) return item
  const own = typeof File !== 'undefined' && item instanceof File ? item.name : undefined
  return { name: own ?? name, source: item, metadata: undefined }
}

/** The format is that of the extension, PNG without one. */
export function imageObject(item: Named): DataObject {
  const { name, source, metadata } = named(item, 'figure')
  const format = extensionOf(name) || 'png'
  return { name, type: 'image', source, metadata: { format, is_watermarked: false, ...metadata } }
}

export function codeObject(item: Named): DataObject {
  const { name, source, metadata } = named(item, 'code')
  const language = languages[extensionOf(name)] ?? null
  const format = extensionOf(name) === 'ipynb' ? 'jupyter-history/json' : 'text'
  const known = { language, format, encoding: 'utf-8' }
  return { name, type: 'code', source, metadata: { ...known, ...metadata } }
}

/** CSV and Parquet are tables, everything else is a file. */
export function fileObject(item: Named): DataObject {
  const { name, source, metadata } = named(item, 'data')
  const format = extensionOf(name)
  if (!tables.includes(format)) {
    return { name, type: 'file', source, metadata: { path: name, ...metadata } }
  }
  return { name, type: 'dataframe', source, metadata: { format, encoding: 'utf-8', ...metadata } }
}

/** Objects up to this size are sent in the body of the revision, as long as the body stays small. */
const inlineBytesMax = 256 * 1024
const bodyBytesMax = 2 ** 20

/** Where a program keeps the addresses of unfinished uploads, to go on with them when it runs again. */
export type UploadStore = {
  /** Identifies the bytes of a source; by default their hash. */
  keyOf?(source: Source): string
  /** The address of the upload of these bytes to this target, if one was begun. */
  get(target: UploadTarget, key: string): string | undefined
  set(target: UploadTarget, key: string, url: string): void
}

export type ToDataInit = Pick<UploadInit, 'signal' | 'onProgress'> & {
  uploads?: UploadStore | undefined
}

/** The `data` of a new revision: small objects in base64, large ones as uploads. */
export async function toData(
  figbase: Figbase,
  target: UploadTarget,
  objects: DataObject[],
  { signal, onProgress, uploads }: ToDataInit = {},
): Promise<NonNullable<Schemas['RevisionCreate']['data']>> {
  const sizes = objects.map(({ source }) => toRandomAccess(source).size)
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0)
  const data: NonNullable<Schemas['RevisionCreate']['data']> = []
  let sentBytes = 0
  let bodyBytes = 0
  for (const [index, { source, name, type, metadata = {} }] of objects.entries()) {
    const size = sizes[index] ?? 0
    const isInline = size <= inlineBytesMax && bodyBytes + size <= bodyBytesMax
    if (isInline) {
      bodyBytes += size
      data.push({ name, type, metadata, data: await toBase64(source) })
    } else {
      const before = sentBytes
      const report = onProgress && {
        onProgress: (one: { sentBytes: number }) =>
          onProgress({ sentBytes: before + one.sentBytes, totalBytes }),
      }
      const resumed = uploads && (await resumedFrom(uploads, target, source))
      const url = await upload(figbase, target, source, { signal, ...report, ...resumed })
      data.push({ name, type, metadata, upload: url })
    }
    sentBytes += size
    onProgress?.({ sentBytes, totalBytes })
  }
  return data
}

async function resumedFrom(
  uploads: UploadStore,
  target: UploadTarget,
  source: Source,
): Promise<Pick<UploadInit, 'url' | 'onUrl'>> {
  const key = uploads.keyOf?.(source) ?? (await hashOf(source))
  return {
    url: uploads.get(target, key),
    onUrl: (url) => uploads.set(target, key, url),
  }
}
