import { SlideType } from '@figbase/proto/stories'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { slideTypeNames } from '../../shapes/story.js'
import { aiErrors } from '../ai-errors.js'
import { idText } from '../body-members.js'
import { slideTypeOf } from '../story/body.js'
import { guardStory, modelMember, storyBody } from './common.js'
import { figureSlideSchema, overviewSlideSchema, slideShape } from './slide.js'

const common = {
  method: 'POST',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  errors: aiErrors,
  isLong: true,
  guard: guardStory,
} as const

export const writeSlide: Endpoint = endpoint({
  ...common,
  path: '/deep_insight/story/slide/generate/',
  operationId: 'writeSlide',
  summary: 'Let AI write one slide of a story',
  description:
    'Nothing is stored: the client saves the text. Slides of the type `figure` need `revision_id`. The caller needs the permission UPDATE on the story.',
  body: z.object({
    story_id: idText,
    slide_type: z.enum(slideTypeNames, `must be one of ${slideTypeNames.join(', ')}`),
    revision_id: idText.nullish(),
    ...modelMember,
  }),
  responses: { 200: z.union([figureSlideSchema, overviewSlideSchema]) },
  async handle({ body, services, streamCall }) {
    const request = {
      storyId: body.story_id,
      type: slideTypeOf(body.slide_type),
      revisionId: body.revision_id ?? '',
      model: body.model ?? '',
    }
    return ok(slideShape(await services.storyWriter.writeSlide(request, streamCall)))
  },
})

export const writeFigure: Endpoint = endpoint({
  ...common,
  path: '/deep_insight/story/figure/',
  operationId: 'writeFigureSlide',
  summary: 'Let AI write the slide about one figure of a story',
  description:
    'Nothing is stored: the client saves the text. The caller needs the permission UPDATE on the story.',
  body: z.object({ story_id: idText, revision_id: idText }),
  responses: { 200: figureSlideSchema },
  async handle({ body, services, streamCall }) {
    const { story_id: storyId, revision_id: revisionId } = body
    const request = { storyId, revisionId, type: SlideType.FIGURE }
    return ok(slideShape(await services.storyWriter.writeSlide(request, streamCall)))
  },
})

export const writeOverviews: Endpoint = endpoint({
  ...common,
  path: '/deep_insight/story/overviews/',
  operationId: 'writeStoryOverviews',
  summary: 'Let AI write the introduction of a story',
  description:
    'The answer also has a sentence about each figure. Nothing is stored. The caller needs the permission UPDATE on the story.',
  body: storyBody,
  responses: { 200: overviewSlideSchema },
  async handle({ body, services, streamCall }) {
    const request = { storyId: body.story_id, type: SlideType.INTRODUCTION }
    return ok(slideShape(await services.storyWriter.writeSlide(request, streamCall)))
  },
})
