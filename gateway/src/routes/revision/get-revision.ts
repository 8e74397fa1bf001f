import { z } from 'zod'
import { type Endpoint, endpoint } from '../../endpoint.js'
import { required } from '../../required.js'
import { documentReply, notModified, revisionEtag } from '../document.js'
import { fieldsQuery } from '../fields.js'
import { ifNoneMatchHeader } from '../if-match.js'
import { nounOf } from '../nouns.js'
import { isShallow, shallowQuery } from '../query-flags.js'
import type { RevisionKind } from './kinds.js'

export const getRevision = (kind: RevisionKind): Endpoint =>
  endpoint({
    method: 'GET',
    path: `/${kind.segment}/:id/`,
    since: 'v1',
    auth: 'optional',
    idempotent: true,
    operationId: `get${nounOf(kind.segment).idPart}`,
    summary: `Get ${nounOf(kind.segment).a}`,
    description: 'The answer includes its data objects, unless `shallow` is set.',
    query: shallowQuery.extend({ fields: fieldsQuery([kind.fullSchema, kind.listedSchema]) }),
    requestHeaders: ifNoneMatchHeader,
    responses: { 200: z.union([kind.fullSchema, kind.listedSchema]), 304: null },
    responseHeaders: ['ETag'],
    async handle(input) {
      const { params, query, services, call, version } = input
      const summary = isShallow(query)
      const request = { id: params.id ?? '', type: kind.type, summary }
      const revision = required((await services.revisions.getRevision(request, call)).revision)
      const etag = revisionEtag(revision)
      const unchanged = notModified(input, etag)
      if (unchanged) return unchanged
      const document = summary
        ? { body: kind.listed(revision, version), isFinal: true }
        : await kind.full(input, revision)
      return documentReply(document, revision, etag, query.fields)
    },
  })
