import type { NodeType } from '@figbase/proto/catalog'
import type { Input } from '../../endpoint.js'
import { found } from '../found.js'
import { expectedVersion, mismatch } from '../if-match.js'

/** The revision that the path names, without its data. */
export async function summaryOf({ params, services, call }: Input, type: NodeType) {
  const request = { id: params.id ?? '', type, summary: true }
  return found((await services.revisions.getRevision(request, call)).revision)
}

/** A revision's version is not catalog's to know: 412 unless it is the one that `If-Match` asks for. */
export async function checkVersion(input: Input, type: NodeType): Promise<object> {
  const read = () => summaryOf(input, type)
  const { expectedVersion: version } = await expectedVersion(input, read)
  if (version !== undefined && (await read()).version !== version) throw mismatch()
  return {}
}
