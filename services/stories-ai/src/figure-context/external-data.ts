import type { CallOptions } from '@connectrpc/connect'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { type DataObject, DataType } from '@figbase/proto/revisions'
import type { Ctx } from '../context.js'

const linksMax = 100
const objectsMax = 1000
const { DATAFRAME, FILE, UNSPECIFIED } = DataType

/** The tables and files of a figure revision, and of the asset revisions that it is linked to and the caller may view. */
export async function externalData(
  { catalog, revisions }: Pick<Ctx, 'catalog' | 'revisions'>,
  id: string,
  as: CallOptions,
): Promise<DataObject[]> {
  const { revision } = await revisions.getRevision({ id, type: NodeType.FIGURE_REVISION }, as)
  if (!revision) throw new Error('revisions returned no revision')
  const own = revision.data.filter(({ type }) => [DATAFRAME, FILE, UNSPECIFIED].includes(type))
  const ids = revision.links.slice(0, linksMax).map(({ assetRevisionId }) => assetRevisionId)
  if (ids.length === 0) return own.slice(0, objectsMax)
  const { nodes } = await catalog.resolveNodes({ ids, type: NodeType.ASSET_REVISION }, as)
  const revisionIds = nodes.map((node) => node.id)
  const { signal } = as
  const found = [...own]
  const options = { ...actAsSystem(), ...(signal && { signal }) }
  // ReadContents checks no permissions: catalog did.
  for await (const { revision: linked } of revisions.readContents({ revisionIds }, options)) {
    if (linked) found.push(...linked.data)
    if (found.length >= objectsMax) break
  }
  return found.slice(0, objectsMax)
}
