import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { prefetchFirst } from '../../http/prefetch-first.js'
import { shallowAsset, shallowAssetSchema } from '../../shapes/containers.js'
import { idText, name } from '../body-members.js'
import { iteratePages } from '../pagination.js'

export const findAssetsByName = endpoint({
  method: 'POST',
  path: '/asset/find_by_name/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  operationId: 'findAssetsByName',
  summary: 'Find assets by their exact name',
  description: 'The answer lists the assets that the caller may view, oldest first.',
  body: z.object({ name, analysis: idText.nullish() }),
  responses: { 200: z.array(shallowAssetSchema) },
  async handle(input) {
    const { name, analysis } = input.body
    return ok(new JsonArrayStream(await prefetchFirst(assetsNamed(input, name, analysis ?? ''))))
  },
})

async function* assetsNamed({ services, call, version }: Input, name: string, analysisId: string) {
  const nodes = iteratePages(async (pageToken) => {
    const page = await services.catalog.findAssetsByName({ name, analysisId, pageToken }, call)
    return { items: page.nodes, nextPageToken: page.nextPageToken }
  })
  for await (const node of nodes) yield shallowAsset(node, version)
}
