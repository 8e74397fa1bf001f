import { DetailDirection } from '@figbase/proto/story-writer'
import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { aiErrors } from '../ai-errors.js'
import { idText } from '../body-members.js'
import { guardStory, modelMember } from './common.js'

const directions = { more: DetailDirection.MORE, less: DetailDirection.LESS }

export const changeDetail: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/story/slide/detail/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'changeSlideDetail',
  summary: 'Let AI write a slide with more or less detail',
  description:
    'Nothing is stored: the client saves the text. The caller needs the permission UPDATE on the story.',
  body: z.object({
    story_id: idText,
    slide_id: z.string('must be a string'),
    direction: z.enum(['more', 'less'], 'must be more or less'),
    current_content: z.string('must be a string'),
    ...modelMember,
  }),
  responses: { 200: z.object({ content: z.string() }) },
  errors: aiErrors,
  guard: guardStory,
  async handle({ body, services, streamCall }) {
    const request = {
      storyId: body.story_id,
      slideId: body.slide_id,
      direction: directions[body.direction],
      currentContent: body.current_content,
      model: body.model ?? '',
    }
    const { content } = await services.storyWriter.changeDetail(request, streamCall)
    return ok({ content })
  },
})
