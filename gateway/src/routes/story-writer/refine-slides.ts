import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { aiErrors } from '../ai-errors.js'
import { guardStory, omissionsSchema, storyBody } from './common.js'

export const refineSlides: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/story/refine/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  operationId: 'refineSlides',
  summary: 'Let AI improve the texts of a story',
  description:
    'Nothing is stored. `slides` has the texts that would change, and `content` all of them in one text. The caller needs the permission UPDATE on the story.',
  body: storyBody,
  responses: {
    200: z.object({
      content: z.string(),
      slides: z.array(z.object({ slide_id: z.string(), content: z.string() })),
      omissions: omissionsSchema,
    }),
  },
  errors: aiErrors,
  guard: guardStory,
  async handle({ body, services, streamCall }) {
    const request = { storyId: body.story_id }
    const { slides, omissions } = await services.storyWriter.refineSlides(request, streamCall)
    return ok({
      content: slides.map(({ content }) => content).join('\n\n'),
      slides: slides.map(({ slideId, content }) => ({ slide_id: slideId, content })),
      omissions,
    })
  },
})
