import { create } from 'content-disposition'
import type { Input, Reply } from '../../endpoint.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { fileInfo } from './file-info.js'
import { getDataObject } from './open-data.js'
import { readBytes } from './read-bytes.js'

/** Downloads the raw bytes of a data object. The headers keep browsers from running any content. */
export async function download(input: Input): Promise<Reply> {
  const { id, hash, sizeBytes, ...object } = await getDataObject(input)
  const { name, type } = fileInfo(object)
  const fallback = name.replaceAll(/[^\x20-\x7e]|%/g, '_')
  return {
    status: 200,
    headers: {
      'content-disposition': create(name, { fallback }),
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      vary: 'Accept',
    },
    content: {
      etag: hash,
      type,
      lengthBytes: Number(sizeBytes),
      read: (range) => prefetchFirst(readBytes(input, id, range)),
    },
  }
}
