import { create } from 'content-disposition'
import type { Input, Reply } from '../../endpoint.js'
import { begun } from '../pages.js'
import { fileOf } from './file-of.js'
import { getDataObject } from './open-data.js'
import { readBytes } from './read-bytes.js'

/** The raw bytes of a data object, to be saved; whatever they are, nothing in them runs. */
export async function download(input: Input): Promise<Reply> {
  const { id, hash, sizeBytes, ...object } = await getDataObject(input)
  const { name, type } = fileOf(object)
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
      read: (range) => begun(readBytes(input, id, range)),
    },
  }
}
