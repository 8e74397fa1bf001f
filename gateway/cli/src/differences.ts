import { text } from 'node:stream/consumers'
import type { ReadableStream } from 'node:stream/web'
import { download, type Figbase } from '@figbase/client'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import { imageSize } from 'image-size'
import type { DataObject } from './newest-revision.js'
import { shapeOf, type TableShape } from './table-shape.js'

export type Size = { width: number; height: number }

/** How one data object differs between two revisions. */
export type Difference = {
  name: string | null
  type: string
  state: 'same' | 'changed' | 'added' | 'removed'
  /** Of a code or a text: a unified diff. */
  patch?: string
  /** Of CSV. */
  tables?: { before: TableShape; after: TableShape }
  /** Of pictures, in pixels; null if that is not known. */
  pixels?: { before: Size | null; after: Size | null }
  bytes: { before: number; after: number }
}

/** Larger texts are not compared line by line. */
const textBytesMax = 2 ** 20
/** The size of a picture is in its first bytes. */
const headBytes = 256 * 1024

/** Compares the objects that have the same type and name. */
export async function differencesOf(
  figbase: Figbase,
  before: DataObject[],
  after: DataObject[],
): Promise<Difference[]> {
  const keyOf = ({ type, name }: DataObject) => JSON.stringify([type, name])
  const left = new Map(before.map((one) => [keyOf(one), one]))
  const right = new Map(after.map((one) => [keyOf(one), one]))
  const found: Difference[] = []
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    found.push(await differenceOf(figbase, left.get(key), right.get(key)))
  }
  return found
}

async function differenceOf(
  figbase: Figbase,
  before: DataObject | undefined,
  after: DataObject | undefined,
): Promise<Difference> {
  const { name, type } = (before ?? after) as DataObject
  const bytes = { before: before?.size_bytes ?? 0, after: after?.size_bytes ?? 0 }
  if (!before || !after) return { name, type, state: before ? 'removed' : 'added', bytes }
  if (before.hash === after.hash) return { name, type, state: 'same', bytes }
  const details = await detailsOf(figbase, before, after)
  return { name, type, state: 'changed', bytes, ...details }
}

async function detailsOf(
  figbase: Figbase,
  before: DataObject,
  after: DataObject,
): Promise<Pick<Difference, 'patch' | 'tables' | 'pixels'>> {
  const open = async ({ api_id }: DataObject, end?: number) =>
    (await download(figbase, api_id, { end })).body as ReadableStream<Uint8Array>
  if (before.type === 'image') {
    const size = async (one: DataObject) => toSize(await bytesOf(await open(one, headBytes)))
    return { pixels: { before: await size(before), after: await size(after) } }
  }
  if (before.type === 'dataframe') {
    if (![before, after].every(isCsv)) return {}
    const tables = [await shapeOf(await open(before)), await shapeOf(await open(after))] as const
    return { tables: { before: tables[0], after: tables[1] } }
  }
  const isText = before.type === 'code' || before.type === 'text'
  const isSmall = [before, after].every(({ size_bytes }) => size_bytes <= textBytesMax)
  if (!isText || !isSmall) return {}
  const [old, recent] = [await text(await open(before)), await text(await open(after))]
  const name = before.name ?? before.type
  return {
    patch: createTwoFilesPatch(name, name, old, recent, undefined, undefined, {
      headerOptions: FILE_HEADERS_ONLY,
    }),
  }
}

const isCsv = ({ metadata }: DataObject) => String(metadata?.format ?? '').endsWith('csv')

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts)
}

function toSize(bytes: Uint8Array): Size | null {
  try {
    const { width, height } = imageSize(bytes)
    return { width, height }
  } catch {
    return null
  }
}
