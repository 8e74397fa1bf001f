import type { OverviewTexts, RevisionText, WriteSlideResponse } from '@figbase/proto/story-writer'
import { z } from 'zod'
import { uuid } from '../../shapes/common.js'
import { omissionsSchema } from './common.js'

const text = z.string().meta({ description: 'Markdown; show it as untrusted.' })

export const figureSlideSchema = z
  .object({
    content: text,
    methods: text,
    inputs: z.array(z.string()),
    outputs: z.array(z.string()),
    omissions: omissionsSchema,
  })
  .meta({ id: 'FigureSlideText', description: 'The text of a slide about a figure.' })

const revisionTexts = z.array(
  z
    .object({ revision_id: uuid, content: z.string() })
    .meta({ id: 'RevisionText', description: 'A text about a figure revision.' }),
)

export const overviewSlideSchema = z
  .object({
    content: text,
    figure_descriptions: revisionTexts,
    figure_methods: revisionTexts,
    omissions: omissionsSchema,
  })
  .meta({ id: 'OverviewSlideText', description: 'The text of a slide about the story.' })

export function slideShape({ content, slide, omissions }: WriteSlideResponse) {
  if (slide.case !== 'figure') return { content, ...overviewShape(slide.value), omissions }
  const { methods, inputs, outputs } = slide.value
  return { content, methods, inputs, outputs, omissions }
}

const overviewShape = (texts: OverviewTexts | undefined) => ({
  figure_descriptions: (texts?.descriptions ?? []).map(toShape),
  figure_methods: (texts?.methods ?? []).map(toShape),
})

const toShape = ({ revisionId, text }: RevisionText) => ({
  revision_id: revisionId,
  content: text,
})
