import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { aiErrors } from '../ai-errors.js'
import { guardStory, storyBody, taskSchema } from './common.js'

const common = {
  method: 'POST',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'no effect: a new task replaces the one before',
  errors: aiErrors,
  body: storyBody,
  responses: { 200: taskSchema },
  guard: guardStory,
} as const

export const generateStory: Endpoint = endpoint({
  ...common,
  path: '/deep_insight/story/generate/',
  operationId: 'generateStory',
  summary: 'Start a task that lets AI write a story',
  description:
    'It writes an introduction, one slide for each figure, and a conclusion. The task that writes the story now is cancelled. The caller needs the permission UPDATE on the story.',
  async handle({ body, services, call }) {
    const request = { storyId: body.story_id }
    return ok({ task_id: (await services.storyWriter.generateStory(request, call)).taskId })
  },
})

export const refineStory: Endpoint = endpoint({
  ...common,
  path: '/deep_insight/story/refine_async/',
  operationId: 'refineStory',
  summary: 'Start a task that lets AI improve the texts of a story',
  description:
    'The task that writes the story now is cancelled. The caller needs the permission UPDATE on the story.',
  async handle({ body, services, call }) {
    const request = { storyId: body.story_id }
    return ok({ task_id: (await services.storyWriter.refineStory(request, call)).taskId })
  },
})
