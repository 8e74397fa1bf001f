import type { Story } from '@figbase/proto/stories'
import type { Figure, Picture } from '../src/exports/figure.js'
import type { ExportedSlide, Source } from '../src/exports/source.js'

type Content = {
  picture?: Buffer
  extension?: Picture['extension']
  svg?: string
  codes?: string[]
}

export const figureOf = (
  name: string,
  { picture, extension = 'png', svg, codes = [] }: Content,
): Figure => ({
  revisionId: `id of ${name}`,
  name,
  revisionIndex: 2,
  codeNames: codes,
  assetIds: ['asset-1'],
  openPicture: async () => picture && { extension, bytes: chunks(picture) },
  openDrawing: () => (svg === undefined ? undefined : chunks(Buffer.from(svg))),
})

async function* chunks(bytes: Buffer) {
  yield bytes
}

export type Shown = { type?: number; content?: string; figure?: Figure; absence?: string }

/** A story that is not stored. */
export const sourceOf = (shown: Shown[], name = 'Bloom'): Source => ({
  story: { node: { name } } as Story,
  linkTo: (id) => `https://figbase.example/r/${encodeURIComponent(id)}`,
  async *slides() {
    for (const { type = 7, content = '', figure, absence } of shown) {
      yield { slide: { content, type }, figure, absence } as ExportedSlide
    }
  },
})
