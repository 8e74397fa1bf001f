import { z } from 'zod'
import { endpoint, type Input, ok } from '../../endpoint.js'
import { JsonArrayStream } from '../../http/json/json-writer.js'
import { shallowAsset, shallowAssetSchema } from '../../shapes/containers.js'
import { idText, name } from '../members.js'
import { begun, pages } from '../pages.js'

export const findAssetsByName = endpoint({
  method: 'POST',
  path: '/asset/find_by_name/',
  since: 'v1',
  auth: 'required',
  idempotent: true,
  summary: 'The assets with exactly this name that the caller can view, oldest first',
  body: z.object({ name, analysis: idText.nullish() }),
  responses: { 200: z.array(shallowAssetSchema) },
  async handle(input) {
    const { name, analysis } = input.body
    return ok(new JsonArrayStream(await begun(named(input, name, analysis ?? ''))))
  },
})

async function* named({ services, call, version }: Input, name: string, analysisId: string) {
  const nodes = pages(async (pageToken) => {
    const page = await services.catalog.findAssetsByName({ name, analysisId, pageToken }, call)
    return { items: page.nodes, nextPageToken: page.nextPageToken }
  })
  for await (const node of nodes) yield shallowAsset(node, version)
}
