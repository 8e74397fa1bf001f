import type { Endpoint } from '../../endpoint.js'
import { shallowFigureSchema, staleFigure } from '../../shapes/containers.js'
import { listEndpoint } from '../list.js'

export const listStaleFigures: Endpoint = listEndpoint({
  path: '/workspace/:id/stale/',
  since: 'v1',
  auth: 'required',
  operationId: 'listStaleFigures',
  summary: 'List the stale figures of a workspace',
  description:
    'Those whose newest revision is oldest come first. A page may be shorter than `page_size`.',
  item: shallowFigureSchema,
  async readPage({ params, services, call, version }, page) {
    const request = { workspaceId: params.id ?? '', ...page }
    const { figures, nextPageToken } = await services.catalog.listStaleFigures(request, call)
    return { items: figures.map((node) => staleFigure(node, version)), nextPageToken }
  },
})
