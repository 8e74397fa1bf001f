/** The types of slides, with their names in the API. */
export type SlideKind =
  | 'title'
  | 'introduction'
  | 'figure'
  | 'goals'
  | 'data'
  | 'conclusion'
  | 'custom'

export type Slide = {
  /** Unique in its story. */
  id: string
  type: SlideKind
  /** Markdown as the author wrote it. */
  content: string
  /** Set for figure slides only. */
  revisionId: string | null
  /** A JSON object as the author wrote it. */
  data: string
}

/** What one version of a story says. */
export type Content = {
  name: string
  description: string | null
  /** In the order of the author, without duplicates. */
  revisionIds: string[]
  /** In their order. */
  slides: Slide[]
}

export const slideBytes = ({ content, data }: Slide): number =>
  Buffer.byteLength(content) + Buffer.byteLength(data)

/** The size of a version in bytes. */
export const contentBytes = ({ name, description, slides }: Content): number =>
  slides.reduce(
    (sum, slide) => sum + slideBytes(slide),
    Buffer.byteLength(name) + Buffer.byteLength(description ?? ''),
  )

/** The revisions of the figure slides, in their order, without duplicates. */
export const shownRevisions = (slides: Slide[]): string[] => [
  ...new Set(slides.flatMap(({ revisionId }) => revisionId ?? [])),
]
