import { Permission, WorkspaceType } from '@figbase/proto/catalog'
import { type Endpoint, endpoint, ok } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { withoutLists } from '../../nodes/node-with-lists.js'
import { required } from '../../required.js'
import { etagOf, expectedVersion, ifMatchHeader } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { isSilent, silentQuery } from '../query-flags.js'
import {
  type Container,
  type ContainerBody,
  organizationIn,
  parentIdIn,
  scopeIdIn,
  updateBody,
} from './container.js'

export const updateContainer = (container: Container, method: 'PUT' | 'PATCH'): Endpoint =>
  endpoint({
    method,
    path: `/${container.segment}/:id/`,
    since: 'v1',
    auth: 'required',
    idempotent: true,
    operationId: `${method === 'PUT' ? 'replace' : 'update'}${nounOf(container.segment).idPart}`,
    summary: `Update ${nounOf(container.segment).a}`,
    description: 'Omitted members keep their values, with PUT and with PATCH.',
    query: silentQuery,
    body: updateBody(container),
    requestHeaders: ifMatchHeader,
    responses: { 200: container.fullSchema },
    errors: { 403: ['max_storage_bytes', 'max_users'] },
    responseHeaders: ['ETag'],
    guard: ({ id = '' }) => ({ id, permission: Permission.UPDATE, type: container.type }),
    async handle(input) {
      const { params, services, call } = input
      const body: ContainerBody = input.body
      const parentId = parentIdIn(container, body)
      const request = {
        id: params.id ?? '',
        type: container.type,
        ...(body.name !== undefined && { name: body.name }),
        ...(typeof body.description === 'string' && { description: body.description }),
        ...(parentId !== undefined && { parentId }),
        ...scopeIdIn(container, body),
        ...(container.segment === 'workspace' && typeIn(body)),
        ...organizationIn(container, body),
        ...(await expectedVersion(input, () => getNode(input, params.id ?? '', container.type))),
        silent: isSilent(input.query),
      }
      const { node } = await services.catalog.updateNode(request, call)
      return ok(
        (await container.full(input, withoutLists(required(node)))).body,
        etagOf(required(node)),
      )
    },
  })

function typeIn({ workspace_type }: ContainerBody) {
  if (workspace_type === undefined || workspace_type === null) return {}
  const isPrimary = workspace_type === 'primary'
  return { workspaceType: isPrimary ? WorkspaceType.PRIMARY : WorkspaceType.SECONDARY }
}
