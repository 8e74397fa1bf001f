import { NodeType, Permission } from '@figbase/proto/catalog'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { storySchema } from '../../shapes/story.js'
import { supports } from '../../versions.js'
import { idIn } from '../body-members.js'
import { etagOf } from '../if-match.js'
import { isSilent, silentQuery } from '../query-flags.js'
import { createBody, slidesIn } from './body.js'
import { fullStory } from './full-story.js'

export const createStory: Endpoint = endpoint({
  method: 'POST',
  path: '/story/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'supported',
  operationId: 'createStory',
  summary: 'Create a story over figure revisions',
  description:
    'Without `slides`, it gets a title and one slide for each revision. The caller needs the permission CREATE on the workspace.',
  query: silentQuery,
  body: createBody,
  responses: { 201: storySchema },
  errors: { 409: ['duplicate_client_id'], 503: ['ai_disabled'] },
  responseHeaders: ['ETag', 'Location'],
  guard: (_params, body) => ({
    id: idIn(body, 'workspace'),
    permission: Permission.CREATE,
    type: NodeType.WORKSPACE,
  }),
  async handle(input) {
    const { body, query, services, call, version } = input
    const request = {
      workspaceId: body.workspace,
      name: body.name,
      ...(typeof body.description === 'string' && { description: body.description }),
      revisionIds: body.revisions ?? [],
      ...slidesIn(body.slides),
      generate: body.generate ?? false,
      silent: isSilent(query),
      ...(supports(version, 'clientId') && body.client_id && { clientId: body.client_id }),
    }
    const story = required((await services.stories.createStory(request, call)).story)
    return created((await fullStory(input, story)).body, {
      ...etagOf(story),
      location: `/api/${version}/story/${required(story.node).id}/`,
    })
  },
})
