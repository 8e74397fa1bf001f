import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { getNodeWithLists, withLists } from '../../nodes/node-with-lists.js'
import { containerEtag, documentReply, notModified } from '../document.js'
import { ifNoneMatchHeader } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import type { Container } from './container.js'

export const getContainer = (container: Container): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${container.segment}/:id/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    operationId: `get${nounOf(container.segment).idPart}`,
    summary: `Get ${nounOf(container.segment).a}`,
    description: 'The answer includes the objects directly below it, unless `shallow` is set.',
    query: shallowQuery,
    requestHeaders: ifNoneMatchHeader,
    responses: { 200: z.union([container.fullSchema, container.shallowSchema]), 304: null },
    responseHeaders: ['ETag'],
    async handle(input) {
      const { type, includes, etagIncludes = {}, shallow, full } = container
      const isLight = isShallow(input.query)
      const id = input.params.id ?? ''
      if (input.headers['if-none-match'] !== undefined) {
        const known = await getNodeWithLists(input, id, type, isLight ? {} : etagIncludes)
        const unchanged = notModified(input, containerEtag(known))
        if (unchanged) return unchanged
      }
      const opened = await getNodeWithLists(input, id, type, isLight ? {} : includes)
      const { node } = opened
      const etag = containerEtag(withLists(opened, etagIncludes))
      if (isLight)
        return documentReply({ body: shallow(node, input.version), isFinal: true }, node, etag)
      return documentReply(await full(input, opened), node, etag)
    },
  })
