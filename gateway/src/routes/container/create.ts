import { Permission } from '@figbase/proto/catalog'
import { created, type Endpoint, endpoint } from '../../endpoint.js'
import { withoutLists } from '../../nodes/node-with-lists.js'
import { required } from '../../required.js'
import { idIn } from '../body-members.js'
import { etagOf } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { isSilent, silentQuery } from '../query-flags.js'
import {
  type Container,
  type ContainerBody,
  createBody,
  onBehalfIn,
  organizationIn,
  parentIdIn,
  scopeIdIn,
} from './container.js'

const placeOf = ({ parent }: Container) => {
  if (!parent) return 'Every user may create one.'
  const { a } = nounOf(parent.member)
  return parent.isOptional
    ? `It may be in ${a}, on which the caller then needs the permission CREATE.`
    : `The caller needs the permission CREATE on the ${parent.member}.`
}

export const createContainer = (container: Container): Endpoint =>
  endpoint({
    method: 'POST',
    path: `/${container.segment}/`,
    since: 'v1',
    auth: 'required',
    idempotent: false,
    idempotencyKey: 'supported',
    operationId: `create${nounOf(container.segment).idPart}`,
    summary: `Create ${nounOf(container.segment).a}`,
    description: placeOf(container),
    query: silentQuery,
    body: createBody(container),
    responses: { 201: container.fullSchema },
    responseHeaders: ['ETag', 'Location'],
    guard(_params, body) {
      const { parent } = container
      if (!parent) return undefined
      const id = idIn(body, parent.member)
      if (!id && parent.isOptional) return undefined
      return { id, permission: Permission.CREATE, type: parent.type }
    },
    async handle(input) {
      const body: ContainerBody = input.body
      const request = {
        type: container.type,
        parentId: parentIdIn(container, body) ?? '',
        ...scopeIdIn(container, body),
        name: body.name ?? '',
        ...(typeof body.description === 'string' && { description: body.description }),
        ...organizationIn(container, body),
        ...onBehalfIn(body),
        silent: isSilent(input.query),
      }
      const { node } = await input.services.catalog.createNode(request, input.call)
      return created((await container.full(input, withoutLists(required(node)))).body, {
        ...etagOf(required(node)),
        location: `/api/${input.version}/${container.segment}/${required(node).id}/`,
      })
    },
  })
