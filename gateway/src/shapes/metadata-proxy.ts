import type { MetadataProxy } from '@figbase/proto/identity/site'
import { z } from 'zod'
import { RawJson } from '../http/json/json-writer.js'
import { datetime, isoOrNull, uuid } from './common.js'

export const metadataProxySchema = z
  .object({
    api_id: uuid,
    initiator: z.string(),
    token: z.string(),
    created: datetime,
    expiry: datetime,
    updated: datetime.nullable(),
    metadata: z.unknown(),
  })
  .meta({
    id: 'MetadataProxy',
    description: 'A mailbox, with which a notebook page sends metadata to its kernel.',
  })

/** `token` comes from the request, because only its hash is stored. */
export const metadataProxyShape = (proxy: MetadataProxy, token: string) => ({
  api_id: proxy.id,
  initiator: proxy.initiator,
  token,
  created: isoOrNull(proxy.createdOn),
  expiry: isoOrNull(proxy.expiresOn),
  updated: isoOrNull(proxy.updatedOn),
  metadata: new RawJson(proxy.metadataJson || 'null'),
})
