import type { CallOptions } from '@connectrpc/connect'
import type { Node } from '@figbase/proto/catalog'
import { RevisionState, type Slide, type Story } from '@figbase/proto/stories'
import type { Ctx } from '../context.js'
import { type Figure, readFigure } from './figure.js'

/** A slide with what its reader may see of its revision. */
export type ExportedSlide = {
  slide: Slide
  figure: Figure | undefined
  /** Why there is no figure, if the slide has a revision. */
  absence: string | undefined
}

/** Reads a story for an export, slide by slide. */
export type Source = {
  story: Story
  slides(): AsyncGenerator<ExportedSlide>
  /** The address of the page of a revision; undefined without PUBLIC_URL. */
  linkTo(revisionId: string): string | undefined
}

export type SourceOptions = {
  as: CallOptions
  /** Called before each slide. */
  onSlide(index: number): void
}

export function openSource(ctx: Ctx, story: Story, { as, onSlide }: SourceOptions): Source {
  const nodes = new Map<string, Node>()
  for (const { id, node } of story.revisions) if (node) nodes.set(id, node)
  /** Several slides may show one. */
  const figures = new Map<string, Figure>()
  const figureOf = async (node: Node) => {
    const figure = figures.get(node.id) ?? (await readFigure(ctx, node, as))
    figures.set(node.id, figure)
    return figure
  }
  return {
    story,
    linkTo: (id) => (ctx.cfg.publicUrl ? `${ctx.cfg.publicUrl}/r/${id}` : undefined),
    async *slides() {
      for (const [index, slide] of story.slides.entries()) {
        onSlide(index)
        const node = nodes.get(slide.revisionId)
        const figure = node && (await figureOf(node))
        yield { slide, figure, absence: absences[slide.revisionState] }
      }
    },
  }
}

const absences: Partial<Record<RevisionState, string>> = {
  [RevisionState.HIDDEN]: 'You may not view the figure on this slide.',
  [RevisionState.DELETED]: 'The figure on this slide was deleted.',
}
