import {
  codeObject,
  type DataObject,
  fileObject,
  imageObject,
  type Named,
  toData,
  type UploadStore,
} from './data-objects.js'
import type { Figbase } from './figbase.js'
import { hashOf } from './hash.js'
import { findOrCreate, type TreePath } from './tree.js'
import type { Schemas } from './types.js'
import type { UploadProgress } from './upload.js'

export type PublishInit = {
  /** The id of a figure, or a path: what is missing is created. */
  figure: TreePath
  /** PNG without a name; otherwise the format is that of the extension of the name. */
  image?: Named | Named[]
  code?: Named | Named[]
  /** CSV and Parquet are tables, everything else is a file. */
  data?: Named | Named[]
  /** Other objects, as they are. */
  objects?: DataObject[]
  /** Any JSON. */
  metadata?: Record<string, unknown>
  /** Markdown. */
  description?: string
  /** The asset revisions that the figure was made from. */
  assets?: (string | Schemas['NewAssetLink'])[]
  /**
   * Whether to publish nothing if the newest revision has the same objects, and the description and the assets that are
   * given. Metadata is not compared: it may tell of each run.
   */
  skipUnchanged?: boolean
  /** Large objects go on where an earlier call ended. */
  uploads?: UploadStore
  onProgress?: (progress: UploadProgress) => void
  signal?: AbortSignal | undefined
}

export type Published = {
  /** The id of the revision. */
  api_id: string
  figure: string
  /** False if the newest revision was the same already. */
  isNew: boolean
  /** The page of the revision. */
  url: string
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Publishes a revision of a figure. */
export async function publish(figbase: Figbase, init: PublishInit): Promise<Published> {
  const { metadata, description, assets, signal, onProgress, uploads } = init
  const objects = objectsOf(init)
  const figure = await figureOf(figbase, init.figure, signal)
  const links = assets?.map((one) => (typeof one === 'string' ? { asset_revision: one } : one))
  const given = { objects, description, links }
  const same =
    init.skipUnchanged && !figure.isNew && (await unchanged(figbase, figure.api_id, given, signal))
  if (same) return published(figbase, figure.api_id, same, false)
  const data = await toData(figbase, { figure: figure.api_id }, objects, {
    signal,
    uploads,
    ...(onProgress && { onProgress }),
  })
  const { api_id } = await figbase.post('/revision/', {
    body: {
      figure: figure.api_id,
      data,
      ...(metadata !== undefined && { metadata }),
      ...(description !== undefined && { description }),
      ...(links && { assets: links }),
    } as Schemas['RevisionCreate'],
    signal,
  })
  return published(figbase, figure.api_id, api_id, true)
}

const published = (figbase: Figbase, figure: string, api_id: string, isNew: boolean) => ({
  api_id,
  figure,
  isNew,
  url: `${figbase.url}/r/${api_id}`,
})

const all = <T>(items: T | T[] | undefined): T[] =>
  items === undefined ? [] : Array.isArray(items) ? items : [items]

const objectsOf = ({ image, code, data, objects = [] }: PublishInit): DataObject[] => [
  ...all(image).map(imageObject),
  ...all(code).map(codeObject),
  ...all(data).map(fileObject),
  ...objects,
]

async function figureOf(figbase: Figbase, figure: TreePath, signal: AbortSignal | undefined) {
  if (typeof figure === 'string' && uuid.test(figure)) return { api_id: figure, isNew: false }
  const node = await findOrCreate(figbase, figure, { signal })
  if (node.kind !== 'figure') throw new TypeError('figure must be workspace/analysis/figure')
  return node
}

type Known = { type: string; name: string | null; hash: string }

type Given = {
  objects: DataObject[]
  description: string | undefined
  links: Schemas['NewAssetLink'][] | undefined
}

/** The id of the newest revision, if it has exactly these objects, and this description and these assets. */
async function unchanged(
  figbase: Figbase,
  figure: string,
  { objects, description, links }: Given,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { revisions } = await figbase.get('/figure/{id}/', {
    path: { id: figure },
    query: { fields: 'revisions' },
    signal,
  })
  const newest = revisions.at(-1)?.api_id
  if (newest === undefined) return undefined
  const path = { id: newest }
  const query = { fields: 'data,description,assets' }
  const revision = await figbase.get('/revision/{id}/', { path, query, signal })
  if (description !== undefined && revision.description !== description) return undefined
  const idsOf = (some: { asset_revision: string }[] = []) =>
    some.map((one) => one.asset_revision).sort()
  if (links && String(idsOf(links)) !== String(idsOf(revision.assets))) return undefined
  const known = (revision.data as Known[]).map(keyOf).sort()
  if (known.length !== objects.length) return undefined
  const hashed = objects.map(async ({ type, name, source }) =>
    keyOf({ type, name, hash: await hashOf(source) }),
  )
  const wanted = (await Promise.all(hashed)).sort()
  return wanted.every((key, at) => key === known[at]) ? newest : undefined
}

const keyOf = ({ type, name, hash }: Known) => JSON.stringify([type, name, hash])
