import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { shallowWorkspace, shallowWorkspaceSchema } from '../../shapes/containers.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { found } from '../found.js'
import { visibleNodes } from '../nodes.js'
import { collect } from '../pages.js'

export const bootstrap = endpoint({
  method: 'GET',
  path: '/bootstrap/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'All that a frontend loads first, in one request',
  responses: {
    200: z.object({
      user: userSchema,
      workspaces: z.array(shallowWorkspaceSchema),
      settings: z.object({ ai_enabled: z.boolean(), ai_supported_models: z.array(z.string()) }),
      info: z.object({ api_version: z.string() }),
    }),
  },
  async handle(input) {
    const { services, username, version, call } = input
    const [{ user }, workspaces] = await Promise.all([
      services.identity.getUser({ username }, call),
      collect(visibleNodes(input, NodeType.WORKSPACE)),
    ])
    return ok({
      user: userShape(found(user)),
      workspaces: workspaces.map((node) => shallowWorkspace(node, version)),
      settings: { ai_enabled: false, ai_supported_models: [] },
      info: { api_version: version },
    })
  },
})
