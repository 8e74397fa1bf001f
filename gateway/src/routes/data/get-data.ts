import { endpoint, ok } from '../../endpoint.js'
import { wantsBytes } from '../../http/conditions.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { dataSchema, dataShape } from '../../shapes/data.js'
import { flagQuery, isShallow, isTrue, shallowQuery } from '../query-flags.js'
import { download } from './download.js'
import { getDataObject, openData } from './open-data.js'

/** The same URL serves JSON and raw bytes. */
const vary = { vary: 'Accept, Accept-Encoding' }

export const getData = endpoint({
  method: 'GET',
  path: '/data/:id/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'getDataObject',
  summary: 'Get a data object',
  description:
    'The answer is JSON with the bytes in base64, or without them if `shallow` is set. If `dl` is set, or `Accept` does not include JSON, it is the bytes themselves, also a range of them.',
  query: shallowQuery.extend({ dl: flagQuery }),
  responses: { 200: dataSchema, 206: null, 304: null },
  responseHeaders: ['Content-Disposition', 'ETag'],
  mediaType: '*/*',
  async handle(input) {
    const { query, headers, version } = input
    if (isTrue(query.dl) || wantsBytes(headers.accept)) return download(input)
    if (isShallow(query)) return ok(dataShape(await getDataObject(input), version), vary)
    const { object, chunks } = await openData(input)
    return ok(dataShape(object, version, await prefetchFirst(chunks)), vary)
  },
})
