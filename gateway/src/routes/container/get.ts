import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { getNodeWithLists, type NodeIncludes, withLists } from '../../nodes/node-with-lists.js'
import { containerEtag, documentReply, notModified } from '../document.js'
import { fieldsQuery } from '../fields.js'
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
    query: shallowQuery.extend({
      fields: fieldsQuery([container.fullSchema, container.shallowSchema]),
    }),
    requestHeaders: ifNoneMatchHeader,
    responses: { 200: z.union([container.fullSchema, container.shallowSchema]), 304: null },
    responseHeaders: ['ETag'],
    async handle(input) {
      const { type, includes, etagIncludes = {}, shallow, full } = container
      const { fields, ...query } = input.query
      const isLight = isShallow(query)
      const open = (lists: NodeIncludes) =>
        getNodeWithLists(input, input.params.id ?? '', type, isLight ? {} : lists)
      if (input.headers['if-none-match'] !== undefined) {
        const unchanged = notModified(input, containerEtag(await open(etagIncludes), isLight))
        if (unchanged) return unchanged
      }
      const opened = await open(includes)
      const document = isLight
        ? { body: shallow(opened.node, input.version), isFinal: true }
        : await full(input, opened)
      const etag = containerEtag(withLists(opened, etagIncludes), isLight)
      return documentReply(document, opened.node, etag, fields)
    },
  })
