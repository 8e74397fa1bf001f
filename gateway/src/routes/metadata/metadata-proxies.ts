import { invalid } from '@figbase/kit/errors'
import { z } from 'zod'
import { created, type Endpoint, endpoint, noContent, ok, uploadEndpoint } from '../../endpoint.js'
import type { UploadEvent } from '../../http/json/upload-scanner.js'
import { required } from '../../required.js'
import { metadataProxySchema, metadataProxyShape } from '../../shapes/metadata-proxy.js'
import { timeMember } from '../times.js'

const createMetadataProxy = endpoint({
  method: 'POST',
  path: '/metadata/',
  since: 'v1',
  auth: 'required',
  idempotent: false,
  idempotencyKey: 'secret',
  operationId: 'createMetadataProxy',
  summary: 'Create a metadata proxy',
  description: 'With it, a notebook page sends metadata to its kernel.',
  body: z.object({ expiry: timeMember }),
  responses: { 201: metadataProxySchema },
  errors: { 429: ['too_many_metadata_proxies'] },
  responseHeaders: ['Location'],
  async handle({ version, body: { expiry }, services, call }) {
    const request = expiry ? { expiresOn: expiry } : {}
    const { proxy, token } = await services.site.createMetadataProxy(request, call)
    const location = `/api/${version}/metadata/${token}/`
    return created(metadataProxyShape(required(proxy), token), { location })
  },
})

const getMetadataProxy = endpoint({
  method: 'GET',
  path: '/metadata/:token/',
  since: 'v1',
  auth: 'optional',
  idempotent: true,
  operationId: 'getMetadataProxy',
  summary: 'Get the metadata that was posted last',
  description: 'Only the creator of the metadata proxy may read it.',
  responses: { 200: metadataProxySchema },
  async handle({ params: { token = '' }, services, call }) {
    const { proxy } = await services.site.getMetadataProxy({ token }, call)
    return ok(metadataProxyShape(required(proxy), token))
  },
})

const postMetadata = uploadEndpoint({
  method: 'POST',
  path: '/metadata/:token/',
  since: 'v1',
  auth: 'optional',
  idempotent: false,
  idempotencyKey: 'no effect: it creates nothing',
  operationId: 'postMetadata',
  summary: 'Post metadata to a metadata proxy',
  description:
    'Everybody who knows the token may post. The answer is null for others than the creator.',
  // Streamed, because metadata is stored unchanged.
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
  operationId: 'deleteMetadataProxy',
  summary: 'Delete a metadata proxy',
  description: 'Only its creator may delete it.',
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
