import { NodeType } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, ok } from '../../endpoint.js'
import { visibleNodes } from '../../nodes/lists.js'
import { required } from '../../required.js'
import { shallowWorkspace, shallowWorkspaceSchema } from '../../shapes/containers.js'
import { settingsSchema, settingsShape } from '../../shapes/settings.js'
import { userSchema, userShape } from '../../shapes/user.js'
import { collect } from '../pagination.js'

export const bootstrap = endpoint({
  method: 'GET',
  path: '/bootstrap/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'getBootstrap',
  summary: 'Get everything that a frontend loads first',
  description:
    'The answer has the user, the workspaces, the settings of the site and the version of the API.',
  responses: {
    200: z.object({
      user: userSchema,
      workspaces: z.array(shallowWorkspaceSchema),
      settings: settingsSchema,
      info: z.object({ api_version: z.string() }),
    }),
  },
  async handle(input) {
    const { services, username, version, call, cfg } = input
    const [{ user }, workspaces, { settings }] = await Promise.all([
      services.identity.getUser({ username }, call),
      collect(visibleNodes(input, NodeType.WORKSPACE)),
      services.site.getSettings({}, call),
    ])
    return ok({
      user: userShape(required(user)),
      workspaces: workspaces.map((node) => shallowWorkspace(node, version)),
      settings: settingsShape(required(settings), cfg),
      info: { api_version: version },
    })
  },
})
