import { invalid } from '@figbase/kit'
import { z } from 'zod'
import { created, type Endpoint, endpoint, noContent, ok, uploadEndpoint } from '../../endpoint.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { metadataProxySchema, metadataProxyShape } from '../../shapes/metadata-proxy.js'
import { found } from '../found.js'
import { timeMember } from '../times.js'

const createMetadataProxy = endpoint({
  method: 'POST',
  path: '/metadata/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  summary: 'Open a mailbox in which a notebook page tells its kernel about itself',
  body: z.object({ expiry: timeMember }),
  responses: { 201: metadataProxySchema },
  async handle({ version, body: { expiry }, services, call }) {
    const request = expiry ? { expiresOn: expiry } : {}
    const { proxy, token } = await services.site.createMetadataProxy(request, call)
    const location = `/api/${version}/metadata/${token}/`
    return created(metadataProxyShape(found(proxy), token), { location })
  },
})

const getMetadataProxy = endpoint({
  method: 'GET',
  path: '/metadata/:token/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  summary: 'What was posted last, for who opened the mailbox',
  responses: { 200: metadataProxySchema },
  async handle({ params: { token = '' }, services, call }) {
    const { proxy } = await services.site.getMetadataProxy({ token }, call)
    return ok(metadataProxyShape(found(proxy), token))
  },
})

const postMetadata = uploadEndpoint({
  method: 'POST',
  path: '/metadata/:token/',
  since: 'v1',
  auth: 'optional',
  idempotent: false,
  summary: 'Post to a mailbox; who did not open it is answered null',
  // Metadata is stored as it was sent.
  upload: true,
  bodyBytesMax: ({ jsonBodyBytesMax }) => jsonBodyBytesMax,
  body: z.object({ metadata: z.unknown() }),
  responses: { 200: metadataProxySchema.nullable() },
  async handle({ params: { token = '' }, services, call }, upload) {
    const metadataJson = await metadataIn(upload)
    const { proxy } = await services.site.postMetadata({ token, metadataJson }, call)
    return ok(proxy ? metadataProxyShape(proxy, token) : null)
  },
})

async function metadataIn(upload: AsyncIterable<UploadEvent>) {
  let metadata: string | undefined
  for await (const event of upload) {
    if (event.kind === 'member' && event.name === 'metadata') metadata = event.raw
  }
  if (metadata === undefined) throw invalid('metadata', 'is required')
  return metadata
}

const deleteMetadataProxy = endpoint({
  method: 'DELETE',
  path: '/metadata/:token/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'Close a mailbox, for who opened it',
  responses: { 204: null },
  async handle({ params: { token = '' }, services, call }) {
    await services.site.deleteMetadataProxy({ token }, call)
    return noContent
  },
})

export const metadataProxies: Endpoint[] = [
  createMetadataProxy,
  getMetadataProxy,
  postMetadata,
  deleteMetadataProxy,
]
