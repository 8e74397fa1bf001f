import { NodeType, Permission } from '@figbase/proto/catalog'
import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { required } from '../../required.js'
import { assetRevisionInList, assetRevisionInListSchema } from '../../shapes/asset-revision.js'
import { dataSchema, dataShape } from '../../shapes/data.js'
import { idIn, idText } from '../body-members.js'

const foundSchema = assetRevisionInListSchema.extend({ data: z.array(dataSchema) }).meta({
  id: 'FoundAssetRevision',
  base: 'AssetRevisionShallow',
  description: 'A revision of an asset, with its data objects.',
})

export const findByHash = endpoint({
  method: 'POST',
  path: '/asset_revision/find_by_hash/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'findAssetRevisionsByHash',
  summary: 'Find asset revisions by the hash of their data',
  description:
    'The answer lists the revisions that the caller may view, and is empty if there are none.',
  body: z.object({
    hash_type: z.literal('blake3'),
    digest: z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits'),
    analysis: idText.nullish(),
  }),
  responses: { 200: z.array(foundSchema) },
  guard(_params, body) {
    const id = idIn(body, 'analysis')
    return id ? { id, permission: Permission.VIEW, type: NodeType.ANALYSIS } : undefined
  },
  async handle(input) {
    const { hash_type: hashType, digest, analysis } = input.body
    const request = { hashType, digest, analysisId: analysis ?? '' }
    return ok(new JsonArrayStream(await prefetchFirst(matchingRevisions(input, request))))
  },
})

async function* matchingRevisions(
  { services, streamCall, version }: Input,
  request: { hashType: string; digest: string; analysisId: string },
) {
  for await (const answer of services.revisions.findByHash(request, streamCall)) {
    const revision = required(answer.revision)
    const data = revision.data.map((object) => dataShape(object, version))
    yield { ...assetRevisionInList(revision, version), data }
  }
}
