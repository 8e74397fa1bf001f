import type { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
import { required } from '../../required.js'
import { expectedVersion, versionMismatch } from '../if-match.js'

/** Reads the revision of the path without its data. */
export async function summaryOf({ params, services, call }: Input, type: NodeType) {
  const request = { id: params.id ?? '', type, summary: true }
  return required((await services.revisions.getRevision(request, call)).revision)
}

/** Checks `If-Match` here, because catalog does not know the versions of revisions; throws a 412. */
export async function checkVersion(input: Input, type: NodeType): Promise<object> {
  const read = () => summaryOf(input, type)
  const { expectedVersion: version } = await expectedVersion(input, read)
  if (version !== undefined && (await read()).version !== version) throw versionMismatch()
  return {}
}
