import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { idText } from '../body-members.js'
import { guardStory, omissionsSchema } from './common.js'

export const refineSlides: Endpoint = endpoint({
  method: 'POST',
  path: '/deep_insight/story/refine/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  isLong: true,
  summary:
    'Let AI improve the texts of a story. Changes nothing: `slides` has the texts that would change, `content` all of them in one text',
  body: z.object({ story_id: idText }),
  responses: {
    200: z.object({
      content: z.string(),
      slides: z.array(z.object({ slide_id: z.string(), content: z.string() })),
      omissions: omissionsSchema,
    }),
  },
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
