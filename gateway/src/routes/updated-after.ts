import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { timeQuery } from './times.js'

/** `updated_after` of a list of core objects, for clients that keep a copy. */
export const updatedAfterQuery = {
  updated_after: timeQuery.meta({
    format: 'date-time',
    description:
      'Only objects that were created or updated themselves later than this, in the order of these times. A change may become visible some seconds after its time, so ask from a minute earlier.',
  }),
}

export const updatedAfterIn = (query: {
  updated_after?: Timestamp | undefined
}): { updatedAfter?: Timestamp } =>
  query.updated_after ? { updatedAfter: query.updated_after } : {}
