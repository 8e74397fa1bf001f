import { DataType } from '@figbase/proto/revisions'

type Named = { name: string | null; type: number; metadata: string }

/** Default names that clients give to every picture. */
const defaultNames = new Set(['', 'figure', 'image', 'plot'])
const members = ['figure_name', 'title', 'name']
const charsMax = 200

/**
 * Possible names of the figure of a revision, the most likely first. They come from the images and the
 * metadata (JSON), without default names.
 */
export function figureNames(metadata: string, data: Named[]): string[] {
  const images = data.filter(({ type }) => type === DataType.IMAGE)
  const texts = [
    ...textsIn(metadata),
    ...images.flatMap((image) => [...textsIn(image.metadata), image.name ?? '']),
  ]
  const names = texts.map((text) => text.trim().slice(0, charsMax).trim())
  return [...new Set(names)].filter((name) => !defaultNames.has(foldedName(name)))
}

/** The form in which names are compared. */
export const foldedName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

function textsIn(metadata: string): string[] {
  const value: unknown = JSON.parse(metadata)
  if (typeof value !== 'object' || value === null) return []
  const texts = members.map((member) => (value as Record<string, unknown>)[member])
  return texts.filter((text): text is string => typeof text === 'string')
}
